package org.verbena.services.lan;

/**
 * Decides whether a driver's thread that has found nothing to do looks again or sleeps. A look that is in time saves a sleep and a wake-up, which take longer than all the rest of
 * a frame's way; one that is not wastes the core. While waits end within the spin, every wait begins with one. Each wait that does not doubles the number of waits that follow
 * without a spin; one of those that would have ended within a spin halves it. Used by the driver's thread.
 */
final class IdleSpin {
    /** Most waits in a row without a spin. */
    static final int SKIPS_MAX = 64;

    private enum State {
        /** The last turn has done something. */
        BUSY,
        SPINS,
        SLEEPS
    }

    private final long longestNs;
    private State state = State.BUSY;
    /** When the present wait began. */
    private long beganNs;
    /** Waits still to come without a spin. */
    private int skips;
    /** Waits without a spin after the last spin that was in vain. */
    private int penalty;

    /** With the longest time of a spin; 0: there is none. */
    IdleSpin(long longestNs) {
        this.longestNs = longestNs;
    }

    /** A turn that began at this time has done something. */
    void onWork(long nowNs) {
        if (state == State.SPINS) {
            penalty = 0;
        } else if (state == State.SLEEPS && nowNs - beganNs < longestNs) {
            skips /= 2;
        }
        state = State.BUSY;
    }

    /** A turn that began at this time has done nothing. Whether the thread looks again instead of sleeping. */
    boolean looksAgain(long nowNs) {
        if (state == State.BUSY) {
            begin(nowNs);
        }
        if (state == State.SPINS && nowNs - beganNs >= longestNs) {
            penalty = Math.clamp(penalty * 2L, 1, SKIPS_MAX);
            skips = penalty;
            state = State.SLEEPS;
        }
        return state == State.SPINS;
    }

    private void begin(long nowNs) {
        beganNs = nowNs;
        if (skips > 0) {
            skips--;
            state = State.SLEEPS;
        } else {
            state = State.SPINS;
        }
    }
}
