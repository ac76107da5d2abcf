package org.verbena.wire.subnet;

/** A path between two ports, a record of subnet administration. Constants with MASK are bits of the component mask. */
public final class PathRecord {
    public static final int ATTRIBUTE = 0x0035;
    /** Bytes of the record. */
    public static final int LENGTH = 64;

    public static final long MASK_TARGET_GID = 1L << 2;
    public static final long MASK_SOURCE_GID = 1L << 3;
    public static final long MASK_TARGET_LID = 1L << 4;
    public static final long MASK_SOURCE_LID = 1L << 5;
    public static final long MASK_REVERSIBLE = 1L << 11;
    public static final long MASK_PATHS = 1L << 12;
    public static final long MASK_PKEY = 1L << 13;
    public static final long MASK_SERVICE_LEVEL = 1L << 15;
    public static final long MASK_MTU_SELECTOR = 1L << 16;
    public static final long MASK_MTU = 1L << 17;
    public static final long MASK_RATE_SELECTOR = 1L << 18;
    public static final long MASK_RATE = 1L << 19;

    /** Selector: more than the value. */
    public static final int SELECT_GREATER = 0;
    /** Selector: less than the value. */
    public static final int SELECT_LESS = 1;
    /** Selector: exactly the value. */
    public static final int SELECT_EXACT = 2;
    /** Selector: the most there is. */
    public static final int SELECT_MOST = 3;

    /** First byte of the target's GID. */
    public static final int TARGET_GID = 8;
    /** First byte of the source's GID. */
    public static final int SOURCE_GID = 24;

    public static final Field TARGET_LID = Field.bytes(40, 2);
    public static final Field SOURCE_LID = Field.bytes(42, 2);
    public static final Field FLOW_LABEL = Field.of(44, 3, 20);
    public static final Field HOP_LIMIT = Field.bytes(47, 1);
    public static final Field TRAFFIC_CLASS = Field.bytes(48, 1);
    public static final Field REVERSIBLE = Field.of(49, 7, 1);
    /** In a request: most paths of the answer. */
    public static final Field PATHS = Field.of(49, 6, 7);

    public static final Field PKEY = Field.bytes(50, 2);
    public static final Field SERVICE_LEVEL = Field.of(53, 3, 4);
    public static final Field MTU_SELECTOR = Field.of(54, 7, 2);
    /** Code of the MTU: 1 256 … 5 4096 bytes. */
    public static final Field MTU = Field.of(54, 5, 6);

    public static final Field RATE_SELECTOR = Field.of(55, 7, 2);
    /** Code of the rate, see {@link SaRate}. */
    public static final Field RATE = Field.of(55, 5, 6);

    public static final Field LIFE_TIME_SELECTOR = Field.of(56, 7, 2);
    /** 4.096 µs × 2^n. */
    public static final Field LIFE_TIME = Field.of(56, 5, 6);

    public static final Field PREFERENCE = Field.bytes(57, 1);

    private PathRecord() {}
}
