package org.verbena.fabric.flow;

import org.jspecify.annotations.Nullable;

/** Something that happens in a fabric at a time. Used again and again; in the {@link EventQueue} at most once at a time. */
abstract class Event {
    /** A {@link #place} that is none. */
    static final int NOWHERE = -1;

    /** A {@link #place} in the wheel of the queue. */
    static final int WHEEL = Integer.MAX_VALUE;

    /** Place in the heap of the queue, {@link #WHEEL}, or {@link #NOWHERE}. */
    int place = NOWHERE;
    /** When it happens; meaningful in the wheel. */
    long duePs;
    /** The next one of its slot in the wheel. */
    @Nullable
    Event following;

    /** Happens now. */
    abstract void happen();

    /** Whether it is in the queue. */
    final boolean isDue() {
        return place >= 0;
    }
}
