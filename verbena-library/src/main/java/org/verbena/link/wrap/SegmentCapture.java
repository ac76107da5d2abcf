package org.verbena.link.wrap;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.time.NanoClock;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Tcp;
import org.verbena.wire.pcap.PcapngWriter;
import org.verbena.wire.pcap.PcapngWriter.Direction;

/**
 * Writes segments of TCP into a capture, as Ethernet frames. The first failure to write ends the capture and is remembered; streams are not disturbed by
 * it.
 */
final class SegmentCapture {
    private static final int TIME_TO_LIVE = 64;
    private static final int WINDOW = 0xffff;

    private final PcapngWriter writer;
    private final NanoClock clock;
    private @Nullable IOException failure;

    SegmentCapture(WritableByteChannel sink, NanoClock clock, String interfaceName) {
        this.writer = new PcapngWriter(sink, "Verbena", interfaceName);
        this.clock = clock;
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
        if (failure != null) {
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
            writer.end(clock.nowNs(), direction);
        } catch (IOException e) {
            failure = e;
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

    /** Hands over the segments captured so far. */
    void flush() {
        if (failure == null) {
            try {
                writer.flush();
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    /** Completes the capture; returns its first failure, or null. */
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
