package org.verbena.manage;

/** Physical states of a port; the order is that of their numbers. */
public enum PhysicalState {
    /** No change, in a Set; never the state of a port. */
    NO_CHANGE,
    SLEEP,
    POLLING,
    DISABLED,
    TRAINING,
    LINK_UP,
    ERROR_RECOVERY,
    PHY_TEST;

    private static final PhysicalState[] ALL = values();

    /** Its number in PortInfo. */
    public int code() {
        return ordinal();
    }

    /** The state with this number, 0 … 7. */
    public static PhysicalState of(int code) {
        return ALL[code];
    }
}
