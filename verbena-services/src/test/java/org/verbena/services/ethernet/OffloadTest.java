package org.verbena.services.ethernet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.link.frame.OffloadKind;
import org.verbena.link.frame.OffloadReader;
import org.verbena.services.ethernet.TestFrames.Shape;
import org.verbena.time.Seed;

final class OffloadTest {
    private static final int FIN = 1;
    private static final int PSH = 8;
    private static final int ACK = 16;
    private static final int CWR = 128;

    private final Seed seed = new Seed(11);

    @Test
    void aFrameThatNeedsNothingComesOutAsItIs() {
        byte[] frame = TestFrames.partial(seed, new Shape(false, 0, TestFrames.UDP, 0, 100, 0), 0, 0);
        frame[0] = 0;
        List<byte[]> out = new ArrayList<>();
        assertEquals(OffloadKind.COMPLETE, TestFrames.run(frame, out));
        assertEquals(1, out.size());
        assertArrayEquals(Arrays.copyOfRange(frame, 10, frame.length), out.getFirst());
    }

    @Test
    void checksumsAreCompletedForEveryShape() {
        for (int payload : new int[] {0, 1, 2, 3, 63, 1400, 1457, 8999, 65_400}) {
            for (int tags = 0; tags <= 2; tags++) {
                for (int protocol : new int[] {TestFrames.TCP, TestFrames.UDP}) {
                    for (boolean v6 : new boolean[] {false, true}) {
                        assertCompleted(new Shape(v6, tags, protocol, 0, payload, ACK));
                    }
                }
            }
        }
    }

    private void assertCompleted(Shape shape) {
        byte[] frame = TestFrames.partial(seed, shape, 0, 0);
        List<byte[]> out = new ArrayList<>();
        assertEquals(OffloadKind.CHECKSUM, TestFrames.run(frame, out), shape::toString);
        assertEquals(1, out.size());
        assertTrue(TestFrames.isTransportRight(out.getFirst(), shape), shape::toString);
    }

    @Test
    void aChecksumOfZeroIsWrittenAsAllOnes() {
        Shape shape = new Shape(false, 0, TestFrames.UDP, 0, 2, 0);
        byte[] frame = TestFrames.partial(seed, shape, 0, 0);
        for (int value = 0; value <= 0xffff; value++) {
            frame[frame.length - 2] = (byte) (value >> 8);
            frame[frame.length - 1] = (byte) value;
            List<byte[]> out = new ArrayList<>();
            TestFrames.run(frame, out);
            int at = shape.headersBytes() - 2;
            assertFalse(out.getFirst()[at] == 0 && out.getFirst()[at + 1] == 0);
        }
    }

    @Test
    void segmentsCarryThePayloadOnceWithRightHeaders() {
        for (int payload : new int[] {1, 1447, 1448, 1449, 2896, 10_000, 64_000}) {
            for (int tags = 0; tags <= 2; tags++) {
                for (int options : new int[] {0, 12, 40}) {
                    for (boolean v6 : new boolean[] {false, true}) {
                        assertSegmented(
                                new Shape(v6, tags, TestFrames.TCP, options, payload, CWR | ACK | PSH | FIN), 1448);
                    }
                }
            }
        }
        assertSegmented(new Shape(false, 0, TestFrames.TCP, 12, 0, ACK), 1448);
        assertSegmented(new Shape(false, 0, TestFrames.TCP, 12, 65_000, ACK), 65_000 / 1024 + 1);
    }

    private void assertSegmented(Shape shape, int segmentBytes) {
        byte[] frame = TestFrames.partial(seed, shape, shape.v6() ? 4 : 0x81, segmentBytes);
        List<byte[]> out = new ArrayList<>();
        assertEquals(OffloadKind.SEGMENTS, TestFrames.run(frame, out), shape::toString);
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        for (int i = 0; i < out.size(); i++) {
            assertSegment(frame, shape, out.get(i), i, i == out.size() - 1, payload.size());
            payload.write(out.get(i), shape.headersBytes(), out.get(i).length - shape.headersBytes());
            assertTrue(out.get(i).length - shape.headersBytes() == segmentBytes || i == out.size() - 1);
        }
        assertArrayEquals(Arrays.copyOfRange(frame, 10 + shape.headersBytes(), frame.length), payload.toByteArray());
    }

