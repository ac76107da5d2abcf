package org.verbena.wire.ip;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * TCP header without options (RFC 9293). Options of a header that is read are skipped: its data begin {@link #headerLength} bytes behind
 * its first byte. Check sum and urgent pointer are not components: {@link #write} leaves them 0, {@link #writeChecksum} sets the first.
 *
 * @param sequence number of the first byte of data
 * @param acknowledgement the sequence number expected next, if {@link #ACK} is set
 * @param flags 8 bits: {@link #FIN} and the others
 * @param window 16 bits
 */
public record Tcp(int sourcePort, int targetPort, int sequence, int acknowledgement, int flags, int window) {
    /** Bytes on the wire without options. */
    public static final int LENGTH = 20;

    /** Number in the IP header. */
    public static final int PROTOCOL = 6;

    public static final int FIN = 0x01;
    public static final int SYN = 0x02;
    public static final int RST = 0x04;
    public static final int PSH = 0x08;
    public static final int ACK = 0x10;

    private static final int TARGET = 2;
    private static final int SEQUENCE = 4;
    private static final int ACKNOWLEDGEMENT = 8;
    private static final int OFFSET = 12;
    private static final int FLAGS = 13;
    private static final int WINDOW = 14;
    private static final int CHECKSUM = 16;

    /** Reads the header at {@code at}. */
    public static Tcp read(MemorySegment segment, long at) {
        return new Tcp(
                BigEndian.readShort(segment, at),
                BigEndian.readShort(segment, at + TARGET),
                BigEndian.readInt(segment, at + SEQUENCE),
                BigEndian.readInt(segment, at + ACKNOWLEDGEMENT),
                BigEndian.readByte(segment, at + FLAGS),
                BigEndian.readShort(segment, at + WINDOW));
    }

    /** Writes the header at {@code at}, without options and with a check sum of 0. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeShort(segment, at, sourcePort);
        BigEndian.writeShort(segment, at + TARGET, targetPort);
        BigEndian.writeInt(segment, at + SEQUENCE, sequence);
        BigEndian.writeInt(segment, at + ACKNOWLEDGEMENT, acknowledgement);
        BigEndian.writeByte(segment, at + OFFSET, (LENGTH / 4) << 4);
        BigEndian.writeByte(segment, at + FLAGS, flags);
        BigEndian.writeShort(segment, at + WINDOW, window);
        BigEndian.writeInt(segment, at + CHECKSUM, 0);
    }

    /** Bytes of the header at {@code at} with its options, 0 … 60. */
    public static int headerLength(MemorySegment segment, long at) {
        return (BigEndian.readByte(segment, at + OFFSET) >>> 4) * 4;
    }

    /** Computes and writes the check sum of a segment on IPv4 whose header and data are complete, {@code length} bytes together. */
    public static void writeChecksum(MemorySegment segment, long at, int length, Ipv4 ip) {
        writeChecksum(segment, at, length, (ip.source() & 0xffff_ffffL) + (ip.target() & 0xffff_ffffL));
    }

    /** The same on IPv6. */
    public static void writeChecksum(MemorySegment segment, long at, int length, Ipv6 ip) {
        long addresses = InternetChecksum.add(0, ip.sourceHigh());
        addresses = InternetChecksum.add(addresses, ip.sourceLow());
        addresses = InternetChecksum.add(addresses, ip.targetHigh());
        writeChecksum(segment, at, length, InternetChecksum.add(addresses, ip.targetLow()));
    }

    private static void writeChecksum(MemorySegment segment, long at, int length, long addresses) {
        BigEndian.writeShort(segment, at + CHECKSUM, 0);
        long sum = InternetChecksum.add(addresses + PROTOCOL + length, segment, at, length);
        BigEndian.writeShort(segment, at + CHECKSUM, InternetChecksum.finish(sum));
    }

    /** Whether all of these flags are set. */
    public boolean has(int wanted) {
        return (flags & wanted) == wanted;
    }
}
