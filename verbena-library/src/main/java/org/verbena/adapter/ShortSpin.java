package org.verbena.adapter;

/**
 * How long a thread looks again before it sleeps. A look that is in time saves a sleep and a wake-up; one that is not wastes the core. While waits end
 * within the spin, every wait spins. Each wait that does not doubles the number of waits that follow without a spin. Several threads may use one object:
 * a value that another thread has overwritten costs a spin, nothing else.
 */
final class ShortSpin {
    /** Longest spin: about the time of a sleep and a wake-up on an idle machine. */
    static final long LONGEST_NS = 50_000;
    /** Most waits in a row without a spin. */
    static final int SKIPS_MAX = 64;

    /** Waits still to come without a spin. */
    private int skips;
    /** Waits without a spin after the last miss. */
    private int penalty;

    /** A wait begins. The time at which its spin ends: now, if it has none. */
    long begin(long nowNs) {
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

    /** A spin ended, and the wait did not. */
    void onMiss() {
        penalty = Math.clamp(penalty * 2L, 1, SKIPS_MAX);
        skips = penalty;
    }
}
