package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Global route header: how a packet finds its way between subnets; the layout of an IPv6 header (specification 8.3).
 *
 * @param version 4 bits; always 6
 * @param trafficClass 8 bits
 * @param flowLabel 20 bits
 * @param payloadLength bytes after this header up to and with the invariant CRC
 * @param nextHeader {@link #NEXT_BTH}, or raw
 * @param hopLimit routers the packet may still pass
 * @param sourceHigh upper half of the source GID
 * @param sourceLow lower half of the source GID
 * @param targetHigh upper half of the target GID
 * @param targetLow lower half of the target GID
 */
public record Grh(
        int version,
        int trafficClass,
        int flowLabel,
        int payloadLength,
        int nextHeader,
        int hopLimit,
        long sourceHigh,
        long sourceLow,
        long targetHigh,
        long targetLow) {
    /** Bytes on the wire. */
    public static final int LENGTH = 40;

    /** A {@link Bth} follows. */
    public static final int NEXT_BTH = 0x1b;

    private static final int VERSION = 6;
    private static final int FLOW_LABEL_MASK = 0xf_ffff;

    /** Reads the header at {@code at}. */
    public static Grh read(MemorySegment segment, long at) {
        int first = BigEndian.readInt(segment, at);
        return new Grh(
                first >>> 28,
                (first >>> 20) & 0xff,
                first & FLOW_LABEL_MASK,
                BigEndian.readShort(segment, at + 4),
                BigEndian.readByte(segment, at + 6),
                BigEndian.readByte(segment, at + 7),
                BigEndian.readLong(segment, at + 8),
                BigEndian.readLong(segment, at + 16),
                BigEndian.readLong(segment, at + 24),
                BigEndian.readLong(segment, at + 32));
    }

    /** Writes a header that a {@link Bth} follows, without an object. */
    public static void write(
            MemorySegment segment,
            long at,
            int trafficClass,
            int flowLabel,
            int payloadLength,
            int hopLimit,
            long sourceHigh,
            long sourceLow,
            long targetHigh,
            long targetLow) {
        BigEndian.writeInt(segment, at, VERSION << 28 | (trafficClass & 0xff) << 20 | (flowLabel & FLOW_LABEL_MASK));
        BigEndian.writeInt(segment, at + 4, payloadLength << 16 | NEXT_BTH << 8 | (hopLimit & 0xff));
        BigEndian.writeLong(segment, at + 8, sourceHigh);
        BigEndian.writeLong(segment, at + 16, sourceLow);
        BigEndian.writeLong(segment, at + 24, targetHigh);
        BigEndian.writeLong(segment, at + 32, targetLow);
    }

    /** Traffic class of the header at {@code at}. */
    public static int trafficClass(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at) >>> 20 & 0xff;
    }

    /** Upper half of the source GID of the header at {@code at}. */
    public static long sourceHigh(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + 8);
    }

    /** Lower half of the source GID of the header at {@code at}. */
    public static long sourceLow(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + 16);
    }

    /** Upper half of the target GID of the header at {@code at}. */
    public static long targetHigh(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + 24);
    }

    /** Lower half of the target GID of the header at {@code at}. */
    public static long targetLow(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + 32);
    }

    /** Hop limit of the header at {@code at}. */
    public static int hopLimit(MemorySegment segment, long at) {
        return BigEndian.readByte(segment, at + 7);
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        int first = version << 28 | (trafficClass & 0xff) << 20 | (flowLabel & FLOW_LABEL_MASK);
        BigEndian.writeInt(segment, at, first);
        BigEndian.writeShort(segment, at + 4, payloadLength);
        BigEndian.writeByte(segment, at + 6, nextHeader);
        BigEndian.writeByte(segment, at + 7, hopLimit);
        BigEndian.writeLong(segment, at + 8, sourceHigh);
        BigEndian.writeLong(segment, at + 16, sourceLow);
        BigEndian.writeLong(segment, at + 24, targetHigh);
        BigEndian.writeLong(segment, at + 32, targetLow);
    }
}
