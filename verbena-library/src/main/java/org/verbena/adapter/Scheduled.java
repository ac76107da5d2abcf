package org.verbena.adapter;

/** Work that the {@link Scheduler} gives turns to: a queue pair of any kind. The engine's thread calls everything. */
public interface Scheduled {
    /** Number of the queue pair, 24 bits. */
    int number();

    /** The scheduler's notes on it. */
    ScheduleMark scheduleMark();

    /**
     * Sends the work that is ready, until about {@code budget} of {@link Effort} is spent.
     *
     * @return whether it needs another turn: it stopped because of the budget or because the carrier has no room, and work is left
     */
    boolean transmit(long nowNs, int budget);

    /** Memory that it was reading or writing for its consumer is gone. The queue pair fails. */
    void onMemoryFault();
}
