package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.BigEndian;

/**
 * Header of the frames that open a connection (RFC 5044, 7.1; RFC 6581, 6). Private data follow. In a frame with
 * {@link #enhanced} they begin with {@link MpaDepths}.
 *
 * @param reply whether the frame is the responder's reply; else it is the initiator's request
 * @param markers whether the sender of the frame wants markers in what it receives
 * @param crc whether the sender of the frame wants check sums
 * @param rejected whether the responder rejects the connection
 * @param enhanced whether the private data begin with {@link MpaDepths}; only in revision 2
 * @param revision 8 bits
 * @param privateDataLength bytes of private data, 16 bits; more than {@link #PRIVATE_DATA_MAX} are an error
 */
public record MpaHeader(
        boolean reply,
        boolean markers,
        boolean crc,
        boolean rejected,
        boolean enhanced,
        int revision,
        int privateDataLength) {
    /** Bytes on the wire. */
    public static final int LENGTH = 20;

    /** Bytes of private data that a frame may have, {@link MpaDepths} included. */
    public static final int PRIVATE_DATA_MAX = 512;

    /** Bytes of the longest frame. */
    public static final int FRAME_MAX = LENGTH + PRIVATE_DATA_MAX;

    /** Bytes of the key at the beginning. */
    public static final int KEY_LENGTH = 16;

    /** The revision of RFC 5044. */
    public static final int REVISION_1 = 1;

    /** The revision of RFC 6581. */
    public static final int REVISION_2 = 2;

    /** "MPA ID R", the first half of both keys. */
    private static final long KEY = 0x4d50_4120_4944_2052L;

    /** "eq Frame". */
    private static final long REQUEST = 0x6571_2046_7261_6d65L;

    /** "ep Frame". */
    private static final long REPLY = 0x6570_2046_7261_6d65L;

    private static final int KEY_END = 8;
    private static final int FLAGS = 16;
    private static final int MARKERS = 0x8000;
    private static final int CRC = 0x4000;
    private static final int REJECTED = 0x2000;
    private static final int ENHANCED = 0x1000;
    private static final int BYTES = 18;

    /** Reads the header at {@code at}; null if it does not begin with one of the two keys. */
    public static @Nullable MpaHeader read(MemorySegment segment, long at) {
        if (!isRequest(segment, at) && !isReply(segment, at)) {
            return null;
        }
        int flags = BigEndian.readShort(segment, at + FLAGS);
        return new MpaHeader(
                isReply(segment, at),
                (flags & MARKERS) != 0,
                (flags & CRC) != 0,
                (flags & REJECTED) != 0,
                (flags & ENHANCED) != 0,
                flags & 0xff,
                privateDataLength(segment, at));
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeLong(segment, at, KEY);
        BigEndian.writeLong(segment, at + KEY_END, reply ? REPLY : REQUEST);
        int flags = (markers ? MARKERS : 0)
                | (crc ? CRC : 0)
                | (rejected ? REJECTED : 0)
                | (enhanced ? ENHANCED : 0)
                | (revision & 0xff);
        BigEndian.writeShort(segment, at + FLAGS, flags);
        BigEndian.writeShort(segment, at + BYTES, privateDataLength);
    }

    /** Whether the 16 bytes at {@code at} are the key of a request. */
    public static boolean isRequest(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at) == KEY && BigEndian.readLong(segment, at + KEY_END) == REQUEST;
    }

    /** Whether the 16 bytes at {@code at} are the key of a reply. */
    public static boolean isReply(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at) == KEY && BigEndian.readLong(segment, at + KEY_END) == REPLY;
    }

    /** Bytes of private data, 0 … 65,535. */
    public static int privateDataLength(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + BYTES);
    }
}
