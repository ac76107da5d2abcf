package org.verbena.link;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;
import org.verbena.time.Clock;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Udp;
import org.verbena.wire.pcap.PcapngWriter;

/**
 * Writes packets into a capture as the Ethernet frames they are, or would be, on a network. The first failure to write ends the capture
 * and is remembered; packets are not disturbed by it.
 */
final class FrameCapture {
    private static final int HOPS = 64;
    /** A locally administered address, its last four bytes taken from the IP address. */
    private static final long MAC = 0x02_00_00_00_00_00L;

    private final PcapngWriter writer;
    private final Clock clock;
    private @Nullable IOException failure;

    FrameCapture(WritableByteChannel sink, Clock clock, String interfaceName) {
        this.writer = new PcapngWriter(sink, "Verbena", interfaceName);
        this.clock = clock;
    }

    void capture(Packet packet, PcapngWriter.Direction direction) {
        if (failure != null) {
            return;
        }
        try {
            if (packet.ipv6()) {
                captureIpv6(packet);
            } else {
                captureIpv4(packet);
            }
            writer.end(clock.nowNs(), direction);
        } catch (IOException e) {
            failure = e;
        }
    }

    private void captureIpv4(Packet packet) throws IOException {
        int datagram = Udp.LENGTH + packet.length();
        long at = writer.begin(Ethernet.LENGTH + Ipv4.LENGTH + datagram);
        writeEthernet(packet, at, Ethernet.IPV4);
        Ipv4 ip = new Ipv4(
                packet.trafficClass(),
                Ipv4.LENGTH + datagram,
                packet.identification(),
                Ipv4.DO_NOT_FRAGMENT,
                HOPS,
                Udp.PROTOCOL,
                (int) packet.sourceLow(),
                (int) packet.targetLow());
        ip.write(writer.segment(), at + Ethernet.LENGTH);
        long udpAt = at + Ethernet.LENGTH + Ipv4.LENGTH;
        writeDatagram(packet, udpAt, datagram);
        Udp.writeChecksum(writer.segment(), udpAt, ip);
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
                HOPS,
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
        new Ethernet(mac(packet.targetLow()), mac(packet.sourceLow()), type).write(writer.segment(), at);
    }

    private static long mac(long address) {
        return MAC | (address & 0xffff_ffffL);
    }

    private void writeDatagram(Packet packet, long at, int datagram) {
        new Udp(packet.sourcePort(), packet.targetPort(), datagram, 0).write(writer.segment(), at);
        MemorySegment.copy(packet.segment(), packet.offset(), writer.segment(), at + Udp.LENGTH, packet.length());
    }

    /** Hands over what was captured so far. */
    void flush() {
        if (failure == null) {
            try {
                writer.flush();
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    /** Completes the capture; what went wrong with it, or null. */
    @Nullable
    IOException close() {
        try {
            writer.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        return failure;
    }
}
