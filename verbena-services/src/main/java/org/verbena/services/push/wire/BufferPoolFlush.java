package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/** BufferPoolFlushRequest, a header and pool references, and BufferPoolFlushReply, a header. */
public final class BufferPoolFlush {
    /** Bytes of a reply. */
    public static final int REPLY_LENGTH = MessageHeader.LENGTH;

    /** Bytes of a reference. */
    static final int PART = 4;

    private BufferPoolFlush() {}

    /** Bytes of a request with this many references. */
    public static int requestLength(int references) {
        return MessageHeader.LENGTH + references * PART;
    }

    /** Number of references in a request of this length. */
    public static int references(int requestLength) {
        return (requestLength - MessageHeader.LENGTH) / PART;
    }

    /** Reference {@code index} of the request at {@code at}. */
    public static int reference(MemorySegment segment, long at, int index) {
        return BigEndian.readInt(segment, part(at, index));
    }

    /** Writes the header of a request at {@code at}. */
    public static void writeRequest(MemorySegment segment, long at, int version, long context) {
        MessageHeader.write(segment, at, MessageFunction.BUFFER_POOL_FLUSH_REQUEST, version, context);
    }

    /** Writes reference {@code index} of the request at {@code at}. */
    public static void writeReference(MemorySegment segment, long at, int index, int reference) {
        BigEndian.writeInt(segment, part(at, index), reference);
    }

    /** Writes a reply at {@code at}. */
    public static void writeReply(MemorySegment segment, long at, int version, long context) {
        MessageHeader.write(segment, at, MessageFunction.BUFFER_POOL_FLUSH_REPLY, version, context);
    }

    private static long part(long at, int index) {
        return at + MessageHeader.LENGTH + (long) index * PART;
    }
}
