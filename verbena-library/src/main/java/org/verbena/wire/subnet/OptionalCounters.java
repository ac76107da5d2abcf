package org.verbena.wire.subnet;

/** Attributes of performance management that a port need not have. Those with fields here have {@link CounterBlock}'s selects at the same bytes. */
public final class OptionalCounters {
    /** Why packets were received with errors. */
    public static final int RECEIVE_ERROR_DETAILS = 0x0015;
    /** Why packets were discarded instead of sent. */
    public static final int TRANSMIT_DISCARD_DETAILS = 0x0016;
    /** Packets and data of one opcode. */
    public static final int OPCODE_RECEIVED = 0x0017;
    /** Packets of flow control. */
    public static final int FLOW_CONTROL = 0x0018;
    /** Packets of one opcode by lane. */
    public static final int LANE_OPCODE_PACKETS = 0x0019;
    /** Data of one opcode by lane. */
    public static final int LANE_OPCODE_DATA = 0x001a;
    /** Errors of flow control by lane. */
    public static final int LANE_FLOW_CONTROL_ERRORS = 0x001b;
    /** Waiting by lane. */
    public static final int LANE_TRANSMIT_WAIT = 0x001c;
    /** Errors of links with extended speeds. */
    public static final int EXTENDED_SPEEDS = 0x001f;

    /** Of {@link #RECEIVE_ERROR_DETAILS}. */
    public static final Field LOCAL_PHYSICAL_ERRORS = Field.bytes(4, 2);
    /** Of {@link #RECEIVE_ERROR_DETAILS}. */
    public static final Field MALFORMED_PACKETS = Field.bytes(6, 2);
    /** Of {@link #RECEIVE_ERROR_DETAILS}. */
    public static final Field BUFFER_OVERRUNS = Field.bytes(8, 2);
    /** Of {@link #RECEIVE_ERROR_DETAILS}: the linear table has no port for a packet. */
    public static final Field LID_MAPPING_ERRORS = Field.bytes(10, 2);
    /** Of {@link #RECEIVE_ERROR_DETAILS}: a service level has no lane. */
    public static final Field LANE_MAPPING_ERRORS = Field.bytes(12, 2);
    /** Of {@link #RECEIVE_ERROR_DETAILS}: a packet would leave by the port that it came in by. */
    public static final Field LOOPING_ERRORS = Field.bytes(14, 2);

    /** Of {@link #TRANSMIT_DISCARD_DETAILS}: the port is not active. */
    public static final Field INACTIVE_DISCARDS = Field.bytes(4, 2);
    /** Of {@link #TRANSMIT_DISCARD_DETAILS}: the packet is longer than the link's MTU. */
    public static final Field MTU_DISCARDS = Field.bytes(6, 2);
    /** Of {@link #TRANSMIT_DISCARD_DETAILS}: the packet was in the switch for too long. */
    public static final Field LIFE_TIME_DISCARDS = Field.bytes(8, 2);
    /** Of {@link #TRANSMIT_DISCARD_DETAILS}: the packet was at the head of its lane for too long. */
    public static final Field HEAD_OF_QUEUE_DISCARDS = Field.bytes(10, 2);

    private OptionalCounters() {}
}
