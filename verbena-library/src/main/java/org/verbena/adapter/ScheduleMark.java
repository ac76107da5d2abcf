package org.verbena.adapter;

/** The scheduler's notes on one queue pair. Only the scheduler touches it. */
public final class ScheduleMark {
    final Scheduled owner;
    boolean scheduled;
    boolean resumed;
    /** Turns in which the queue pair has sent since it last waited for a page, up to a limit. */
    int sentSinceFault;

    /** Notes on this queue pair. */
    public ScheduleMark(Scheduled owner) {
        this.owner = owner;
    }
}
