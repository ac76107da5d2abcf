package org.verbena.adapter;

/**
 * Whether consumers are often away for long between their calls: they write a file, for example. The engine's thread then takes over when a consumer
 * leaves, for the price of a wake-up each time. For other consumers it looks only at its tick. Several threads may use one object: a value that another
 * thread has overwritten costs a wake-up or a tick, nothing else.
 */
final class Absences {
    /** An absence that is worth a wake-up of the engine's thread. */
    static final long LONG_NS = 200_000;
    /** Short absences that outweigh a long one. */
    static final int SHORT_PER_LONG = 8;
    /** Long absences, less those outweighed, from which on they are usual. */
    static final int USUAL = 2;

    private static final int SCORE_MAX = 8 * SHORT_PER_LONG;

    private int score;

    /** A consumer calls after this time without a call of any consumer. */
    void onReturn(long awayNs) {
        score = awayNs >= LONG_NS ? Math.min(score + SHORT_PER_LONG, SCORE_MAX) : Math.max(score - 1, 0);
    }

    /** Whether the absence that begins now is probably long. */
    boolean areUsual() {
        return score >= USUAL * SHORT_PER_LONG;
    }
}
