package org.verbena.link.wrap;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.verbena.link.Packet;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Vcrc;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Udp;
import org.verbena.wire.pcap.Erf;
import org.verbena.wire.pcap.PcapngWriter;

/**
 * Writes packets into a capture as the Ethernet frames they are, or would be, on a network; raw packets as frames of a type for local
 * experiments. The identification of a packet that arrived over IPv4 is the one its CRC is right with, if there is one. Packets that
 * have route headers of InfiniBand are written with those, and with a variant CRC.
 */
final class FrameCapture {
    /** A locally administered address, its last four bytes taken from the IP address. */
    private static final long MAC = 0x02_00_00_00_00_00L;
    /** The addresses of groups, with 23 bits of an IPv4 address or 32 of an IPv6 one (RFC 1112, RFC 2464). */
    private static final long GROUP_MAC = 0x01_00_5e_00_00_00L;

    private static final long GROUP_MAC_6 = 0x33_33_00_00_00_00L;

    private final Icrc icrc = new Icrc();

    private final CaptureSink sink;
    private final PcapngWriter writer;

    FrameCapture(CaptureSink sink) {
        this.sink = sink;
        this.writer = sink.writer();
    }

    void capture(Packet packet, PcapngWriter.Direction direction) {
        if (!sink.isOpen()) {
            return;
        }
        try {
            if (packet.routeLength() > 0) {
                captureInfiniBand(packet);
            } else if (packet.raw()) {
                captureRaw(packet);
            } else if (packet.ipv6()) {
                captureIpv6(packet);
            } else {
                captureIpv4(packet);
            }
            sink.end(direction);
        } catch (IOException e) {
            sink.fail(e);
        }
    }

    private void captureInfiniBand(Packet packet) throws IOException {
        int length = packet.routeLength() + packet.length();
        long at = writer.begin(Erf.LENGTH + length + Vcrc.LENGTH) + Erf.LENGTH;
        Erf.write(writer.segment(), at - Erf.LENGTH, sink.nowNs(), Erf.TYPE_INFINIBAND, length + Vcrc.LENGTH);
        MemorySegment.copy(packet.segment(), packet.offset() - packet.routeLength(), writer.segment(), at, length);
        Vcrc.write(writer.segment(), at + length, Vcrc.compute(writer.segment(), at, length));
    }

    private void captureRaw(Packet packet) throws IOException {
        long at = writer.begin(Ethernet.LENGTH + packet.length());
        writeEthernet(packet, at, Ethernet.EXPERIMENT);
        MemorySegment.copy(packet.segment(), packet.offset(), writer.segment(), at + Ethernet.LENGTH, packet.length());
    }

    private void captureIpv4(Packet packet) throws IOException {
        int datagram = Udp.LENGTH + packet.length();
        long at = writer.begin(Ethernet.LENGTH + Ipv4.LENGTH + datagram);
        writeEthernet(packet, at, Ethernet.IPV4);
        Ipv4 ip = new Ipv4(
                packet.trafficClass(),
                Ipv4.LENGTH + datagram,
                identification(packet),
                Ipv4.DO_NOT_FRAGMENT,
                packet.hopLimit(),
                Udp.PROTOCOL,
                (int) packet.sourceLow(),
                (int) packet.targetLow());
        ip.write(writer.segment(), at + Ethernet.LENGTH);
        long udpAt = at + Ethernet.LENGTH + Ipv4.LENGTH;
        writeDatagram(packet, udpAt, datagram);
        Udp.writeChecksum(writer.segment(), udpAt, ip);
    }

    /** The IPv4 identification of a packet. If the link does not know it, it is the one that makes the CRC right. */
    private int identification(Packet packet) {
        int guess = packet.identification();
        int length = packet.length() - Icrc.LENGTH;
        if (packet.identificationCertain() || length < Bth.LENGTH) {
            return guess;
        }
        int stored = Icrc.read(packet.segment(), (long) packet.offset() + length);
        if (stored == compute(packet, length, guess)) {
            return guess;
        }
        int found = icrc.recoverIdentification(stored, compute(packet, length, 0), length);
        return found < 0 ? guess : found;
    }

    private int compute(Packet packet, int length, int identification) {
        return icrc.compute(
                packet.bytes(),
                packet.offset(),
                length,
                packet.sourceHigh(),
                packet.sourceLow(),
                packet.targetHigh(),
                packet.targetLow(),
                packet.sourcePort(),
                packet.targetPort(),
                identification);
    }

    private void captureIpv6(Packet packet) throws IOException {
        int datagram = Udp.LENGTH + packet.length();
        long at = writer.begin(Ethernet.LENGTH + Ipv6.LENGTH + datagram);
        writeEthernet(packet, at, Ethernet.IPV6);
        Ipv6 ip = new Ipv6(
                packet.trafficClass(),
                0,
                datagram,
                Udp.PROTOCOL,
                packet.hopLimit(),
                packet.sourceHigh(),
                packet.sourceLow(),
                packet.targetHigh(),
                packet.targetLow());
        ip.write(writer.segment(), at + Ethernet.LENGTH);
        long udpAt = at + Ethernet.LENGTH + Ipv6.LENGTH;
        writeDatagram(packet, udpAt, datagram);
        Udp.writeChecksum(writer.segment(), udpAt, ip);
    }

    private void writeEthernet(Packet packet, long at, int type) {
        new Ethernet(targetMac(packet), mac(packet.sourceLow()), type).write(writer.segment(), at);
    }

    private static long targetMac(Packet packet) {
        long low = packet.targetLow();
        if (packet.ipv6()) {
            return packet.targetHigh() >>> 56 == 0xff ? GROUP_MAC_6 | (low & 0xffff_ffffL) : mac(low);
        }
        return ((low >>> 28) & 0xf) == 0xe ? GROUP_MAC | (low & 0x7f_ffff) : mac(low);
    }

    /** A locally administered address for an IP address. */
    static long mac(long address) {
        return MAC | (address & 0xffff_ffffL);
    }

    private void writeDatagram(Packet packet, long at, int datagram) {
        new Udp(packet.sourcePort(), packet.targetPort(), datagram, 0).write(writer.segment(), at);
        MemorySegment.copy(packet.segment(), packet.offset(), writer.segment(), at + Udp.LENGTH, packet.length());
    }
}
