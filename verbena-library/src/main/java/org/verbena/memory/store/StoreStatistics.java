package org.verbena.memory.store;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;
import org.verbena.trace.Histogram;
import org.verbena.trace.MetricGroup;
import org.verbena.trace.Unit;

/** The transfers of a page store since it was opened, by kind. Any thread writes and reads. */
public final class StoreStatistics {
    /** The statistics as metrics. */
    public static final MetricGroup<StoreStatistics> METRICS = describe();

    private static final int OUTCOMES = Outcome.values().length;

    private final Histogram reads = new Histogram();
    private final Histogram writes = new Histogram();
    private final AtomicLongArray pages = new AtomicLongArray(Transfer.Kind.values().length * OUTCOMES);

    StoreStatistics() {}

    private static MetricGroup<StoreStatistics> describe() {
        MetricGroup.Builder<StoreStatistics> group = MetricGroup.<StoreStatistics>named("store", "memory", "store")
                .histogram(
                        "read_latency",
                        Unit.NANOSECONDS,
                        "Durations of reads, from submission to end",
                        StoreStatistics::reads)
                .histogram(
                        "write_latency",
                        Unit.NANOSECONDS,
                        "Durations of writes, from submission to end",
                        StoreStatistics::writes);
        for (Transfer.Kind kind : Transfer.Kind.values()) {
            for (Outcome outcome : Outcome.values()) {
                group.counter(
                        kind.name().toLowerCase(Locale.ROOT) + "_pages",
                        Unit.PAGES,
                        "Pages of transfers that ended, by their outcome",
                        "outcome",
                        outcome.name().toLowerCase(Locale.ROOT),
                        store -> store.pages(kind, outcome));
            }
        }
        return group.build();
    }

    /** Durations of reads in nanoseconds, from submission to end. */
    public Histogram reads() {
        return reads;
    }

    /** Durations of writes in nanoseconds, from submission to end. */
    public Histogram writes() {
        return writes;
    }

    /** Pages of transfers of this kind that ended with this outcome. */
    public long pages(Transfer.Kind kind, Outcome outcome) {
        return pages.get(index(kind, outcome));
    }

    /** Counts a transfer that is about to end. The duration of a transfer that closing the store has ended is not recorded. */
    void onEnd(Transfer transfer, long nowNs) {
        for (int page = 0; page < transfer.pages(); page++) {
            pages.getAndIncrement(index(transfer.kind(), transfer.outcome(page)));
        }
        if (transfer.outcome(0) != Outcome.CLOSED) {
            Histogram latency = transfer.kind() == Transfer.Kind.READ ? reads : writes;
            latency.record(nowNs - transfer.submittedNs);
        }
    }

    private static int index(Transfer.Kind kind, Outcome outcome) {
        return kind.ordinal() * OUTCOMES + outcome.ordinal();
    }

    @Override
    public String toString() {
        return "reads: " + reads + "; writes: " + writes;
    }
}
