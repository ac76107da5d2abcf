package org.verbena.wire.subnet;

/** What a class of general services at a port can do. */
public final class ClassPortInfo {
    public static final int ATTRIBUTE = 0x0001;
    /** Bytes of the attribute. */
    public static final int LENGTH = 72;

    /** Of performance management: port 255 selects all ports. */
    public static final int ALL_PORT_SELECT = 1 << 8;
    /** Of performance management: all extended counters. */
    public static final int EXTENDED_WIDTH = 1 << 9;
    /** Of performance management: extended counters without unicast and multicast. */
    public static final int EXTENDED_WIDTH_PART = 1 << 10;
    /** Of performance management: the counter of waiting is there. */
    public static final int TRANSMIT_WAIT = 1 << 12;

    public static final Field BASE_VERSION = Field.bytes(0, 1);
    public static final Field CLASS_VERSION = Field.bytes(1, 1);
    public static final Field CAPABILITY_MASK = Field.bytes(2, 2);
    public static final Field CAPABILITY_MASK_2 = Field.of(4, 7, 27);
    /** 4.096 µs × 2^n. */
    public static final Field RESPONSE_TIME = Field.of(7, 4, 5);

    public static final LongField REDIRECT_GID_HIGH = new LongField(8);
    public static final LongField REDIRECT_GID_LOW = new LongField(16);
    public static final Field REDIRECT_CLASS = Field.bytes(24, 1);
    public static final Field REDIRECT_SERVICE_LEVEL = Field.of(25, 7, 4);
    public static final Field REDIRECT_FLOW_LABEL = Field.of(25, 3, 20);
    public static final Field REDIRECT_LID = Field.bytes(28, 2);
    public static final Field REDIRECT_PKEY = Field.bytes(30, 2);
    public static final Field REDIRECT_QUEUE_PAIR = Field.bytes(33, 3);
    public static final Field REDIRECT_QKEY = Field.bytes(36, 4);
    public static final LongField TRAP_GID_HIGH = new LongField(40);
    public static final LongField TRAP_GID_LOW = new LongField(48);
    public static final Field TRAP_CLASS = Field.bytes(56, 1);
    public static final Field TRAP_SERVICE_LEVEL = Field.of(57, 7, 4);
    public static final Field TRAP_FLOW_LABEL = Field.of(57, 3, 20);
    public static final Field TRAP_LID = Field.bytes(60, 2);
    public static final Field TRAP_PKEY = Field.bytes(62, 2);
    public static final Field TRAP_HOP_LIMIT = Field.bytes(64, 1);
    public static final Field TRAP_QUEUE_PAIR = Field.bytes(65, 3);
    public static final Field TRAP_QKEY = Field.bytes(68, 4);

    private ClassPortInfo() {}
}
