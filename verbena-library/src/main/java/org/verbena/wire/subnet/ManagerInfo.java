package org.verbena.wire.subnet;

/** The state of a subnet manager: SMInfo of the specification. The modifier of a Set is what the other manager asks for. */
public final class ManagerInfo {
    public static final int ATTRIBUTE = 0x0020;
    /** Bytes of the attribute. */
    public static final int LENGTH = 24;

    /** Modifier of a Set: take over as the master. */
    public static final int HANDOVER = 1;
    /** Modifier of a Set: the master's place is taken over. */
    public static final int ACKNOWLEDGE = 2;
    /** Modifier of a Set: become inactive. */
    public static final int DISABLE = 3;
    /** Modifier of a Set: leave the inactive state for standby. */
    public static final int STANDBY = 4;
    /** Modifier of a Set: look at the subnet again. */
    public static final int DISCOVER = 5;

    public static final int STATE_INACTIVE = 0;
    public static final int STATE_DISCOVERING = 1;
    public static final int STATE_STANDBY = 2;
    public static final int STATE_MASTER = 3;

    public static final LongField GUID = new LongField(0);
    public static final LongField KEY = new LongField(8);
    /** Counts up while the manager lives. */
    public static final Field ACTIVITY = Field.bytes(16, 4);
    /** 0 … 15; the highest becomes the master, of equals the lowest GUID. */
    public static final Field PRIORITY = Field.of(20, 7, 4);

    public static final Field STATE = Field.of(20, 3, 4);

    private ManagerInfo() {}
}
