package org.verbena.adapter;

/**
 * Meter of the work that was sent. Transports add to it; the {@link Scheduler} compares it with its budgets. The engine's thread
 * calls everything.
 */
public final class Effort {
    private static final int KIB_SHIFT = 10;

    private long spent;

    /** All effort since the engine was made. */
    public long spent() {
        return spent;
    }

    /** Adds a packet or a piece of a stream: one for each KiB, and at least one. */
    public void addBytes(int bytes) {
        spent += Math.max(1, bytes >> KIB_SHIFT);
    }
}
