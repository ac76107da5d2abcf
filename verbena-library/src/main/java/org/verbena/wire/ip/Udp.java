package org.verbena.wire.ip;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * UDP header (RFC 768).
 *
 * @param sourcePort 16 bits
 * @param targetPort 16 bits: {@link #ROCE}, or any other
 * @param length bytes of header and payload
 * @param checksum of pseudo header, header and payload; 0 means none
 */
public record Udp(int sourcePort, int targetPort, int length, int checksum) {
    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    /** Protocol number of UDP in IP headers. */
    public static final int PROTOCOL = 17;

    /** The port RoCEv2 packets are sent to. */
    public static final int ROCE = 4791;

    private static final int BYTES = 4;
    private static final int CHECKSUM = 6;

    /** Reads the header at {@code at}. */
    public static Udp read(MemorySegment segment, long at) {
        return new Udp(
                BigEndian.readShort(segment, at),
                BigEndian.readShort(segment, at + 2),
                BigEndian.readShort(segment, at + BYTES),
                BigEndian.readShort(segment, at + CHECKSUM));
    }

    /** Writes the header at {@code at}, with the checksum it has. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeShort(segment, at, sourcePort);
        BigEndian.writeShort(segment, at + 2, targetPort);
        BigEndian.writeShort(segment, at + BYTES, length);
        BigEndian.writeShort(segment, at + CHECKSUM, checksum);
    }

    /** Computes and writes the checksum of a datagram on IPv4 whose header and payload are complete. */
    public static void writeChecksum(MemorySegment segment, long at, Ipv4 ip) {
        long pseudo = (ip.source() & 0xffff_ffffL) + (ip.target() & 0xffff_ffffL);
        writeChecksum(segment, at, pseudo);
    }

    /** Computes and writes the checksum of a datagram on IPv6 whose header and payload are complete. */
    public static void writeChecksum(MemorySegment segment, long at, Ipv6 ip) {
        long pseudo = InternetChecksum.add(0, ip.sourceHigh());
        pseudo = InternetChecksum.add(pseudo, ip.sourceLow());
        pseudo = InternetChecksum.add(pseudo, ip.targetHigh());
        writeChecksum(segment, at, InternetChecksum.add(pseudo, ip.targetLow()));
    }

    private static void writeChecksum(MemorySegment segment, long at, long addresses) {
        int length = BigEndian.readShort(segment, at + BYTES);
        BigEndian.writeShort(segment, at + CHECKSUM, 0);
        long sum = InternetChecksum.add(addresses + PROTOCOL + length, segment, at, length);
        int checksum = InternetChecksum.finish(sum);
        // Zero would mean that there is no checksum; its complement is the same number.
        BigEndian.writeShort(segment, at + CHECKSUM, checksum == 0 ? 0xffff : checksum);
    }
}
