package org.verbena.wire.subnet;

/** A member of a multicast group, a record of subnet administration. Constants with MASK are bits of the component mask. */
public final class McMemberRecord {
    public static final int ATTRIBUTE = 0x0038;
    /** Bytes of the record. */
    public static final int LENGTH = 52;
    /** Bytes from one record to the next. */
    public static final int OFFSET = 56;

    public static final long MASK_GROUP_GID = 1L;
    public static final long MASK_PORT_GID = 1L << 1;
    public static final long MASK_QKEY = 1L << 2;
    public static final long MASK_LID = 1L << 3;
    public static final long MASK_MTU_SELECTOR = 1L << 4;
    public static final long MASK_MTU = 1L << 5;
    public static final long MASK_TRAFFIC_CLASS = 1L << 6;
    public static final long MASK_PKEY = 1L << 7;
    public static final long MASK_RATE_SELECTOR = 1L << 8;
    public static final long MASK_RATE = 1L << 9;
    public static final long MASK_SERVICE_LEVEL = 1L << 12;
    public static final long MASK_FLOW_LABEL = 1L << 13;
    public static final long MASK_SCOPE = 1L << 15;
    public static final long MASK_JOIN_STATE = 1L << 16;
    /** What a join of a group that exists needs. */
    public static final long MASK_JOIN = MASK_GROUP_GID | MASK_PORT_GID | MASK_JOIN_STATE;
    /** What a join that may create the group needs. */
    public static final long MASK_CREATE =
            MASK_JOIN | MASK_QKEY | MASK_TRAFFIC_CLASS | MASK_PKEY | MASK_SERVICE_LEVEL | MASK_FLOW_LABEL;

    /** Join state: sends and receives. */
    public static final int FULL_MEMBER = 1;
    /** Join state: receives while there is a full member. */
    public static final int NON_MEMBER = 2;
    /** Join state: only sends. */
    public static final int SEND_ONLY = 4;

    /** First byte of the group's GID. */
    public static final int GROUP_GID = 0;
    /** First byte of the port's GID. */
    public static final int PORT_GID = 16;

    public static final Field QKEY = Field.bytes(32, 4);
    public static final Field LID = Field.bytes(36, 2);
    public static final Field MTU_SELECTOR = Field.of(38, 7, 2);
    /** Code of the MTU: 1 256 … 5 4096 bytes. */
    public static final Field MTU = Field.of(38, 5, 6);

    public static final Field TRAFFIC_CLASS = Field.bytes(39, 1);
    public static final Field PKEY = Field.bytes(40, 2);
    public static final Field RATE_SELECTOR = Field.of(42, 7, 2);
    /** Code of the rate, see {@link SaRate}. */
    public static final Field RATE = Field.of(42, 5, 6);

    public static final Field LIFE_TIME_SELECTOR = Field.of(43, 7, 2);
    /** 4.096 µs × 2^n. */
    public static final Field LIFE_TIME = Field.of(43, 5, 6);

    public static final Field SERVICE_LEVEL = Field.of(44, 7, 4);
    public static final Field FLOW_LABEL = Field.of(44, 3, 20);
    public static final Field HOP_LIMIT = Field.bytes(47, 1);
    public static final Field SCOPE = Field.of(48, 7, 4);
    public static final Field JOIN_STATE = Field.of(48, 3, 4);

    private McMemberRecord() {}
}
