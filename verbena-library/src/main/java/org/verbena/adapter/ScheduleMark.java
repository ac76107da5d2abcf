package org.verbena.adapter;

/** Whether a transport stands in the scheduler's list already. Only the scheduler touches it. */
public final class ScheduleMark {
    boolean scheduled;
}
