package org.verbena.adapter;

/** Whether a transport stands in the scheduler's lists already. Only the scheduler touches it. */
public final class ScheduleMark {
    boolean scheduled;
    boolean resumed;
    /** Turns in which it sent since it last waited for a page, up to a limit. */
    int sentSinceFault;
}
