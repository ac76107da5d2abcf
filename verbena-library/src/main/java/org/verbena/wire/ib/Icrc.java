package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * Invariant CRC: protects the fields that no switch or router may change, from end to end (specification 7.8.1; for RoCEv2 annex
 * A17.3.3). It is the CRC-32 of Ethernet over the packet with all changeable fields replaced by ones, stored with the
 * least significant byte first.
 *
 * <p>RoCEv2 counts the IP and UDP headers in. Who sends through a UDP socket has no such headers in hand, so they are
 * made up here from addresses, ports and lengths; the packet itself is only read. An object is made once, used by one
 * thread, and allocates nothing per packet.
 */
public final class Icrc {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final ValueLayout.OfInt STORED = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The headers that are covered: pseudo local route, IP, UDP and base transport header. */
    private static final int IPV4_HEADERS = 48;

    private static final int IPV6_HEADERS = 68;
    /** Bytes behind the headers that are worth a copy. */
    private static final int SHORT = 128;

    private static final int UDP_LENGTH = 8;
    private static final int IPV4_LENGTH = 20;
    /** Ones in place of a local route header, which RoCEv2 does not have and routers replace. */
    private static final long NO_ROUTE = -1L;
    /** Version and header length; traffic class is masked. */
    private static final long IPV4_FIRST = 0x45ffL << 48;

    private static final int IPV4_DO_NOT_FRAGMENT = 0x4000;
    /** Time to live (masked), protocol UDP, checksum (masked). */
    private static final long IPV4_THIRD = 0xff11_ffffL << 32;
    /** Version; traffic class and flow label are masked. */
    private static final long IPV6_FIRST = 0x6fff_ffffL << 32;
    /** Next header UDP; hop limit is masked. */
    private static final int IPV6_UDP = 0x11ff;

    private static final long MAPPED_IPV4 = 0xffff;
    private static final int UDP_CHECKSUM = 0xffff;
    /** FECN, BECN and reserved bits before the queue pair number. */
    private static final int BTH_MASK = 0xff00_0000;

    private static final int VIRTUAL_LANE_MASK = 0xf000_0000;
    private static final int GRH_FIRST_MASK = 0x0fff_ffff;
    private static final int GRH_HOP_LIMIT_MASK = 0xff;

    private final CRC32 crc = new CRC32();
    private final ByteBuffer ipv4 = ByteBuffer.allocateDirect(IPV4_HEADERS + SHORT);
    private final ByteBuffer ipv6 = ByteBuffer.allocateDirect(IPV6_HEADERS + SHORT);
    private final ByteBuffer local = ByteBuffer.allocateDirect(Lrh.LENGTH + Grh.LENGTH + Bth.LENGTH + SHORT);
    private final IdentificationRecovery recovery = new IdentificationRecovery();

    /** A computer of CRCs for one thread. */
    public Icrc() {}

    /** The CRC stored at {@code at}. */
    public static int read(MemorySegment segment, long at) {
        return segment.get(STORED, at);
    }

    /** Stores a CRC at {@code at}. */
    public static void write(MemorySegment segment, long at, int icrc) {
        segment.set(STORED, at, icrc);
    }

    /**
     * The CRC of a RoCEv2 packet. Addresses are 128 bits in two halves, IPv4 ones mapped into IPv6
     * ({@code ::ffff:a.b.c.d}); the target's says which of the two the packet travels on.
     *
     * @param bytes direct buffer that holds the packet; its contents stay, its position and limit are
     *     {@linkplain ByteBuffer#clear() cleared}
     * @param offset index of the first byte of the {@link Bth}
     * @param length from there to the end of payload and padding, at least {@link Bth#LENGTH}
     * @param identification of the IPv4 header; without meaning for IPv6
     */
    public int compute(
            ByteBuffer bytes,
            int offset,
            int length,
            long sourceHigh,
            long sourceLow,
            long targetHigh,
            long targetLow,
            int sourcePort,
            int targetPort,
            int identification) {
        int ports = sourcePort << 16 | (targetPort & 0xffff);
        boolean mapped = targetHigh == 0 && targetLow >>> 32 == MAPPED_IPV4;
        ByteBuffer headers = mapped
                ? ipv4Headers(bytes, offset, length, (int) sourceLow, (int) targetLow, ports, identification)
                : ipv6Headers(bytes, offset, length, sourceHigh, sourceLow, targetHigh, targetLow, ports);
        return crcOf(headers, bytes, offset + Bth.LENGTH, offset + length);
    }

