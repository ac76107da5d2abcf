package org.verbena.adapter;

import org.verbena.time.NanoClock;

/**
 * Yields of a thread that looks for work again and again. A yield wastes time if no thread waits for the core. If one does, perhaps the
 * peer, looking again wastes time. So the length of the last yield decides when the next one comes. Several threads may use one object:
 * a value that another thread has overwritten costs a yield, nothing else.
 */
final class UsefulYield {
    /** A yield that takes longer has let another thread run. */
    private static final long OF_USE_NS = 1_500;
    /** A yield that takes longer should have been a sleep. Peers that share a core and yield to each other take less. */
    private static final long LONG_NS = ShortSpin.LONGEST_NS;
    /** Time without work after which a yield is tried, and tried again if the last one let no thread run. */
    private static final long EVERY_NS = 20_000;

    private final NanoClock clock;
    private long dueNs;
    private boolean ofUse;

    UsefulYield(NanoClock clock) {
        this.clock = clock;
    }

    /** There was work at this time. */
    void onWork(long nowNs) {
        dueNs = nowNs + EVERY_NS;
    }

    boolean isDue(long nowNs) {
        return ofUse || nowNs - dueNs >= 0;
    }

    /** Yields; the time it took, if other threads have run for so long meanwhile that a sleep and a wake-up would have been shorter; else 0. */
    @SuppressWarnings("ThreadPriorityCheck") // whether it was of use is measured
    long yieldAndLearn() {
        long beforeNs = clock.nowNs();
        Thread.yield();
        long afterNs = clock.nowNs();
        long tookNs = afterNs - beforeNs;
        ofUse = tookNs > OF_USE_NS;
        dueNs = afterNs + EVERY_NS;
        return tookNs > LONG_NS ? tookNs : 0;
    }
}
