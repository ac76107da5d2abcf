package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;

/**
 * The private data of the reply to a connect request that has a {@link Hello}.
 *
 * @param version that both ends use from now on, 16 bits
 * @param messageBytesMax bytes of a message that the sender of the reply takes at most
 * @param cookie of the service connection
 * @param queuePair number of the sender's queue pair of an unconnected data channel; else 0
 * @param qkey its Q_Key; else 0
 * @param port UDP port of the sender's adapter, for an unconnected data channel; else 0
 */
public record HelloReply(int version, int messageBytesMax, long cookie, int queuePair, int qkey, int port) {
    /** Bytes on the wire. */
    public static final int LENGTH = 28;

    private static final int VERSION_AT = 4;
    private static final int PORT_AT = 6;
    private static final int MESSAGE_BYTES_MAX_AT = 8;
    private static final int COOKIE_AT = 12;
    private static final int QUEUE_PAIR_AT = 20;
    private static final int QKEY_AT = 24;

    /**
     * Judges received private data, which may be longer than a reply.
     *
     * @return null if {@link #read} can read them, and this code speaks the version
     */
    public static @Nullable Refusal judge(PrivateData data) {
        if (data.length() < LENGTH) {
            return Refusal.TOO_SHORT;
        }
        MemorySegment bytes = MemorySegment.ofArray(data.bytes());
        if (BigEndian.readInt(bytes, 0) != Hello.MARK) {
            return Refusal.WRONG_MARK;
        }
        HelloReply reply = read(bytes, 0);
        if (Hello.negotiate(reply.version, reply.version) == 0) {
            return Refusal.NO_COMMON_VERSION;
        }
        return reply.messageBytesMax >= Hello.MESSAGE_BYTES_MIN ? null : Refusal.BAD_HELLO;
    }

    /** Reads private data that {@link #judge} accepts. */
    public static HelloReply read(PrivateData data) {
        return read(MemorySegment.ofArray(data.bytes()), 0);
    }

    /** Reads the reply at {@code at}. */
    static HelloReply read(MemorySegment segment, long at) {
        return new HelloReply(
                BigEndian.readShort(segment, at + VERSION_AT),
                BigEndian.readInt(segment, at + MESSAGE_BYTES_MAX_AT),
                BigEndian.readLong(segment, at + COOKIE_AT),
                BigEndian.readInt(segment, at + QUEUE_PAIR_AT),
                BigEndian.readInt(segment, at + QKEY_AT),
                BigEndian.readShort(segment, at + PORT_AT));
    }

    /** Writes the reply at {@code at}. */
    void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, Hello.MARK);
        BigEndian.writeShort(segment, at + VERSION_AT, version);
        BigEndian.writeShort(segment, at + PORT_AT, port);
        BigEndian.writeInt(segment, at + MESSAGE_BYTES_MAX_AT, messageBytesMax);
        BigEndian.writeLong(segment, at + COOKIE_AT, cookie);
        BigEndian.writeInt(segment, at + QUEUE_PAIR_AT, queuePair);
        BigEndian.writeInt(segment, at + QKEY_AT, qkey);
    }

    /** The reply as private data. */
    public PrivateData privateData() {
        byte[] bytes = new byte[LENGTH];
        write(MemorySegment.ofArray(bytes), 0);
        return PrivateData.of(bytes);
    }
}
