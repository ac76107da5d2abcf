package org.verbena.wire.subnet;

/** The counters of traffic of a port as 64 bits: PortCountersExtended of the specification. */
public final class ExtendedCounterBlock {
    public static final int ATTRIBUTE = 0x001d;
    /** Bytes of the attribute. */
    public static final int LENGTH = 72;

    public static final Field PORT_SELECT = Field.bytes(1, 1);
    /** Of a Set: the counters that become 0. Bit 0 is the first counter, in the order of the fields. */
    public static final Field COUNTER_SELECT = Field.bytes(2, 2);

    public static final LongField TRANSMITTED_WORDS = new LongField(8);
    public static final LongField RECEIVED_WORDS = new LongField(16);
    public static final LongField TRANSMITTED_PACKETS = new LongField(24);
    public static final LongField RECEIVED_PACKETS = new LongField(32);
    public static final LongField TRANSMITTED_UNICASTS = new LongField(40);
    public static final LongField RECEIVED_UNICASTS = new LongField(48);
    public static final LongField TRANSMITTED_MULTICASTS = new LongField(56);
    public static final LongField RECEIVED_MULTICASTS = new LongField(64);

    private ExtendedCounterBlock() {}
}
