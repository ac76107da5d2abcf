package org.verbena.tools.memory;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.Hypervisor;
import org.verbena.tools.console.Figures;
import org.verbena.trace.Counter;
import org.verbena.trace.HistogramValues;
import org.verbena.trace.PagingCounter;
import org.verbena.verbs.Adapter;

/** What a person sees while it goes on: rates since the last look. The run tells how far it is; one other thread looks. */
public final class LiveMemory {
    /** What is looked at. */
    record Watched(MemoryPlan plan, Hypervisor hypervisor, Adapter initiator, Adapter target) {
        /** Of both ends together. */
        long count(Counter counter) {
            return initiator.counters().value(counter) + target.counters().value(counter);
        }
    }

    private record Phase(String name, @Nullable MemoryTally tally, long beganNs) {}

    private volatile @Nullable Watched watched;
    private volatile @Nullable Phase phase;

    private final Map<Counter, Long> adapterBefore = new EnumMap<>(Counter.class);
    private final Map<PagingCounter, Long> pagingBefore = new EnumMap<>(PagingCounter.class);
    private @Nullable MemoryTally tallyBefore;
    private long operationsBefore;
    private long lookedNs = System.nanoTime();
    private double seconds = 1;

    /** Nothing has begun. */
    public LiveMemory() {}

    void watch(Watched what) {
        watched = what;
    }

    void phase(String name, @Nullable MemoryTally tally) {
        phase = new Phase(name, tally, System.nanoTime());
    }

    /** A few lines. */
    public String text() {
        Watched what = watched;
        Phase now = phase;
        if (what == null || now == null) {
            return "connecting";
        }
        long nowNs = System.nanoTime();
        seconds = Math.max(1e-3, (nowNs - lookedNs) / 1e9);
        lookedNs = nowNs;
        HistogramValues reads = what.hypervisor.storeStatistics().reads().values();
        return Figures.format("%s, %.1f s", now.name, (nowNs - now.beganNs) / 1e9)
                + operations(now.tally)
                + Figures.format(
                        ", frames free %,d of %,d%n",
                        what.hypervisor.framesFree(), what.hypervisor.machine().frames())
                + Figures.format(
                        "  faults/s  write %,.0f  send %,.0f  atomic %,.0f  read %,.0f  gather %,.0f  landing %,.0f%n",
                        rate(what, Counter.WRITE_PAGE_FAULTS),
                        rate(what, Counter.SEND_PAGE_FAULTS),
                        rate(what, Counter.ATOMIC_PAGE_FAULTS),
                        rate(what, Counter.RESPONSE_PAGE_FAULTS),
                        rate(what, Counter.GATHER_PAGE_FAULTS),
                        rate(what, Counter.LANDING_PAGE_FAULTS))
                + Figures.format(
                        "  RNR NAKs/s %,.0f  resumed by ACK %,d  by timer %,d  by ACK timeout %,d%n",
                        rate(what, Counter.SENT_FAULT_RNR_NAKS),
                        what.count(Counter.RESUMED_BY_ACK),
                        what.count(Counter.RESUMED_BY_TIMER),
                        what.count(Counter.RESUMED_BY_ACK_TIMEOUT))
                + Figures.format(
                        "  pages/s  in %,.0f  out %,.0f  evicted %,.0f  leased %,.0f  store p50 %,d  p99 %,d µs",
                        rate(what, PagingCounter.PAGES_IN),
                        rate(what, PagingCounter.PAGES_OUT),
                        rate(what, PagingCounter.EVICTIONS),
                        rate(what, PagingCounter.LEASES),
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

    private double rate(Watched what, Counter counter) {
        long now = what.count(counter);
        Long before = adapterBefore.put(counter, now);
        return before == null ? 0 : (now - before) / seconds;
    }

    private double rate(Watched what, PagingCounter counter) {
        long now = what.hypervisor.counters().value(counter);
        Long before = pagingBefore.put(counter, now);
        return before == null ? 0 : (now - before) / seconds;
    }
}