    private static void assertSegment(byte[] frame, Shape shape, byte[] segment, int number, boolean last, int sent) {
        assertTrue(TestFrames.isTransportRight(segment, shape), shape::toString);
        assertTrue(TestFrames.isIpRight(segment, shape), shape::toString);
        ByteBuffer before = ByteBuffer.wrap(frame, 10, frame.length - 10).slice();
        ByteBuffer after = ByteBuffer.wrap(segment);
        int ip = shape.ethernetBytes();
        int tcp = ip + shape.ipBytes();
        assertEquals(before.slice(0, ip), after.slice(0, ip));
        if (shape.v6()) {
            assertEquals(segment.length - tcp, after.getShort(ip + 4) & 0xffff);
            assertEquals(before.slice(ip + 6, 34), after.slice(ip + 6, 34));
        } else {
            assertEquals(segment.length - ip, after.getShort(ip + 2) & 0xffff);
            assertEquals((short) (before.getShort(ip + 4) + number), after.getShort(ip + 4));
            assertEquals(before.slice(ip + 12, 8), after.slice(ip + 12, 8));
        }
        assertEquals(before.getInt(tcp + 4) + sent, after.getInt(tcp + 4));
        assertEquals(before.getInt(tcp + 8), after.getInt(tcp + 8));
        int expected = shape.flags() & ~(number == 0 ? 0 : CWR) & ~(last ? 0 : FIN | PSH);
        assertEquals(expected, after.get(tcp + 13) & 0xff);
    }

    @Test
    void headersThatDoNotFitTheirFrameAreMalformed() {
        Shape shape = new Shape(false, 0, TestFrames.TCP, 0, 3000, ACK);
        byte[] right = TestFrames.partial(seed, shape, 1, 1448);
        assertEquals(OffloadKind.SEGMENTS, TestFrames.run(right, new ArrayList<>()));
        assertMalformed(right, 0, 0, "segments without a checksum");
        assertMalformed(right, 0, 5, "an unknown flag");
        assertMalformed(right, 1, 3, "segments of UDP");
        assertMalformed(right, 1, 4, "segments of IPv6, in a frame of IPv4");
        assertMalformed(right, 4, 0, 5, 0, "no bytes in a segment");
        assertMalformed(right, 4, 1, 5, 0, "too many segments");
        assertMalformed(right, 6, 13, "a checksum within the Ethernet header");
        assertMalformed(right, 6, 35, "a checksum that is not at TCP");
        assertMalformed(right, 8, 6, "a checksum of UDP");
        assertMalformed(right, 7, 0xff, "a checksum behind the frame");
        assertMalformed(right, 10 + 14, 0x44, "an IPv4 header that is too short");
        assertMalformed(right, 10 + 14, 0x46, "an IPv4 header of another length");
        assertMalformed(right, 10 + 14, 0x65, "a version that is not 4");
        assertMalformed(right, 10 + 16, 0, "a length that is not the frame's");
        assertMalformed(right, 10 + 20, 0x20, "a fragment");
        assertMalformed(right, 10 + 23, 17, "no TCP");
        assertMalformed(right, 10 + 34 + 12, 0x40, "a TCP header that is too short");
        byte[] single = TestFrames.partial(seed, new Shape(false, 1, TestFrames.UDP, 0, 60, 0), 0, 0);
        assertEquals(OffloadKind.CHECKSUM, TestFrames.run(single, new ArrayList<>()));
        assertMalformed(single, 6, 0, "a checksum that begins with the addresses");
        assertMalformed(single, 6, 17, "a checksum that begins within the VLAN tag");
        assertMalformed(single, 8, 70, "a checksum behind the frame");
        byte[] six = TestFrames.partial(seed, new Shape(true, 1, TestFrames.TCP, 0, 3000, ACK), 4, 1448);
        assertEquals(OffloadKind.SEGMENTS, TestFrames.run(six, new ArrayList<>()));
        assertMalformed(six, 10 + 18 + 6, 43, "a routing header");
        assertMalformed(six, 10 + 18 + 4, 0, "a length that is not the frame's");
    }

