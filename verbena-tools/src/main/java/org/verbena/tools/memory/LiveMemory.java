package org.verbena.tools.memory;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.tools.console.Figures;
import org.verbena.trace.Counter;
import org.verbena.trace.HistogramValues;
import org.verbena.trace.MetricRegistry;
import org.verbena.trace.MetricSnapshot;
import org.verbena.trace.PagingCounter;

/** The live display of a run: rates since the last look. The run's thread reports progress; one other thread looks. */
public final class LiveMemory {
    private record Phase(String name, @Nullable MemoryTally tally, long beganNs) {}

    private volatile @Nullable MetricRegistry watched;
    private volatile @Nullable Phase phase;

    private @Nullable MetricSnapshot metricsBefore;
    private @Nullable MemoryTally tallyBefore;
    private long operationsBefore;
    private long lookedNs = System.nanoTime();
    private double seconds = 1;

    /** Nothing has begun. */
    public LiveMemory() {}

    void watch(MetricRegistry metrics) {
        watched = metrics;
    }

    void phase(String name, @Nullable MemoryTally tally) {
        phase = new Phase(name, tally, System.nanoTime());
    }

    /** A few lines. */
    public String text() {
        MetricRegistry metrics = watched;
        Phase now = phase;
        if (metrics == null || now == null) {
            return "connecting";
        }
        long nowNs = System.nanoTime();
        seconds = Math.max(1e-3, (nowNs - lookedNs) / 1e9);
        lookedNs = nowNs;
        MetricSnapshot all = metrics.snapshot();
        if (all.of("store").series().isEmpty()) {
            return "closing";
        }
        MetricSnapshot since = all.since(metricsBefore == null ? all : metricsBefore);
        metricsBefore = all;
        Snapshot seen = new Snapshot(all, Map.of());
        HistogramValues reads = seen.reads();
        return Figures.format("%s, %.1f s", now.name, (nowNs - now.beganNs) / 1e9)
                + operations(now.tally)
                + Figures.format(
                        ", frames free %,d of %,d%n",
                        all.with("domain", Snapshot.HOST).total("pager", "frames_free"), all.total("memory", "frames"))
                + "  faults/s  "
                + FaultKinds.text(counter -> rate(since, counter))
                + Figures.format(
                        "%n  RNR NAKs/s %,.0f  resumed by ACK %,d  by timer %,d  by ACK timeout %,d%n",
                        rate(since, Counter.SENT_FAULT_RNR_NAKS),
                        seen.count(Counter.RESUMED_BY_ACK),
                        seen.count(Counter.RESUMED_BY_TIMER),
                        seen.count(Counter.RESUMED_BY_ACK_TIMEOUT))
                + Figures.format(
                        "  pages/s  in %,.0f  out %,.0f  evicted %,.0f  leased %,.0f  store p50 %,d  p99 %,d µs",
                        rate(since, PagingCounter.PAGES_IN),
                        rate(since, PagingCounter.PAGES_OUT),
                        rate(since, PagingCounter.EVICTIONS),
                        rate(since, PagingCounter.LEASES),
                        reads.percentile(0.5) / 1000,
                        reads.percentile(0.99) / 1000);
    }

    private String operations(@Nullable MemoryTally tally) {
        if (tally == null) {
            return "";
        }
        long now = tally.operations();
        long since = tally == tallyBefore ? now - operationsBefore : 0;
        tallyBefore = tally;
        operationsBefore = now;
        return Figures.format(": %,.0f operations/s", since / seconds) + (tally.errors() > 0 ? ", WRONG" : "");
    }

    private double rate(MetricSnapshot since, Counter counter) {
        return since.total("adapter", counter.label()) / seconds;
    }

    /** Of the host's pager. */
    private double rate(MetricSnapshot since, PagingCounter counter) {
        return since.with("domain", Snapshot.HOST).total("pager", counter.label()) / seconds;
    }
}
