package org.verbena.link.wrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.contract.CaptureFile;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.support.SourcePorts;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.time.VirtualClock;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.ip.Udp;

/** The contract holds while everything is captured; and the capture says what happened. */
final class CapturedLinkTest extends LinkContractTest {
    @TempDir
    private java.nio.file.Path directory;

    @Override
    protected LinkPair open() {
        InProcessNetwork network = new InProcessNetwork();
        return new LinkPair(
                new CapturedLink(network.open(), new Sink(Long.MAX_VALUE), new VirtualClock()),
                new CapturedLink(network.open(), new Sink(Long.MAX_VALUE), new VirtualClock()));
    }

    @Override
    protected LinkPair openWithTwoAddresses() {
        InProcessNetwork network = new InProcessNetwork();
        return new LinkPair(
                new CapturedLink(network.open(LinkPair.twoAddresses(1)), new Sink(Long.MAX_VALUE), new VirtualClock()),
                new CapturedLink(network.open(LinkPair.twoAddresses(2)), new Sink(Long.MAX_VALUE), new VirtualClock()));
    }

    @Override
    protected boolean lossless() {
        return true;
    }

    @Override
    protected boolean allocates() {
        // Header records; a capture need not be fast.
        return true;
    }

    /** Takes a number of bytes and forgets them, then fails. */
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

    @Test
    void capturedPacketsAreWrittenBeforeASleep() {
        Sink sink = new Sink(Long.MAX_VALUE);
        InProcessNetwork network = new InProcessNetwork();
        try (Link left = new CapturedLink(network.open(), sink, new VirtualClock());
                Link right = network.open()) {
            assertTrue(LinkPair.send(left, left.path(right.local(), LinkFlow.of(0)), new byte[200]));
            long before = sink.room;
            assertEquals(Long.MAX_VALUE, left.sleepMaxNs());
            assertTrue(before - sink.room >= 200, (before - sink.room) + " bytes written");
        }
    }

    @Test
    void bothDirectionsAreCapturedAsFrames() throws IOException {
        java.nio.file.Path file = directory.resolve("both.pcapng");
        InProcessNetwork network = new InProcessNetwork();
        Link right = network.open();
        try (CapturedLink left = CapturedLink.toFile(network.open(), file, new VirtualClock())) {
            assertTrue(LinkPair.send(left, left.path(right.local(), LinkFlow.of(0)), LinkPair.numbered(1, 40)));
            left.flush();
            assertTrue(LinkPair.send(right, right.path(left.local(), LinkFlow.of(0)), LinkPair.numbered(2, 60)));
            right.flush();
            assertEquals(1, left.receive(packet -> packet.segment().fill((byte) 0), 10));
        }
        List<MemorySegment> frames = CaptureFile.frames(file);
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
    void framesHaveTheMarksOfTheirFlowAndGroupsTheirAddresses() throws IOException {
        java.nio.file.Path file = directory.resolve("marks.pcapng");
        InProcessNetwork network = new InProcessNetwork();
        LinkFlow flow = new LinkFlow(3, 0xb9, 7);
        try (CapturedLink left =
                CapturedLink.toFile(network.open(LinkPair.twoAddresses(1)), file, new VirtualClock())) {
            for (String target : List.of("10.7.7.2", "239.129.2.3", "fd00::2", "ff05::1:2")) {
                assertTrue(LinkPair.send(left, left.path(Endpoint.of(target, 4791), flow), LinkPair.numbered(1, 40)));
            }
        }
        List<MemorySegment> frames = CaptureFile.frames(file);
        Ipv4 ipv4 = Ipv4.read(frames.getFirst(), Ethernet.LENGTH);
        assertEquals(0xb9, ipv4.trafficClass());
        assertEquals(7, ipv4.timeToLive());
        assertEquals(
                SourcePorts.of(flow),
                Udp.read(frames.getFirst(), Ethernet.LENGTH + Ipv4.LENGTH).sourcePort());
        Ipv6 ipv6 = Ipv6.read(frames.get(2), Ethernet.LENGTH);
        assertEquals(0xb9, ipv6.trafficClass());
        assertEquals(7, ipv6.hopLimit());
        assertEquals(
                List.of(0x0200_0a07_0702L, 0x0100_5e01_0203L, 0x0200_0000_0002L, 0x3333_0001_0002L),
                frames.stream().map(frame -> Ethernet.read(frame, 0).target()).toList());
    }

    @Test
    void rawPacketsAreFramesWithoutIp() throws IOException {
        java.nio.file.Path file = directory.resolve("raw.pcapng");
        InProcessNetwork network = new InProcessNetwork();
        Link right = network.open();
        try (CapturedLink left = CapturedLink.toFile(network.open(), file, new VirtualClock())) {
            Packet packet = left.claimRaw(left.path(right.local(), LinkFlow.of(0)), 5);
            assertNotNull(packet);
            packet.segment().asSlice(packet.offset(), 5).copyFrom(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5}));
            left.commit(packet);
        }
        MemorySegment frame = CaptureFile.frames(file).getFirst();
        assertEquals(Ethernet.EXPERIMENT, Ethernet.type(frame, 0));
        assertArrayEquals(
                new byte[] {1, 2, 3, 4, 5}, frame.asSlice(Ethernet.LENGTH).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void anIdentificationThatIsNotSeenIsTheOneTheCrcIsRightWith() throws IOException {
        java.nio.file.Path file = directory.resolve("identification.pcapng");
        Endpoint anyPort = Endpoint.of("127.0.0.1", 0);
        try (Link left = UdpNetwork.open(anyPort);
                CapturedLink right = CapturedLink.toFile(UdpNetwork.open(anyPort), file, new VirtualClock())) {
            Packet packet = left.claim(left.path(right.local(), LinkFlow.of(0)), 60);
            assertNotNull(packet);
            packet.segment().asSlice(packet.offset(), 60).fill((byte) 9);
            int crc = new Icrc()
                    .compute(
                            packet.bytes(),
                            packet.offset(),
                            56,
                            packet.sourceHigh(),
                            packet.sourceLow(),
                            packet.targetHigh(),
                            packet.targetLow(),
                            packet.sourcePort(),
                            packet.targetPort(),
                            0xbeef);
            Icrc.write(packet.segment(), packet.offset() + 56, crc);
            left.commit(packet);
            left.flush();
            assertTrue(new LinkPair(left, right).receiveOne(right, arrived -> {}));
        }
        assertEquals(
                0xbeef,
                Ipv4.read(CaptureFile.frames(file).getFirst(), Ethernet.LENGTH).identification());
    }

    @Test
    void ipv6PacketsAreIpv6Frames() throws IOException {
        java.nio.file.Path file = directory.resolve("six.pcapng");
        InProcessNetwork network = new InProcessNetwork();
        Endpoint remote = Endpoint.of("fd00::2", 4791);
        try (CapturedLink left =
                CapturedLink.toFile(network.open(Endpoint.of("fd00::1", 4791)), file, new VirtualClock())) {
            assertTrue(LinkPair.send(left, left.path(remote, LinkFlow.of(0)), LinkPair.numbered(1, 40)));
        }
        MemorySegment frame = CaptureFile.frames(file).getFirst();
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
        LinkPath path = left.path(right.local(), LinkFlow.of(0));
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
