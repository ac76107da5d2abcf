package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/** A SendData message: a header, the number of bytes, and the bytes. */
public final class SendData {
    /** Where the data begin in a message. */
    public static final int DATA = MessageHeader.LENGTH + 4;

    static final int SIZE = MessageHeader.LENGTH;

    private SendData() {}

    /** Bytes of a message with this many bytes of data. */
    public static int messageLength(int size) {
        return DATA + size;
    }

    /** Writes the message at {@code at} but for its data, which belong at {@code at + DATA}. */
    public static void write(MemorySegment segment, long at, int version, long context, int size) {
        MessageHeader.write(segment, at, MessageFunction.SEND_DATA, version, context);
        BigEndian.writeInt(segment, at + SIZE, size);
    }

    /** Bytes of data. */
    public static int size(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SIZE);
    }
}
