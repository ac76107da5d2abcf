package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/** A CfgUtilRequest message: a header, an operation, the number of bytes of data, and the data. */
public final class CfgUtilRequest {
    /** Where the data begin in a message. */
    public static final int DATA = MessageHeader.LENGTH + 8;

    /** Operation of the layer: the reply has the same data. */
    public static final int ECHO = 0;
    /** The first operation, unsigned, that the layer's user defines. */
    public static final int OPERATION_FIRST = 0x100;

    static final int SIZE = MessageHeader.LENGTH + 4;

    private static final int OPERATION = MessageHeader.LENGTH;

    private CfgUtilRequest() {}

    /** Bytes of a message with this many bytes of data. */
    public static int messageLength(int size) {
        return DATA + size;
    }

    /** Writes the message at {@code at} but for its data, which belong at {@code at + DATA}. */
    public static void write(MemorySegment segment, long at, int version, long context, int operation, int size) {
        MessageHeader.write(segment, at, MessageFunction.CFG_UTIL_REQUEST, version, context);
        BigEndian.writeInt(segment, at + OPERATION, operation);
        BigEndian.writeInt(segment, at + SIZE, size);
    }

    /** What is asked for. Codes below {@link #OPERATION_FIRST} belong to the layer, the others to its user. */
    public static int operation(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + OPERATION);
    }

    /** Bytes of data. */
    public static int size(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SIZE);
    }
}
