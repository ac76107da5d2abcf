package org.verbena.fabric.flow;

/** Something that happens in a fabric at a time. Used again and again; in the {@link EventQueue} at most once at a time. */
abstract class Event {
    /** Place in the queue; −1: not there. */
    int place = -1;

    /** Happens now. */
    abstract void happen();

    /** Whether it is in the queue. */
    final boolean isDue() {
        return place >= 0;
    }
}
