package org.verbena.wire.subnet;

/** A notice of an event, the content of traps. Fields with a trap's number are those of its details. */
public final class Notice {
    public static final int ATTRIBUTE = 0x0002;
    /** Bytes of the attribute in a packet of subnet management. */
    public static final int LENGTH = 64;
    /** First byte of the details. */
    public static final int DETAILS = 10;

    public static final int TYPE_FATAL = 0;
    public static final int TYPE_URGENT = 1;
    public static final int TYPE_SECURITY = 2;
    public static final int TYPE_SUBNET_MANAGEMENT = 3;
    public static final int TYPE_INFORMATIONAL = 4;
    /** There is no notice. */
    public static final int TYPE_EMPTY = 0x7f;

    /** From the subnet manager: a GID is in service. */
    public static final int GID_IN_SERVICE = 64;
    /** From the subnet manager: a GID is out of service. */
    public static final int GID_OUT_OF_SERVICE = 65;
    /** From the subnet manager: a multicast group was created. */
    public static final int GROUP_CREATED = 66;
    /** From the subnet manager: a multicast group was deleted. */
    public static final int GROUP_DELETED = 67;
    /** From the subnet manager: paths are no longer valid. */
    public static final int UNPATH = 68;
    /** From the subnet manager: paths are valid again. */
    public static final int REPATH = 69;
    /** The state of a link of a switch has changed. */
    public static final int LINK_STATE = 128;
    /** Too many errors of a link. */
    public static final int LINK_INTEGRITY = 129;
    /** Too many overruns of a buffer. */
    public static final int BUFFER_OVERRUN = 130;
    /** No credits came for too long. */
    public static final int FLOW_CONTROL = 131;
    /** The capability mask or another local setting has changed. */
    public static final int CAPABILITY_CHANGE = 144;
    /** The system image GUID has changed. */
    public static final int SYSTEM_IMAGE_CHANGE = 145;
    /** A packet had a wrong management key. */
    public static final int BAD_MANAGEMENT_KEY = 256;
    /** A packet had a wrong partition key. */
    public static final int BAD_PARTITION_KEY = 257;
    /** A packet had a wrong queue key. */
    public static final int BAD_QUEUE_KEY = 258;
    /** A packet at a switch had a wrong partition key. */
    public static final int BAD_SWITCH_PARTITION_KEY = 259;

    public static final Field IS_GENERIC = Field.of(0, 7, 1);
    public static final Field TYPE = Field.of(0, 6, 7);
    /** 1 channel adapter, 2 switch, 3 router, 4 class manager. */
    public static final Field PRODUCER = Field.bytes(1, 3);

    public static final Field TRAP_NUMBER = Field.bytes(4, 2);
    public static final Field ISSUER_LID = Field.bytes(6, 2);
    public static final Field TOGGLE = Field.of(8, 7, 1);
    public static final Field COUNT = Field.of(8, 6, 15);

    /** Of traps 64 – 67: the GID. */
    public static final LongField GID_HIGH = new LongField(16);
    /** Of traps 64 – 67: the GID's low half. */
    public static final LongField GID_LOW = new LongField(24);

    /** Of trap 128: the switch. */
    public static final Field LINK_STATE_LID = Field.bytes(10, 2);

    /** Of traps 129 – 131, 144, 145, 256: the node; of 257 – 259: the packet's source. */
    public static final Field LID = Field.bytes(12, 2);
    /** Of traps 129 – 131: the port. */
    public static final Field PORT = Field.bytes(14, 1);

    /** Of trap 144: other settings than the mask have changed. */
    public static final Field OTHER_CHANGES = Field.of(15, 0, 1);
    /** Of trap 144. */
    public static final Field CAPABILITY_MASK = Field.bytes(16, 4);
    /** Of trap 144: bit 5 mask 2, 3 the manager's priority, 2 speed, 1 width, 0 description. */
    public static final Field CHANGES = Field.bytes(20, 2);
    /** Of trap 144. */
    public static final Field CAPABILITY_MASK_2 = Field.bytes(22, 2);

    /** Of trap 145. */
    public static final LongField SYSTEM_IMAGE_GUID = new LongField(16);

    /** Of trap 256: the source in a directed route. */
    public static final Field ROUTE_SOURCE_LID = Field.bytes(14, 2);
    /** Of trap 256. */
    public static final Field METHOD = Field.bytes(16, 1);
    /** Of trap 256. */
    public static final Field PACKET_ATTRIBUTE = Field.bytes(18, 2);
    /** Of trap 256. */
    public static final Field PACKET_MODIFIER = Field.bytes(20, 4);
    /** Of trap 256. */
    public static final LongField MANAGEMENT_KEY = new LongField(24);
    /** Of trap 256: the packet was a directed one. */
    public static final Field IS_DIRECTED = Field.of(33, 7, 1);
    /** Of trap 256: the return path is longer than {@link #RETURN_PATH_MAX}. */
    public static final Field IS_PATH_CUT = Field.of(33, 6, 1);
    /** Of trap 256: hops of the return path. */
    public static final Field HOPS = Field.of(33, 5, 6);
    /** Of trap 256: first byte of the return path. */
    public static final int RETURN_PATH = 34;
    /** Of trap 256: most hops of the return path. */
    public static final int RETURN_PATH_MAX = 30;

    /** Of traps 257 – 259: the packet's target. */
    public static final Field TARGET_LID = Field.bytes(14, 2);
    /** Of traps 257 and 258. */
    public static final Field KEY = Field.bytes(16, 4);
    /** Of traps 257 and 258. */
    public static final Field SERVICE_LEVEL = Field.of(20, 7, 4);
    /** Of traps 257 and 258. */
    public static final Field SOURCE_QUEUE_PAIR = Field.bytes(21, 3);
    /** Of traps 257 and 258. */
    public static final Field TARGET_QUEUE_PAIR = Field.bytes(25, 3);
    /** Of traps 257 and 258: first byte of the source's GID; the target's follows. */
    public static final int GIDS = 28;

    /** Of trap 259: which of the details are valid. */
    public static final Field VALID = Field.bytes(10, 2);
    /** Of trap 259. */
    public static final Field SWITCH_KEY = Field.bytes(16, 2);
    /** Of trap 259. */
    public static final Field SWITCH_SERVICE_LEVEL = Field.of(18, 7, 4);
    /** Of trap 259. */
    public static final Field SWITCH_SOURCE_QUEUE_PAIR = Field.bytes(19, 3);
    /** Of trap 259. */
    public static final Field SWITCH_TARGET_QUEUE_PAIR = Field.bytes(23, 3);
    /** Of trap 259: first byte of the source's GID; the target's follows. */
    public static final int SWITCH_GIDS = 26;
    /** Of trap 259: the switch. */
    public static final Field SWITCH_LID = Field.bytes(58, 2);
    /** Of trap 259: its port. */
    public static final Field SWITCH_PORT = Field.bytes(60, 1);

    private Notice() {}
}
