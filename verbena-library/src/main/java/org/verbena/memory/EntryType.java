package org.verbena.memory;

/** The type of a protection entry. */
public enum EntryType {
    /** Registered memory. */
    REGION,
    /** Registered memory that a send queue enables and that a local or remote invalidate makes invalid. */
    RESERVED_REGION,
    /** A window for all queue pairs of its domain; every bind changes its key. */
    WINDOW_TYPE_1,
    /** A window for the one queue pair that bound it; a local or remote invalidate unbinds it. */
    WINDOW_TYPE_2;

    /** Whether it is a window. */
    public boolean isWindow() {
        return this == WINDOW_TYPE_1 || this == WINDOW_TYPE_2;
    }

    /** Whether a local or remote invalidate makes it invalid. */
    public boolean isInvalidatable() {
        return this == RESERVED_REGION || this == WINDOW_TYPE_2;
    }
}
