package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/** The first bytes of every message. */
public final class MessageHeader {
    /** Bytes on the wire. */
    public static final int LENGTH = 12;

    private static final int VERSION = 2;
    private static final int CONTEXT = 4;

    private MessageHeader() {}

    /** Writes a header at {@code at}. */
    public static void write(MemorySegment segment, long at, MessageFunction function, int version, long context) {
        BigEndian.writeShort(segment, at, function.code());
        BigEndian.writeShort(segment, at + VERSION, version);
        BigEndian.writeLong(segment, at + CONTEXT, context);
    }

    /** Code of the {@link MessageFunction}, 0 … 65,535. */
    public static int function(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at);
    }

    /** Version of the protocol, 0 … 65,535. */
    public static int version(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + VERSION);
    }

    /** Transaction context: of the sender's choice in a request, that of the request in a reply. */
    public static long context(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + CONTEXT);
    }
}
