package org.verbena.wire.subnet;

/** What a node is. */
public final class NodeInfo {
    public static final int ATTRIBUTE = 0x0011;
    /** Bytes of the attribute. */
    public static final int LENGTH = 40;

    public static final Field BASE_VERSION = Field.bytes(0, 1);
    public static final Field CLASS_VERSION = Field.bytes(1, 1);
    /** 1 channel adapter, 2 switch, 3 router. */
    public static final Field NODE_TYPE = Field.bytes(2, 1);
    /** Ports without port 0. */
    public static final Field PORTS = Field.bytes(3, 1);

    public static final LongField SYSTEM_IMAGE_GUID = new LongField(4);
    public static final LongField NODE_GUID = new LongField(12);
    /** Of the port that the packet came to; of a switch that of port 0. */
    public static final LongField PORT_GUID = new LongField(20);
    /** Entries of the partition table; of a switch those of port 0. */
    public static final Field PARTITION_CAP = Field.bytes(28, 2);

    public static final Field DEVICE_ID = Field.bytes(30, 2);
    public static final Field REVISION = Field.bytes(32, 4);
    /** The port that the packet came to. */
    public static final Field LOCAL_PORT = Field.bytes(36, 1);

    public static final Field VENDOR_ID = Field.bytes(37, 3);

    private NodeInfo() {}
}
