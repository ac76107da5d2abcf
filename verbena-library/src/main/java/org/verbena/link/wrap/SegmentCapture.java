package org.verbena.link.wrap;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.link.Endpoint;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Tcp;
import org.verbena.wire.pcap.PcapngWriter;
import org.verbena.wire.pcap.PcapngWriter.Direction;

/** Writes segments of TCP into a capture, as Ethernet frames. */
final class SegmentCapture {
    private static final int TIME_TO_LIVE = 64;
    private static final int WINDOW = 0xffff;

    private final CaptureSink sink;
    private final PcapngWriter writer;

    SegmentCapture(CaptureSink sink) {
        this.sink = sink;
        this.writer = sink.writer();
    }

    /** One end of a stream. Its address as numbers: asking an address for them allocates. */
    static final class End {
        private final long high;
        private final long low;
        private final boolean ipv6;
        private int port;
        /** The sequence number of the next byte that it sends. */
        int sequence;

        End(Endpoint at, int sequence) {
            this.high = at.high();
            this.low = at.low();
            this.port = at.port();
            this.ipv6 = at.ipv6();
            this.sequence = sequence;
        }

        /** The port is known now. */
        void port(int chosen) {
            port = chosen;
        }
    }

    /**
     * Writes one segment. Its bytes count in the sequence of its source.
     *
     * @param bytes from the position on, which stays
     */
    void capture(End source, End target, int flags, ByteBuffer bytes, int at, int length, Direction direction) {
        if (!sink.isOpen()) {
            return;
        }
        try {
            int headers = source.ipv6 ? Ipv6.LENGTH : Ipv4.LENGTH;
            long frameAt = writer.begin(Ethernet.LENGTH + headers + Tcp.LENGTH + length);
            long ipAt = frameAt + Ethernet.LENGTH;
            long tcpAt = ipAt + headers;
            MemorySegment segment = writer.segment();
            new Ethernet(
                            FrameCapture.mac(target.low),
                            FrameCapture.mac(source.low),
                            source.ipv6 ? Ethernet.IPV6 : Ethernet.IPV4)
                    .write(segment, frameAt);
            boolean acknowledges = (flags & Tcp.ACK) != 0;
            new Tcp(source.port, target.port, source.sequence, acknowledges ? target.sequence : 0, flags, WINDOW)
                    .write(segment, tcpAt);
            MemorySegment.copy(MemorySegment.ofBuffer(bytes.slice(at, length)), 0, segment, tcpAt + Tcp.LENGTH, length);
            writeIp(source, target, ipAt, tcpAt, Tcp.LENGTH + length);
            sink.end(direction);
        } catch (IOException e) {
            sink.fail(e);
        }
        source.sequence += length;
    }

    private void writeIp(End source, End target, long ipAt, long tcpAt, int length) {
        MemorySegment segment = writer.segment();
        if (source.ipv6) {
            Ipv6 ip = new Ipv6(
                    0, 0, length, Tcp.PROTOCOL, TIME_TO_LIVE, source.high, source.low, target.high, target.low);
            ip.write(segment, ipAt);
            Tcp.writeChecksum(segment, tcpAt, length, ip);
        } else {
            Ipv4 ip = new Ipv4(
                    0,
                    Ipv4.LENGTH + length,
                    0,
                    Ipv4.DO_NOT_FRAGMENT,
                    TIME_TO_LIVE,
                    Tcp.PROTOCOL,
                    (int) source.low,
                    (int) target.low);
            ip.write(segment, ipAt);
            Tcp.writeChecksum(segment, tcpAt, length, ip);
        }
    }
}
