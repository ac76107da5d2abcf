package org.verbena.wire.subnet;

/** Records of subnet administration that hold an attribute of subnet management: NodeRecord and PortInfoRecord. */
public final class SaRecords {
    /** Attribute NodeRecord. */
    public static final int NODE = 0x0011;
    /** Attribute PortInfoRecord. */
    public static final int PORT = 0x0012;

    /** Component of both: the local identifier. */
    public static final long MASK_LID = 1L;
    /** Component of PortInfoRecord: the port. */
    public static final long MASK_PORT = 1L << 1;

    /** Bytes from one NodeRecord to the next. */
    public static final int NODE_LENGTH = 112;
    /** First byte of NodeInfo in a NodeRecord. */
    public static final int NODE_IDENTITY = 4;
    /** First byte of NodeDescription in a NodeRecord. */
    public static final int NODE_DESCRIPTION = 44;
    /** Bytes from one PortInfoRecord to the next. */
    public static final int PORT_LENGTH = 72;
    /** First byte of PortInfo in a PortInfoRecord. */
    public static final int PORT_REGISTERS = 4;

    public static final Field LID = Field.bytes(0, 2);
    /** Of a PortInfoRecord. */
    public static final Field PORT_NUMBER = Field.bytes(2, 1);

    private SaRecords() {}
}
