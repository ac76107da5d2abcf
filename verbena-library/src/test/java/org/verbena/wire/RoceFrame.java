package org.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Udp;

/**
 * The headers around a RoCEv2 packet in an Ethernet frame, for tests: one of {@code ipv4} and {@code ipv6} is there.
 *
 * @param packetAt offset of the BTH in the frame
 * @param packetLength from there to the ICRC inclusive
 */
public record RoceFrame(
        Ethernet ethernet, @Nullable Ipv4 ipv4, @Nullable Ipv6 ipv6, Udp udp, int packetAt, int packetLength) {
    private static final long MAPPED = 0xffffL << 32;

    /** The frame's headers, or null if it carries no RoCEv2 packet. */
    public static @Nullable RoceFrame read(MemorySegment frame) {
        Ethernet ethernet = Ethernet.read(frame, 0);
        if (ethernet.type() == Ethernet.IPV4) {
            Ipv4 ip = Ipv4.read(frame, Ethernet.LENGTH);
            if (ip.protocol() == Udp.PROTOCOL) {
                return withUdp(frame, ethernet, ip, null, Ethernet.LENGTH + Ipv4.LENGTH);
            }
        } else if (ethernet.type() == Ethernet.IPV6) {
            Ipv6 ip = Ipv6.read(frame, Ethernet.LENGTH);
            if (ip.nextHeader() == Udp.PROTOCOL) {
                return withUdp(frame, ethernet, null, ip, Ethernet.LENGTH + Ipv6.LENGTH);
            }
        }
        return null;
    }

    private static @Nullable RoceFrame withUdp(
            MemorySegment frame, Ethernet ethernet, @Nullable Ipv4 ipv4, @Nullable Ipv6 ipv6, int at) {
        Udp udp = Udp.read(frame, at);
        int packetAt = at + Udp.LENGTH;
        return udp.targetPort() == Udp.ROCE
                ? new RoceFrame(ethernet, ipv4, ipv6, udp, packetAt, udp.length() - Udp.LENGTH)
                : null;
    }

    /** Bytes of the whole frame. */
    public int length() {
        return packetAt + packetLength;
    }

    /** Writes all headers before the packet. */
    public void write(MemorySegment frame) {
        ethernet.write(frame, 0);
        if (ipv4 != null) {
            ipv4.write(frame, Ethernet.LENGTH);
        }
        if (ipv6 != null) {
            ipv6.write(frame, Ethernet.LENGTH);
        }
        udp.write(frame, packetAt - Udp.LENGTH);
    }

    /** The ICRC of the packet in a direct buffer that begins with the frame. */
    public int icrc(Icrc icrc, ByteBuffer frame) {
        return icrc(icrc, frame, ipv4 == null ? 0 : ipv4.identification());
    }

    /** The ICRC as if the frame had this IPv4 identification. */
    public int icrc(Icrc icrc, ByteBuffer frame, int identification) {
        int length = packetLength - Icrc.LENGTH;
        int source = udp.sourcePort();
        int target = udp.targetPort();
        if (ipv4 != null) {
            long from = MAPPED | (ipv4.source() & 0xffff_ffffL);
            long to = MAPPED | (ipv4.target() & 0xffff_ffffL);
            return icrc.compute(frame, packetAt, length, 0, from, 0, to, source, target, identification);
        }
        Ipv6 ip = Objects.requireNonNull(ipv6);
        return icrc.compute(
                frame,
                packetAt,
                length,
                ip.sourceHigh(),
                ip.sourceLow(),
                ip.targetHigh(),
                ip.targetLow(),
                source,
                target,
                0);
    }
}
