package org.verbena.wire.ib;

/** Where in its message a packet stands. */
public enum Position {
    FIRST,
    MIDDLE,
    LAST,
    /** The message is this packet. */
    ONLY;

    /** Whether a message begins with this packet. */
    public boolean startsMessage() {
        return this == FIRST || this == ONLY;
    }

    /** Whether a message ends with this packet. */
    public boolean endsMessage() {
        return this == LAST || this == ONLY;
    }
}
