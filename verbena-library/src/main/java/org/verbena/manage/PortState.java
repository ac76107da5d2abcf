package org.verbena.manage;

/** Logical states of a port; the order is that of their numbers. */
public enum PortState {
    /** No change, in a Set; never the state of a port. */
    NO_CHANGE,
    /** No cable, or the link is not trained. */
    DOWN,
    /** Only packets of subnet management pass. */
    INIT,
    /** Data are received; only packets of subnet management are sent. */
    ARMED,
    /** All packets pass. */
    ACTIVE;

    private static final PortState[] ALL = values();

    /** Its number in PortInfo. */
    public int code() {
        return ordinal();
    }

    /** The state with this number, 0 … 4. */
    public static PortState of(int code) {
        return ALL[code];
    }
}
