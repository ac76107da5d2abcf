package org.verbena.adapter;

/**
 * How long a thread looks again before it sleeps. A look that is in time saves a sleep and a wake-up; one that is not wastes the core. While waits end
 * within the spin, every wait spins. Each wait that does not doubles the number of waits that follow without a spin. A spin that finds another thread in
 * need of the core is followed by a time without spins, in proportion to what it has cost. Several threads may use one object: a value that another
 * thread has overwritten costs a spin, nothing else.
 */
final class ShortSpin {
    /**
     * Longest spin. It is longer than a sleep and a wake-up of the peer on an idle machine, about 60 µs. A shorter one would miss every answer of a peer that has slept, and two ends that answer each
     * other and have slept once would sleep before each message from then on.
     */
    static final long LONGEST_NS = 100_000;
    /** Most waits in a row without a spin. */
    static final int SKIPS_MAX = 64;
    /** Times that a spin has cost because another thread needed the core, after which there are spins again: they may cost 3 % of the time. */
    static final int PAUSE_PER_LOSS = 32;
    /** Longest time without spins. A time slice of another thread, about 3 ms, leads to 100 ms. */
    static final long PAUSE_MAX_NS = 128_000_000;

    /** Waits still to come without a spin. */
    private int skips;
    /** Waits without a spin after the last miss. */
    private int penalty;
    /** The beginning of the last time without spins. */
    private long pausesFromNs;
    /** Its length. */
    private long pauseNs;

    /** A wait begins. The time at which its spin ends: now, if it has none. */
    long begin(long nowNs) {
        if (nowNs - pausesFromNs < pauseNs) {
            return nowNs;
        }
        if (skips > 0) {
            skips--;
            return nowNs;
        }
        return nowNs + LONGEST_NS;
    }

    /** A wait ended within its spin. */
    void onHit() {
        penalty = 0;
    }

    /**
     * A spin ended at this time, and the wait did not, or later than it should have.
     *
     * @param spinsUntilNs the time at which it should have ended
     */
    void onMiss(long spinsUntilNs, long nowNs) {
        long lateNs = nowNs - spinsUntilNs;
        if (lateNs >= LONGEST_NS) {
            onCrowd(lateNs, nowNs);
            return;
        }
        penalty = Math.clamp(penalty * 2L, 1, SKIPS_MAX);
        skips = penalty;
    }

    /**
     * A spin was given up at this time: another thread needed the core.
     *
     * @param lostNs the time for which that thread had it
     */
    void onCrowd(long lostNs, long nowNs) {
        pausesFromNs = nowNs;
        pauseNs = lostNs < PAUSE_MAX_NS / PAUSE_PER_LOSS ? lostNs * PAUSE_PER_LOSS : PAUSE_MAX_NS;
    }
}
