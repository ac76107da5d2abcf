package org.verbena.queue;

/** What an engine's own thread does when there is nothing to do. */
public enum IdleStrategy {
    /** Looks again at once, for ever: shortest latency, a core each. */
    SPIN(Integer.MAX_VALUE, Integer.MAX_VALUE),
    /** Looks again for some microseconds, lets others run for some more, then sleeps until something comes. */
    BACK_OFF(200, 50),
    /** Sleeps as soon as there is nothing to do. */
    PARK(1, 0);

    private final int spins;
    private final int yields;

    IdleStrategy(int spins, int yields) {
        this.spins = spins;
        this.yields = yields;
    }

    /** Turns without work before the thread yields. */
    public int spins() {
        return spins;
    }

    /** Turns with a yield after them before the thread sleeps. */
    public int yields() {
        return yields;
    }
}
