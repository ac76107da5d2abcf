package org.verbena.wire.subnet;

/** The registers of a port. Modifier: bits 7–0 the port, 0 of an end node the port that the packet came to; bit 31 says that the manager knows extended speeds. */
public final class PortInfo {
    public static final int ATTRIBUTE = 0x0015;
    /** Bytes of the attribute. */
    public static final int LENGTH = 64;
    /** In a modifier: the subnet manager knows extended speeds. */
    public static final int EXTENDED_SPEEDS_KNOWN = 1 << 31;

    /** In the enabled widths: all that are supported. */
    public static final int WIDTH_ALL = 0xff;
    /** In the enabled speeds: all that are supported. */
    public static final int SPEED_ALL = 0xf;
    /** In the enabled extended speeds: none. */
    public static final int EXTENDED_NONE = 30;
    /** In the enabled extended speeds: all that are supported. */
    public static final int EXTENDED_ALL = 31;

    /** Capability: a subnet manager is at the port. */
    public static final int CAPABILITY_MANAGER = 1 << 1;
    /** Capability: a queue of notices. */
    public static final int CAPABILITY_NOTICE = 1 << 2;
    /** Capability: traps. */
    public static final int CAPABILITY_TRAP = 1 << 3;
    /** Capability: a lamp. */
    public static final int CAPABILITY_LED = 1 << 9;
    /** Capability: a trap when this mask changes. */
    public static final int CAPABILITY_MASK_TRAP = 1 << 22;
    /** Capability: {@link #CLIENT_REREGISTER}. */
    public static final int CAPABILITY_REREGISTRATION = 1 << 25;

    public static final LongField MANAGEMENT_KEY = new LongField(0);
    public static final LongField GID_PREFIX = new LongField(8);
    public static final Field LID = Field.bytes(16, 2);
    public static final Field MANAGER_LID = Field.bytes(18, 2);
    public static final Field CAPABILITY_MASK = Field.bytes(20, 4);
    public static final Field DIAGNOSTIC_CODE = Field.bytes(24, 2);
    /** In seconds; 0: for ever. */
    public static final Field KEY_LEASE_PERIOD = Field.bytes(26, 2);
    /** The port that the packet came to. */
    public static final Field LOCAL_PORT = Field.bytes(28, 1);
    /** Bits of the widths: 1 1x, 2 4x, 4 8x, 8 12x, 16 2x; 0 in a Set: no change. */
    public static final Field WIDTH_ENABLED = Field.bytes(29, 1);

    public static final Field WIDTH_SUPPORTED = Field.bytes(30, 1);
    public static final Field WIDTH_ACTIVE = Field.bytes(31, 1);
    public static final Field SPEED_SUPPORTED = Field.of(32, 7, 4);
    /** 1 down … 4 active; 0 in a Set: no change. */
    public static final Field STATE = Field.of(32, 3, 4);
    /** 1 sleep, 2 polling, 3 disabled, 5 link up; 0 in a Set: no change. */
    public static final Field PHYSICAL_STATE = Field.of(33, 7, 4);

    public static final Field LINK_DOWN_DEFAULT = Field.of(33, 3, 4);
    public static final Field KEY_PROTECTION = Field.of(34, 7, 2);
    public static final Field LMC = Field.of(34, 2, 3);
    public static final Field SPEED_ACTIVE = Field.of(35, 7, 4);
    public static final Field SPEED_ENABLED = Field.of(35, 3, 4);
    /** Code of the MTU: 1 256 … 5 4096 bytes. */
    public static final Field NEIGHBOR_MTU = Field.of(36, 7, 4);

    public static final Field MANAGER_SERVICE_LEVEL = Field.of(36, 3, 4);
    /** Code of the number of lanes: 1, 2, 4, 8, 15. */
    public static final Field LANE_CAP = Field.of(37, 7, 4);

    public static final Field INIT_TYPE = Field.of(37, 3, 4);
    public static final Field HIGH_LIMIT = Field.bytes(38, 1);
    /** Entries of the high table of arbitration. */
    public static final Field HIGH_CAP = Field.bytes(39, 1);
    /** Entries of the low table of arbitration. */
    public static final Field LOW_CAP = Field.bytes(40, 1);

    public static final Field INIT_TYPE_REPLY = Field.of(41, 7, 4);
    public static final Field MTU_CAP = Field.of(41, 3, 4);
    public static final Field LANE_STALL_COUNT = Field.of(42, 7, 3);
    /** 4.096 µs × 2^n; more than 19: for ever. */
    public static final Field HEAD_OF_QUEUE_LIFE = Field.of(42, 4, 5);
    /** As {@link #LANE_CAP}; 0 in a Set: no change. */
    public static final Field OPERATIONAL_LANES = Field.of(43, 7, 4);
    /** From the highest bit: partitions inbound, partitions outbound, raw inbound, raw outbound. */
    public static final Field ENFORCEMENT = Field.of(43, 3, 4);

    public static final Field KEY_VIOLATIONS = Field.bytes(44, 2);
    public static final Field PARTITION_VIOLATIONS = Field.bytes(46, 2);
    public static final Field QKEY_VIOLATIONS = Field.bytes(48, 2);
    public static final Field GUID_CAP = Field.bytes(50, 1);
    public static final Field CLIENT_REREGISTER = Field.of(51, 7, 1);
    public static final Field MULTICAST_TRAP_SUPPRESSION = Field.of(51, 6, 2);
    /** 4.096 µs × 2^n. */
    public static final Field SUBNET_TIMEOUT = Field.of(51, 4, 5);
    /** 4.096 µs × 2^n. */
    public static final Field RESPONSE_TIME = Field.of(52, 4, 5);
    /** High four bits: local physical errors; low four: buffer overruns. */
    public static final Field ERROR_THRESHOLDS = Field.bytes(53, 1);

    public static final Field MAX_CREDIT_HINT = Field.bytes(54, 2);
    public static final Field LINK_ROUND_TRIP = Field.bytes(57, 3);
    public static final Field CAPABILITY_MASK_2 = Field.bytes(60, 2);
    public static final Field EXTENDED_ACTIVE = Field.of(62, 7, 4);
    public static final Field EXTENDED_SUPPORTED = Field.of(62, 3, 4);
    /** 0 in a Set: no change. */
    public static final Field EXTENDED_ENABLED = Field.of(63, 4, 5);

    private PortInfo() {}
}
