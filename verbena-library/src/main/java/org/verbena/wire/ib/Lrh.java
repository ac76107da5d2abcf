package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Local route header: how a packet finds its way through one subnet (specification 7.7). RoCEv2 has none.
 *
 * @param virtualLane the packet is on, 4 bits
 * @param version of the link, 4 bits
 * @param serviceLevel 4 bits
 * @param nextHeader kind of the following header, 2 bits: {@link #NEXT_BTH}, {@link #NEXT_GRH} or {@link #NEXT_RAW}
 * @param destinationLid where the packet goes
 * @param packetWords its length in words of four bytes, from here to before the variant CRC, 11 bits
 * @param sourceLid of the port that sent the packet
 */
public record Lrh(
        int virtualLane,
        int version,
        int serviceLevel,
        int nextHeader,
        int destinationLid,
        int packetWords,
        int sourceLid) {
    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    /** A raw header with an EtherType follows. */
    public static final int NEXT_RAW = 0;
    /** A {@link Bth} follows. */
    public static final int NEXT_BTH = 2;
    /** A {@link Grh} follows, and then a {@link Bth}. */
    public static final int NEXT_GRH = 3;

    private static final int PACKET_WORDS_MASK = 0x7ff;

    /** Reads the header at {@code at}. */
    public static Lrh read(MemorySegment segment, long at) {
        int first = BigEndian.readByte(segment, at);
        int second = BigEndian.readByte(segment, at + 1);
        return new Lrh(
                first >>> 4,
                first & 0xf,
                second >>> 4,
                second & 3,
                BigEndian.readShort(segment, at + 2),
                BigEndian.readShort(segment, at + 4) & PACKET_WORDS_MASK,
                BigEndian.readShort(segment, at + 6));
    }

    /** Writes a header on lane 0, without an object. */
    public static void write(
            MemorySegment segment,
            long at,
            int serviceLevel,
            int nextHeader,
            int destinationLid,
            int packetWords,
            int sourceLid) {
        BigEndian.writeShort(segment, at, serviceLevel << 4 | (nextHeader & 3));
        BigEndian.writeShort(segment, at + 2, destinationLid);
        BigEndian.writeShort(segment, at + 4, packetWords & PACKET_WORDS_MASK);
        BigEndian.writeShort(segment, at + 6, sourceLid);
    }

    /** Kind of the header that follows the one at {@code at}. */
    public static int nextHeader(MemorySegment segment, long at) {
        return BigEndian.readByte(segment, at + 1) & 3;
    }

    /** Destination of the header at {@code at}. */
    public static int destinationLid(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + 2);
    }

    /** Source of the header at {@code at}. */
    public static int sourceLid(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + 6);
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeByte(segment, at, virtualLane << 4 | (version & 0xf));
        BigEndian.writeByte(segment, at + 1, serviceLevel << 4 | (nextHeader & 3));
        BigEndian.writeShort(segment, at + 2, destinationLid);
        BigEndian.writeShort(segment, at + 4, packetWords & PACKET_WORDS_MASK);
        BigEndian.writeShort(segment, at + 6, sourceLid);
    }
}
