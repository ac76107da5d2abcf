package org.verbena.wire.subnet;

/** The forwarding of a switch. */
public final class SwitchInfo {
    public static final int ATTRIBUTE = 0x0012;
    /** Bytes of the attribute. */
    public static final int LENGTH = 20;

    /** Entries of the linear table. */
    public static final Field LINEAR_CAP = Field.bytes(0, 2);

    public static final Field RANDOM_CAP = Field.bytes(2, 2);
    /** Entries of the multicast table. */
    public static final Field MULTICAST_CAP = Field.bytes(4, 2);
    /** Highest local identifier of the linear table that is forwarded. */
    public static final Field LINEAR_TOP = Field.bytes(6, 2);

    public static final Field DEFAULT_PORT = Field.bytes(8, 1);
    public static final Field DEFAULT_MULTICAST_PRIMARY_PORT = Field.bytes(9, 1);
    public static final Field DEFAULT_MULTICAST_NOT_PRIMARY_PORT = Field.bytes(10, 1);
    /** How long a packet may stay in the switch: 4.096 µs × 2^n. */
    public static final Field LIFE_TIME = Field.of(11, 7, 5);
    /** A port has changed its state; a Set with 1 clears it. */
    public static final Field PORT_STATE_CHANGE = Field.of(11, 2, 1);

    public static final Field OPTIMIZED_LANE_MAPPING = Field.of(11, 1, 2);
    public static final Field LIDS_PER_PORT = Field.bytes(12, 2);
    /** Entries of the partition tables of the external ports. */
    public static final Field ENFORCEMENT_CAP = Field.bytes(14, 2);

    public static final Field INBOUND_ENFORCEMENT_CAP = Field.of(16, 7, 1);
    public static final Field OUTBOUND_ENFORCEMENT_CAP = Field.of(16, 6, 1);
    public static final Field FILTER_RAW_INBOUND_CAP = Field.of(16, 5, 1);
    public static final Field FILTER_RAW_OUTBOUND_CAP = Field.of(16, 4, 1);
    public static final Field ENHANCED_PORT_0 = Field.of(16, 3, 1);
    public static final Field MULTICAST_TOP = Field.bytes(18, 2);

    private SwitchInfo() {}
}