    private static void assertMalformed(byte[] right, int at, int value, String what) {
        byte[] wrong = right.clone();
        wrong[at] = (byte) value;
        List<byte[]> out = new ArrayList<>();
        assertEquals(OffloadKind.MALFORMED, TestFrames.run(wrong, out), what);
        assertEquals(0, out.size(), what);
    }

    private static void assertMalformed(byte[] right, int at, int value, int at2, int value2, String what) {
        byte[] wrong = right.clone();
        wrong[at] = (byte) value;
        assertMalformed(wrong, at2, value2, what);
    }

    @Test
    void noBytesCauseAnExceptionOrAFrameThatIsTooLong() {
        List<byte[]> starts = List.of(
                TestFrames.partial(seed, new Shape(false, 0, TestFrames.TCP, 12, 3000, ACK), 1, 1448),
                TestFrames.partial(seed, new Shape(true, 2, TestFrames.TCP, 0, 3000, ACK), 4, 500),
                TestFrames.partial(seed, new Shape(true, 1, TestFrames.UDP, 0, 60, 0), 0, 0));
        for (int i = 0; i < 60_000; i++) {
            byte[] start = starts.get(seed.nextInt(starts.size()));
            byte[] bytes = Arrays.copyOf(start, seed.chance(0.3) ? seed.nextInt(start.length + 1) : start.length);
            for (int changes = seed.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
                bytes[seed.nextInt(Math.min(bytes.length, 90))] = (byte) seed.nextInt();
            }
            List<byte[]> out = new ArrayList<>();
            OffloadKind kind = TestFrames.run(bytes, out);
            assertEquals(kind == OffloadKind.MALFORMED, out.isEmpty());
            assertTrue(out.size() <= OffloadReader.SEGMENTS_MAX);
            assertTrue(out.stream().allMatch(frame -> frame.length <= bytes.length - 10));
        }
    }

    @Test
    void wiresharkFindsEveryChecksumRight(@TempDir Path directory) throws IOException, InterruptedException {
        List<byte[]> frames = new ArrayList<>();
        for (int tags = 0; tags <= 2; tags++) {
            for (boolean v6 : new boolean[] {false, true}) {
                int kind = v6 ? 4 : 1;
                TestFrames.run(
                        TestFrames.partial(
                                seed, new Shape(v6, tags, TestFrames.TCP, 12, 20_001, ACK | PSH), kind, 1448),
                        frames);
                TestFrames.run(
                        TestFrames.partial(seed, new Shape(v6, tags, TestFrames.TCP, 0, 333, ACK), 0, 0), frames);
                TestFrames.run(TestFrames.partial(seed, new Shape(v6, tags, TestFrames.UDP, 0, 777, 0), 0, 0), frames);
            }
        }
        Path file = directory.resolve("frames.pcap");
        Files.write(file, pcap(frames));
        String right = "(tcp.checksum.status == 1 || udp.checksum.status == 1) && (ipv6 || ip.checksum.status == 1)";
        Process tshark;
        try {
            tshark = new ProcessBuilder(
                            "tshark",
                            "-r",
                            file.toString(),
                            "-o",
                            "tcp.check_checksum:TRUE",
                            "-o",
                            "udp.check_checksum:TRUE",
                            "-o",
                            "ip.check_checksum:TRUE",
                            "-Y",
                            right)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            abort("tshark is not installed");
            return;
        }
        List<String> lines = tshark.inputReader().lines().toList();
        assertEquals(0, tshark.waitFor());
        assertEquals(frames.size(), lines.size());
    }

    private static byte[] pcap(List<byte[]> frames) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0xa1b2_c3d4)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65_535)
                .putInt(1);
        out.writeBytes(header.array());
        for (byte[] frame : frames) {
            ByteBuffer packet = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            packet.putInt(1).putInt(0).putInt(frame.length).putInt(frame.length);
            out.writeBytes(packet.array());
            out.writeBytes(frame);
        }
        return out.toByteArray();
    }
}