    /**
     * The CRC of a packet on an InfiniBand link. A packet with a {@link Grh} may pass routers, and a router writes a new {@link Lrh}: then
     * none of its fields counts.
     *
     * @param bytes direct buffer that holds the packet; its contents stay, its position and limit are cleared
     * @param offset index of the first byte of the {@link Lrh}; a {@link Grh}, if the former says so, and a {@link Bth}
     *     follow
     * @param length from there to the end of payload and padding
     */
    public int computeLocal(ByteBuffer bytes, int offset, int length) {
        boolean global = ((word(bytes, offset) >>> 16) & 3) == Lrh.NEXT_GRH;
        int bth = global ? Lrh.LENGTH + Grh.LENGTH : Lrh.LENGTH;
        int headers = bth + Bth.LENGTH;
        local.clear().limit(headers);
        local.put(0, bytes, offset, headers);
        mask(local, bth + 4, BTH_MASK);
        if (!global) {
            mask(local, 0, VIRTUAL_LANE_MASK);
        } else {
            local.putLong(0, NO_ROUTE);
            mask(local, Lrh.LENGTH, GRH_FIRST_MASK);
            mask(local, Lrh.LENGTH + 4, GRH_HOP_LIMIT_MASK);
        }
        return crcOf(local, bytes, offset + headers, offset + length);
    }

    /**
     * The IPv4 identification with which a packet's CRC is right, for receivers that cannot see it. The CRC is linear:
     * the difference to the CRC computed with identification 0 tells the 16 bits.
     *
     * @param received the CRC in the packet
     * @param computed the CRC computed with identification 0
     * @param length as given to {@link #compute}
     * @return the identification, or −1 if there is none: the packet is damaged. One in 65,536 damaged packets passes, so
     *     the caller must check that the identification is plausible.
     */
    public int recoverIdentification(int received, int computed, int length) {
        return recovery.recover(received ^ computed, length);
    }

    private ByteBuffer ipv4Headers(
            ByteBuffer bytes, int offset, int length, int source, int target, int ports, int identification) {
        int udpLength = udpLength(length);
        long lengths = (long) (udpLength + IPV4_LENGTH) << 32;
        ByteBuffer headers = ipv4.clear().limit(IPV4_HEADERS);
        headers.putLong(0, NO_ROUTE);
        headers.putLong(8, IPV4_FIRST | lengths | (identification & 0xffffL) << 16 | IPV4_DO_NOT_FRAGMENT);
        headers.putLong(16, IPV4_THIRD | (source & 0xffff_ffffL));
        headers.putLong(24, (long) target << 32 | (ports & 0xffff_ffffL));
        headers.putInt(32, udpLength << 16 | UDP_CHECKSUM);
        putMaskedBth(headers, 36, bytes, offset);
        return headers;
    }

    private ByteBuffer ipv6Headers(
            ByteBuffer bytes,
            int offset,
            int length,
            long sourceHigh,
            long sourceLow,
            long targetHigh,
            long targetLow,
            int ports) {
        int udpLength = udpLength(length);
        ByteBuffer headers = ipv6.clear().limit(IPV6_HEADERS);
        headers.putLong(0, NO_ROUTE);
        headers.putLong(8, IPV6_FIRST | (long) udpLength << 16 | IPV6_UDP);
        headers.putLong(16, sourceHigh);
        headers.putLong(24, sourceLow);
        headers.putLong(32, targetHigh);
        headers.putLong(40, targetLow);
        headers.putInt(48, ports);
        headers.putInt(52, udpLength << 16 | UDP_CHECKSUM);
        putMaskedBth(headers, 56, bytes, offset);
        return headers;
    }

    private static int udpLength(int length) {
        return UDP_LENGTH + length + LENGTH;
    }

    private static void putMaskedBth(ByteBuffer headers, int at, ByteBuffer bytes, int offset) {
        headers.putInt(at, word(bytes, offset));
        headers.putInt(at + 4, word(bytes, offset + 4) | BTH_MASK);
        headers.putInt(at + 8, word(bytes, offset + 8));
    }

    private static void mask(ByteBuffer headers, int at, int ones) {
        headers.putInt(at, headers.getInt(at) | ones);
    }

    /** Big endian whatever the buffer's own order is. */
    private static int word(ByteBuffer bytes, int index) {
        return (int) INT.get(bytes, index);
    }

    private int crcOf(ByteBuffer headers, ByteBuffer bytes, int from, int to) {
        crc.reset();
        if (to - from <= SHORT) {
            // A call costs more than the copy of a few bytes: one call then, not two.
            int covered = headers.limit();
            headers.limit(covered + to - from).put(covered, bytes, from, to - from);
            crc.update(headers);
            return (int) crc.getValue();
        }
        crc.update(headers);
        crc.update(bytes.limit(to).position(from));
        bytes.clear();
        return (int) crc.getValue();
    }
}
