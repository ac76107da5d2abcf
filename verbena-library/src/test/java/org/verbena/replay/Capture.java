package org.verbena.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.verbena.link.Endpoint;
import org.verbena.wire.RoceFrame;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.TransportService;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.pcap.PcapReader;

/** The packets of one service in a capture, in order, of reliable connections unless said otherwise. */
final class Capture {
    private static final long MAPPED = 0xffffL << 32;

    private Capture() {}

    static List<CapturedPacket> of(String name) {
        return of(name, TransportService.RC);
    }

    static List<CapturedPacket> of(String name, TransportService service) {
        var packets = new ArrayList<CapturedPacket>();
        PcapReader reader = new PcapReader(MemorySegment.ofArray(bytesOf("/vectors/" + name + ".pcap")));
        while (reader.next()) {
            MemorySegment frame = reader.frame();
            RoceFrame headers = RoceFrame.read(frame);
            Opcode opcode = headers == null ? null : Opcode.of(Bth.opcode(frame, headers.packetAt()));
            if (headers != null && opcode != null && opcode.service() == service) {
                packets.add(read(reader.timestampNs(), frame, headers));
            }
        }
        return packets;
    }

    private static CapturedPacket read(long timeNs, MemorySegment frame, RoceFrame headers) {
        byte[] bytes = frame.asSlice(headers.packetAt(), headers.packetLength()).toArray(ValueLayout.JAVA_BYTE);
        int sourcePort = headers.udp().sourcePort();
        int targetPort = headers.udp().targetPort();
        Ipv4 ipv4 = headers.ipv4();
        if (ipv4 != null) {
            return CapturedPacket.of(
                    timeNs,
                    Endpoint.of(0, MAPPED | (ipv4.source() & 0xffff_ffffL), sourcePort),
                    Endpoint.of(0, MAPPED | (ipv4.target() & 0xffff_ffffL), targetPort),
                    ipv4.identification(),
                    ByteBuffer.wrap(bytes));
        }
        Ipv6 ipv6 = Objects.requireNonNull(headers.ipv6());
        return CapturedPacket.of(
                timeNs,
                Endpoint.of(ipv6.sourceHigh(), ipv6.sourceLow(), sourcePort),
                Endpoint.of(ipv6.targetHigh(), ipv6.targetLow(), targetPort),
                0,
                ByteBuffer.wrap(bytes));
    }

    private static byte[] bytesOf(String resource) {
        try (InputStream in = Capture.class.getResourceAsStream(resource)) {
            return Objects.requireNonNull(in, resource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
