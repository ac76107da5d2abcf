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

    /** Where the packet with this index stands in a message of {@code count} packets. */
    public static Position of(int index, int count) {
        if (count == 1) {
            return ONLY;
        }
        return index == 0 ? FIRST : index == count - 1 ? LAST : MIDDLE;
    }
}
