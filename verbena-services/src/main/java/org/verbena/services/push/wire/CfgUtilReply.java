package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/** A CfgUtilReply message: a header, a status, the number of bytes of data, and the data. */
public final class CfgUtilReply {
    /** Where the data begin in a message. */
    public static final int DATA = MessageHeader.LENGTH + 8;

    static final int SIZE = MessageHeader.LENGTH + 4;

    private static final int STATUS = MessageHeader.LENGTH;

    private CfgUtilReply() {}

    /** Bytes of a message with this many bytes of data. */
    public static int messageLength(int size) {
        return DATA + size;
    }

    /** Writes the message at {@code at} but for its data, which belong at {@code at + DATA}. */
    public static void write(MemorySegment segment, long at, int version, long context, int status, int size) {
        MessageHeader.write(segment, at, MessageFunction.CFG_UTIL_REPLY, version, context);
        BigEndian.writeInt(segment, at + STATUS, status);
        BigEndian.writeInt(segment, at + SIZE, size);
    }

    /** 0 for success; other values as the operation defines. */
    public static int status(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + STATUS);
    }

    /** Bytes of data. */
    public static int size(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SIZE);
    }
}
