package org.verbena.wire.ip;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * IPv6 header (RFC 8200).
 *
 * @param trafficClass DSCP and ECN, 8 bits
 * @param flowLabel 20 bits
 * @param payloadLength bytes after this header
 * @param nextHeader protocol of the payload: {@link Udp#PROTOCOL}, or any other
 * @param hopLimit 8 bits
 * @param sourceHigh upper half of the source address
 * @param sourceLow lower half of the source address
 * @param targetHigh upper half of the target address
 * @param targetLow lower half of the target address
 */
public record Ipv6(
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

    private static final int VERSION = 6 << 28;
    private static final int FLOW_LABEL_MASK = 0xf_ffff;

    /** Reads the header at {@code at}. */
    public static Ipv6 read(MemorySegment segment, long at) {
        int first = BigEndian.readInt(segment, at);
        return new Ipv6(
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

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, VERSION | (trafficClass & 0xff) << 20 | (flowLabel & FLOW_LABEL_MASK));
        BigEndian.writeShort(segment, at + 4, payloadLength);
        BigEndian.writeByte(segment, at + 6, nextHeader);
        BigEndian.writeByte(segment, at + 7, hopLimit);
        BigEndian.writeLong(segment, at + 8, sourceHigh);
        BigEndian.writeLong(segment, at + 16, sourceLow);
        BigEndian.writeLong(segment, at + 24, targetHigh);
        BigEndian.writeLong(segment, at + 32, targetLow);
    }

    /** Version of the protocol; 6 for IPv6. */
    public static int version(MemorySegment segment, long at) {
        return BigEndian.readByte(segment, at) >>> 4;
    }
}
