package org.verbena.wire.subnet;

/** The counters of a port as 4 to 32 bits: PortCounters of the specification. All stay at their highest value. */
public final class CounterBlock {
    public static final int ATTRIBUTE = 0x0012;
    /** Bytes of the attribute. */
    public static final int LENGTH = 44;
    /** Class of performance management. */
    public static final int CLASS = 0x04;
    /** The version of the class. */
    public static final int VERSION = 1;
    /** First byte of an attribute of the class. */
    public static final int DATA = 64;
    /** The port that selects all ports. */
    public static final int ALL_PORTS = 0xff;

    public static final Field PORT_SELECT = Field.bytes(1, 1);
    /** Of a Set: the counters that become 0. Bit 0 is the first counter, in the order of the fields. */
    public static final Field COUNTER_SELECT = Field.bytes(2, 2);

    public static final Field SYMBOL_ERRORS = Field.bytes(4, 2);
    public static final Field LINK_ERROR_RECOVERIES = Field.bytes(6, 1);
    public static final Field LINK_DOWNED = Field.bytes(7, 1);
    public static final Field RECEIVE_ERRORS = Field.bytes(8, 2);
    public static final Field RECEIVE_REMOTE_PHYSICAL_ERRORS = Field.bytes(10, 2);
    public static final Field RECEIVE_SWITCH_RELAY_ERRORS = Field.bytes(12, 2);
    public static final Field TRANSMIT_DISCARDS = Field.bytes(14, 2);
    public static final Field TRANSMIT_CONSTRAINT_ERRORS = Field.bytes(16, 1);
    public static final Field RECEIVE_CONSTRAINT_ERRORS = Field.bytes(17, 1);
    /** Of a Set: bit 0 is {@link #TRANSMIT_WAIT}. */
    public static final Field COUNTER_SELECT_2 = Field.bytes(18, 1);

    public static final Field LOCAL_LINK_INTEGRITY_ERRORS = Field.of(19, 7, 4);
    public static final Field EXCESSIVE_BUFFER_OVERRUNS = Field.of(19, 3, 4);
    public static final Field LANE_15_DROPPED = Field.bytes(22, 2);
    public static final Field TRANSMITTED_WORDS = Field.bytes(24, 4);
    public static final Field RECEIVED_WORDS = Field.bytes(28, 4);
    public static final Field TRANSMITTED_PACKETS = Field.bytes(32, 4);
    public static final Field RECEIVED_PACKETS = Field.bytes(36, 4);
    public static final Field TRANSMIT_WAIT = Field.bytes(40, 4);

    private CounterBlock() {}
}
