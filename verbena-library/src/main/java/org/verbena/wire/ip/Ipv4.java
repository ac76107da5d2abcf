package org.verbena.wire.ip;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * IPv4 header without options (RFC 791). The checksum is not a component: {@link #write} computes it.
 *
 * @param trafficClass DSCP and ECN, 8 bits
 * @param totalLength bytes of header and payload
 * @param identification 16 bits
 * @param fragment flags and fragment offset, 16 bits: {@link #DO_NOT_FRAGMENT}, or any other
 * @param timeToLive 8 bits
 * @param protocol of the payload: {@link Udp#PROTOCOL}, or any other
 * @param source address
 * @param target address
 */
public record Ipv4(
        int trafficClass,
        int totalLength,
        int identification,
        int fragment,
        int timeToLive,
        int protocol,
        int source,
        int target) {
    /** Bytes on the wire. */
    public static final int LENGTH = 20;

    /** Flag of a packet that may not be cut. */
    public static final int DO_NOT_FRAGMENT = 0x4000;

    private static final int VERSION_AND_WORDS = 0x45;
    private static final int CHECKSUM = 10;

    /** Reads the header at {@code at}; its options, if {@link #headerLength} tells of any, are not looked at. */
    public static Ipv4 read(MemorySegment segment, long at) {
        return new Ipv4(
                BigEndian.readByte(segment, at + 1),
                BigEndian.readShort(segment, at + 2),
                BigEndian.readShort(segment, at + 4),
                BigEndian.readShort(segment, at + 6),
                BigEndian.readByte(segment, at + 8),
                BigEndian.readByte(segment, at + 9),
                BigEndian.readInt(segment, at + 12),
                BigEndian.readInt(segment, at + 16));
    }

    /** Writes the header at {@code at}, with its checksum. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, trafficClass, totalLength, identification, fragment, timeToLive, protocol, source, target);
    }

    /** Writes a header of these components at {@code at}, with its checksum, and makes no object. */
    public static void write(
            MemorySegment segment,
            long at,
            int trafficClass,
            int totalLength,
            int identification,
            int fragment,
            int timeToLive,
            int protocol,
            int source,
            int target) {
        BigEndian.writeByte(segment, at, VERSION_AND_WORDS);
        BigEndian.writeByte(segment, at + 1, trafficClass);
        BigEndian.writeShort(segment, at + 2, totalLength);
        BigEndian.writeShort(segment, at + 4, identification);
        BigEndian.writeShort(segment, at + 6, fragment);
        BigEndian.writeByte(segment, at + 8, timeToLive);
        BigEndian.writeByte(segment, at + 9, protocol);
        BigEndian.writeShort(segment, at + CHECKSUM, 0);
        BigEndian.writeInt(segment, at + 12, source);
        BigEndian.writeInt(segment, at + 16, target);
        BigEndian.writeShort(
                segment, at + CHECKSUM, InternetChecksum.finish(InternetChecksum.add(0, segment, at, LENGTH)));
    }

    /** Version of the protocol; 4 for IPv4. */
    public static int version(MemorySegment segment, long at) {
        return BigEndian.readByte(segment, at) >>> 4;
    }

    /** Bytes of the header with its options, 0 … 60; less than {@link #LENGTH} if it is malformed. */
    public static int headerLength(MemorySegment segment, long at) {
        return (BigEndian.readByte(segment, at) & 0xf) * 4;
    }

    /** Whether the checksum of the header at {@code at} is right. */
    public static boolean isIntact(MemorySegment segment, long at) {
        return InternetChecksum.finish(InternetChecksum.add(0, segment, at, headerLength(segment, at))) == 0;
    }
}
