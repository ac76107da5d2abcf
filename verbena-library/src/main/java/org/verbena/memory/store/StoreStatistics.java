package org.verbena.memory.store;

import java.util.concurrent.atomic.AtomicLongArray;

/** What a store did, by kind of transfer. Latencies are of whole transfers, from their submission to their end. */
public final class StoreStatistics {
    private static final int OUTCOMES = Outcome.values().length;

    private final StoreLatency reads = new StoreLatency();
    private final StoreLatency writes = new StoreLatency();
    private final AtomicLongArray pages = new AtomicLongArray(Transfer.Kind.values().length * OUTCOMES);

    StoreStatistics() {}

    /** How long reads took. */
    public StoreLatency reads() {
        return reads;
    }

    /** How long writes took. */
    public StoreLatency writes() {
        return writes;
    }

    /** Pages for which transfers of this kind ended this way. */
    public long pages(Transfer.Kind kind, Outcome outcome) {
        return pages.get(index(kind, outcome));
    }

    /** Counts a transfer that is about to end. One that the store's closing cut off says nothing about latency. */
    void onEnd(Transfer transfer, long nowNs) {
        for (int page = 0; page < transfer.pages(); page++) {
            pages.getAndIncrement(index(transfer.kind(), transfer.outcome(page)));
        }
        if (transfer.outcome(0) != Outcome.CLOSED) {
            StoreLatency latency = transfer.kind() == Transfer.Kind.READ ? reads : writes;
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
