package org.verbena.adapter;

/**
 * How long a thread looks again before it sleeps. A look that is in time saves a sleep and a wake-up; one that is not wastes the core. While waits end
 * within the spin, every wait spins. Each wait that does not doubles the number of waits that follow without a spin. Several threads may use one object:
 * a value that another thread has overwritten costs a spin, nothing else.
 */
final class ShortSpin {
    /**
     * Longest spin. It is longer than a sleep and a wake-up of the peer on an idle machine, about 60 µs. A shorter one would miss every answer of a peer that has slept, and two ends that answer each
     * other and have slept once would sleep before each message from then on.
     */
    static final long LONGEST_NS = 100_000;
    /** Most waits in a row without a spin. */
    static final int SKIPS_MAX = 64;
    /** The same, while other threads need the core: the spin that finds this out can cost a time slice of another thread. */
    static final int CROWDED_SKIPS_MAX = 4096;

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
        skip(SKIPS_MAX);
    }

    /** A spin was given up, because another thread needs the core. */
    void onCrowd() {
        skip(CROWDED_SKIPS_MAX);
    }

    private void skip(int most) {
        penalty = Math.clamp(penalty * 2L, 1, most);
        skips = penalty;
    }
}
