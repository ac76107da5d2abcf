package org.verbena.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.time.VirtualClock;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Udp;

/** The contract holds while everything is captured; and the capture says what happened. */
final class CapturedLinkTest extends LinkContractTest {
    private static final int ENHANCED_PACKET = 6;

    @TempDir
    private java.nio.file.Path directory;

    @Override
    LinkPair open() {
        InProcessNetwork network = new InProcessNetwork();
        return new LinkPair(
                new CapturedLink(network.open(), new Sink(Long.MAX_VALUE), new VirtualClock()),
                new CapturedLink(network.open(), new Sink(Long.MAX_VALUE), new VirtualClock()));
    }

    @Override
    LinkPair openWithTwoAddresses() {
        InProcessNetwork network = new InProcessNetwork();
        return new LinkPair(
                new CapturedLink(network.open(LinkPair.twoAddresses(1)), new Sink(Long.MAX_VALUE), new VirtualClock()),
                new CapturedLink(network.open(LinkPair.twoAddresses(2)), new Sink(Long.MAX_VALUE), new VirtualClock()));
    }

    @Override
    boolean lossless() {
        return true;
    }

    @Override
    boolean allocates() {
        // Header records; whoever captures looks for something else than speed.
        return true;
    }

    /** Takes so many bytes and forgets them, then fails. */
    private static final class Sink implements WritableByteChannel {
        private long room;
        private boolean open = true;

        Sink(long room) {
            this.room = room;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            if (source.remaining() > room) {
                throw new IOException("no space left");
            }
            int taken = source.remaining();
            room -= taken;
            source.position(source.limit());
            return taken;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }

    /** The frames of a capture. */
    private static List<MemorySegment> frames(java.nio.file.Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<MemorySegment> frames = new ArrayList<>();
        for (int at = 0; at < bytes.limit(); at += bytes.getInt(at + 4)) {
            if (bytes.getInt(at) == ENHANCED_PACKET) {
                frames.add(MemorySegment.ofBuffer(bytes.slice(at + 28, bytes.getInt(at + 20))));
            }
        }
        return frames;
    }

    @Test
    void bothDirectionsAreCapturedAsFrames() throws IOException {
        java.nio.file.Path file = directory.resolve("both.pcapng");
        InProcessNetwork network = new InProcessNetwork();
        Link right = network.open();
        try (CapturedLink left = CapturedLink.toFile(network.open(), file, new VirtualClock())) {
            assertTrue(LinkPair.send(left, left.path(right.local(), Flow.of(0)), LinkPair.numbered(1, 40)));
            left.flush();
            assertTrue(LinkPair.send(right, right.path(left.local(), Flow.of(0)), LinkPair.numbered(2, 60)));
            right.flush();
            assertEquals(1, left.receive(packet -> packet.segment().fill((byte) 0), 10));
        }
        List<MemorySegment> frames = frames(file);
        assertEquals(2, frames.size());
        MemorySegment sent = frames.getFirst();
        assertEquals(Ethernet.IPV4, Ethernet.type(sent, 0));
        assertEquals(0x0a000002, targetOf(frames.get(1)));
        assertTrue(Ipv4.isIntact(sent, Ethernet.LENGTH));
        int payload = Ethernet.LENGTH + Ipv4.LENGTH + Udp.LENGTH;
        assertEquals(4791, Udp.read(sent, payload - Udp.LENGTH).targetPort());
        assertArrayEquals(LinkPair.numbered(1, 40), sent.asSlice(payload).toArray(ValueLayout.JAVA_BYTE));
        assertArrayEquals(
                LinkPair.numbered(2, 60), frames.get(1).asSlice(payload).toArray(ValueLayout.JAVA_BYTE));
    }

    private static int targetOf(MemorySegment frame) {
        return Ipv4.read(frame, Ethernet.LENGTH).target();
    }

    @Test
    void ipv6PacketsAreIpv6Frames() throws IOException {
        java.nio.file.Path file = directory.resolve("six.pcapng");
        InProcessNetwork network = new InProcessNetwork();
        Endpoint remote = Endpoint.of("fd00::2", 4791);
        try (CapturedLink left =
                CapturedLink.toFile(network.open(Endpoint.of("fd00::1", 4791)), file, new VirtualClock())) {
            assertTrue(LinkPair.send(left, left.path(remote, Flow.of(0)), LinkPair.numbered(1, 40)));
        }
        MemorySegment frame = frames(file).getFirst();
        Ipv6 ip = Ipv6.read(frame, Ethernet.LENGTH);
        assertEquals(remote, Endpoint.of(ip.targetHigh(), ip.targetLow(), 4791));
        assertEquals(48, ip.payloadLength());
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void onlyTheOwnerMayReadACapture() throws IOException {
        java.nio.file.Path file = directory.resolve("mode.pcapng");
        CapturedLink.toFile(new InProcessNetwork().open(), file, new VirtualClock())
                .close();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedWithItsName() {
        Link inner = new InProcessNetwork().open();
        java.nio.file.Path nowhere = directory.resolve("no/such/directory");
        String message = assertThrows(
                        LinkException.class, () -> CapturedLink.toFile(inner, nowhere, new VirtualClock()))
                .getMessage();
        assertTrue(message != null && message.contains("no/such/directory"), message);
    }

    @Test
    void aFullDiskEndsTheCaptureNotTheTraffic() {
        InProcessNetwork network = new InProcessNetwork();
        Link right = network.open();
        CapturedLink left = new CapturedLink(network.open(), new Sink(1000), new VirtualClock());
        Path path = left.path(right.local(), Flow.of(0));
        int received = 0;
        for (int i = 0; i < 1000; i++) {
            assertTrue(LinkPair.send(left, path, new byte[1000]));
            left.flush();
            received += right.receive(packet -> {}, 10);
        }
        assertEquals(1000, received);
        assertThrows(LinkException.class, left::close);
        left.close();
    }
}
