package org.verbena.adapter.ib.datagram;

import java.lang.foreign.MemorySegment;
import org.verbena.link.Packet;
import org.verbena.wire.BigEndian;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ib.Lrh;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Udp;

/**
 * The 40 bytes before a datagram in its receive: an IPv6 header as it is, an IPv4 header in the last 20 of them behind
 * zeroes, as Linux does it. They are made from the addresses that the link gives for the packet. On InfiniBand they are the global route
 * header; of a packet that has none it is made in the same way.
 */
final class NetworkHeader {
    private static final int IPV4_AT = Grh.LENGTH - Ipv4.LENGTH;

    private NetworkHeader() {}

    static void write(Packet packet, MemorySegment header) {
        if (packet.routeLength() > 0) {
            writeGlobal(packet, header);
            return;
        }
        int payload = Udp.LENGTH + packet.length();
        if (packet.ipv6()) {
            new Ipv6(
                            packet.trafficClass(),
                            0,
                            payload,
                            Udp.PROTOCOL,
                            packet.hopLimit(),
                            packet.sourceHigh(),
                            packet.sourceLow(),
                            packet.targetHigh(),
                            packet.targetLow())
                    .write(header, 0);
            return;
        }
        // No slice and no record: objects whose removal depends on what else the compiler has seen.
        BigEndian.writeLong(header, 0, 0);
        BigEndian.writeLong(header, Long.BYTES, 0);
        BigEndian.writeInt(header, 2 * Long.BYTES, 0);
        Ipv4.write(
                header,
                IPV4_AT,
                packet.trafficClass(),
                Ipv4.LENGTH + payload,
                packet.identification(),
                Ipv4.DO_NOT_FRAGMENT,
                packet.hopLimit(),
                Udp.PROTOCOL,
                (int) packet.sourceLow(),
                (int) packet.targetLow());
    }

    private static void writeGlobal(Packet packet, MemorySegment header) {
        if (packet.routeLength() > Lrh.LENGTH) {
            MemorySegment.copy(packet.segment(), packet.offset() - Grh.LENGTH, header, 0, Grh.LENGTH);
            return;
        }
        Grh.write(
                header,
                0,
                packet.trafficClass(),
                0,
                packet.length(),
                packet.hopLimit(),
                packet.sourceHigh(),
                packet.sourceLow(),
                packet.targetHigh(),
                packet.targetLow());
    }
}
