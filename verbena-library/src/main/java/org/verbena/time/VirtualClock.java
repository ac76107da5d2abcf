package org.verbena.time;

/**
 * A clock that stands still until told to move: time in simulations and tests.
 *
 * <p>One thread moves it; any thread may read it.
 */
public final class VirtualClock implements NanoClock {
    private volatile long nowNs;

    /** A clock that shows zero. */
    public VirtualClock() {
        this(0);
    }

    /** A clock that shows {@code startNs}. */
    public VirtualClock(long startNs) {
        this.nowNs = startNs;
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    /** Moves on to {@code targetNs}; a target that has passed already leaves the clock where it is. */
    public void advanceTo(long targetNs) {
        if (targetNs > nowNs) {
            nowNs = targetNs;
        }
    }

    /**
     * Moves on by {@code durationNs}.
     *
     * @throws IllegalArgumentException if the duration is negative
     */
    public void advance(long durationNs) {
        if (durationNs < 0) {
            throw new IllegalArgumentException("time never goes back: advance by " + durationNs + " ns");
        }
        advanceTo(Math.addExact(nowNs, durationNs));
    }

    @Override
    public String toString() {
        return "VirtualClock[" + nowNs + " ns]";
    }
}
