package org.verbena.link.wrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.contract.CaptureFile;
import org.verbena.link.contract.StreamLog;
import org.verbena.link.contract.StreamNetworkContractTest;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.MemoryStreams;
import org.verbena.link.stream.StreamListener;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.InternetChecksum;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Tcp;

/** The contract holds while everything is captured; and the capture shows the bytes of streams as segments of TCP. */
final class CapturedStreamNetworkTest extends StreamNetworkContractTest {
    private static final int PACKET_MAX = 1448;

    private final MemoryStreams streams = new MemoryStreams(20_000, PACKET_MAX, 0, new Seed(1));
    private int opened;

    @TempDir
    private Path directory = Path.of("unset");

    @Override
    protected StreamNetwork open() {
        StreamNetwork inner = streams.open(Endpoint.of("10.0.0." + ++opened, 0).address());
        return CapturedStreamNetwork.toFile(inner, directory.resolve(opened + ".pcapng"), new VirtualClock());
    }

    /** A segment of a capture. */
    private record Segment(Tcp tcp, MemorySegment data) {
        /** Reads a frame, and checks its check sums. */
        static Segment of(MemorySegment frame) {
            boolean ipv6 = Ethernet.type(frame, 0) == Ethernet.IPV6;
            long tcpAt = (long) Ethernet.LENGTH + (ipv6 ? Ipv6.LENGTH : Ipv4.LENGTH);
            long length = frame.byteSize() - tcpAt;
            long sum;
            if (ipv6) {
                Ipv6 ip = Ipv6.read(frame, Ethernet.LENGTH);
                assertEquals(length, ip.payloadLength());
                sum = InternetChecksum.add(0, frame, Ethernet.LENGTH + 8, 32);
            } else {
                assertTrue(Ipv4.isIntact(frame, Ethernet.LENGTH));
                assertEquals(
                        length + Ipv4.LENGTH, Ipv4.read(frame, Ethernet.LENGTH).totalLength());
                sum = InternetChecksum.add(0, frame, Ethernet.LENGTH + 12, 8);
            }
            sum = InternetChecksum.add(sum + Tcp.PROTOCOL + length, frame, tcpAt, length);
            assertEquals(0, InternetChecksum.finish(sum), "check sum of TCP");
            return new Segment(Tcp.read(frame, tcpAt), frame.asSlice(tcpAt + Tcp.LENGTH));
        }
    }

    /** A conversation: 5,000 bytes there, 3,000 back, both ends. The left side is captured. */
    private Path converse(String leftAddress, String rightAddress) {
        Path file = directory.resolve("talk.pcapng");
        StreamNetwork right = streams.open(Endpoint.of(rightAddress, 0).address());
        try (StreamNetwork left = CapturedStreamNetwork.toFile(
                streams.open(Endpoint.of(leftAddress, 0).address()), file, new VirtualClock())) {
            List<ByteStream> accepted = new ArrayList<>();
            StreamListener listener = right.listen(Endpoint.of(rightAddress, 7471), 1, accepted::add);
            StreamLog log = new StreamLog();
            ByteStream stream = left.connect(listener.local(), 0, log);
            log.reads(stream);
            left.poll(0);
            right.poll(0);
            StreamLog there = new StreamLog().reads(accepted.getFirst());
            assertEquals(5000, stream.write(direct(random(5000))));
            right.poll(0);
            assertEquals(5000, there.arrived().length);
            assertEquals(3000, accepted.getFirst().write(direct(random(3000))));
            left.poll(0);
            assertEquals(3000, log.arrived().length);
            accepted.getFirst().endOutput();
            left.poll(0);
            assertTrue(log.ended);
            stream.close();
        }
        right.close();
        return file;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.", "fd00::"})
    void aCaptureHasTheSegmentsOfAStream(String prefix) throws IOException {
        Path file = converse(prefix + "1", prefix + "2");
        List<Segment> segments =
                CaptureFile.frames(file).stream().map(Segment::of).toList();
        assertEquals(Tcp.SYN, segments.get(0).tcp().flags());
        assertEquals(Tcp.SYN | Tcp.ACK, segments.get(1).tcp().flags());
        assertEquals(Tcp.ACK, segments.get(2).tcp().flags());
        assertArrayEquals(random(5000), assertSequence(segments, 7471, false));
        assertArrayEquals(random(3000), assertSequence(segments, 7471, true));
    }

    /** The data of one direction, if its sequence numbers are right. */
    private static byte[] assertSequence(List<Segment> segments, int server, boolean fromServer) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        int next = 0;
        int otherNext = 0;
        boolean finished = false;
        for (Segment segment : segments) {
            Tcp tcp = segment.tcp();
            int counts = (int) segment.data().byteSize() + (tcp.has(Tcp.SYN) ? 1 : 0) + (tcp.has(Tcp.FIN) ? 1 : 0);
            if ((tcp.sourcePort() == server) != fromServer) {
                otherNext = tcp.sequence() + counts;
                continue;
            }
            assertTrue(segment.data().byteSize() <= PACKET_MAX);
            if (!tcp.has(Tcp.SYN)) {
                assertEquals(next, tcp.sequence());
            }
            if (tcp.has(Tcp.ACK)) {
                assertEquals(otherNext, tcp.acknowledgement());
            }
            next = tcp.sequence() + counts;
            finished |= tcp.has(Tcp.FIN);
            data.writeBytes(segment.data().toArray(ValueLayout.JAVA_BYTE));
        }
        assertTrue(finished, "an end of the stream");
        return data.toByteArray();
    }

    @Test
    void tsharkFindsNothingWrong() throws IOException, InterruptedException {
        Path file = converse("10.0.0.1", "10.0.0.2");
        Process process;
        try {
            process = new ProcessBuilder(
                            "tshark",
                            "-r",
                            file.toString(),
                            "-o",
                            "tcp.check_checksum:TRUE",
                            "-Y",
                            "tcp.analysis.flags || tcp.checksum.status != 1 || ip.checksum.status == 0 || _ws.malformed")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notFound) {
            assumeTrue(false, "tshark is not installed");
            return;
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        assertEquals("", said);
    }

    @Test
    void aCaptureThatCannotBeWrittenDoesNotDisturbStreams() {
        WritableByteChannel full = new WritableByteChannel() {
            @Override
            public int write(ByteBuffer source) throws IOException {
                throw new IOException("no space left");
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
        StreamNetwork left = new CapturedStreamNetwork(
                streams.open(Endpoint.of("10.0.0.8", 0).address()), full, new VirtualClock());
        StreamNetwork right = streams.open(Endpoint.of("10.0.0.9", 0).address());
        List<ByteStream> accepted = new ArrayList<>();
        StreamListener listener = right.listen(Endpoint.of("10.0.0.9", 0), 1, accepted::add);
        ByteStream stream = left.connect(listener.local(), 0, new StreamLog());
        left.poll(0);
        right.poll(0);
        left.sleepMaxNs();
        StreamLog there = new StreamLog().reads(accepted.getFirst());
        assertEquals(9, stream.write(direct(random(9))));
        right.poll(0);
        assertArrayEquals(random(9), there.arrived());
        String message =
                String.valueOf(assertThrows(LinkException.class, left::close).getMessage());
        assertTrue(message.contains("no space left"), message);
        left.close();
    }
}
