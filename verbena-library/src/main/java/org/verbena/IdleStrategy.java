package org.verbena;

/** Behaviour of an engine's thread while there is no work. */
public enum IdleStrategy {
    /** Looks again at once, without end: shortest latency, and one core in use all the time. */
    SPIN(Integer.MAX_VALUE, Integer.MAX_VALUE),
    /** Looks again for some microseconds, yields for some more, then sleeps until there is work. */
    BACK_OFF(200, 50),
    /** Sleeps as soon as there is no work. */
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
