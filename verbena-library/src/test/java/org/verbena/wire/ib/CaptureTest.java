package org.verbena.wire.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Mtu;
import org.verbena.wire.RoceFrame;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.pcap.PcapReader;

/** Every packet that Linux sent in the captures: read, its CRC verified, written again, the same bytes. */
final class CaptureTest {
    private static final int CAPTURES = 31;

    private final Icrc icrc = new Icrc();

    static List<Path> captures() throws IOException, URISyntaxException {
        URL readme = Objects.requireNonNull(CaptureTest.class.getResource("/vectors/README.md"));
        Path directory = Objects.requireNonNull(Path.of(readme.toURI()).getParent());
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().matches(".*rxe_\\w+\\.pcap"))
                    .sorted()
                    .toList();
        }
    }

    /** Gives each RoCE frame, copied to direct memory, to a check; returns how many there were. */
    private static int eachFrame(Path capture, BiConsumer<RoceFrame, ByteBuffer> check) {
        PcapReader reader = new PcapReader(MemorySegment.ofArray(bytesOf(capture)));
        assertEquals(PcapReader.ETHERNET, reader.linkType());
        int frames = 0;
        while (reader.next()) {
            MemorySegment frame = reader.frame();
            assertEquals(frame.byteSize(), reader.originalLength());
            RoceFrame headers = RoceFrame.read(frame);
            if (headers != null) {
                check.accept(headers, direct(frame));
                frames++;
            }
        }
        return frames;
    }

    private static byte[] bytesOf(Path capture) {
        try {
            return Files.readAllBytes(capture);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer direct(MemorySegment frame) {
        ByteBuffer copy = ByteBuffer.allocateDirect((int) frame.byteSize());
        MemorySegment.ofBuffer(copy).copyFrom(frame);
        return copy;
    }

    @Test
    void allCapturesAreHere() throws IOException, URISyntaxException {
        assertEquals(CAPTURES, captures().size());
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyPacketIsWrittenAgainAsItWas(Path capture) {
        assertTrue(eachFrame(capture, this::expectSameBytes) > 0);
    }

    private void expectSameBytes(RoceFrame headers, ByteBuffer bytes) {
        MemorySegment frame = MemorySegment.ofBuffer(bytes);
        assertEquals(frame.byteSize(), headers.length());
        ByteBuffer copy = ByteBuffer.allocateDirect(headers.length());
        MemorySegment written = MemorySegment.ofBuffer(copy);
        headers.write(written);
        Opcode opcode = PacketHeaders.copy(frame, written, headers.packetAt());
        int payloadAt = headers.packetAt() + opcode.headerLength();
        int icrcAt = headers.length() - Icrc.LENGTH;
        MemorySegment.copy(frame, payloadAt, written, payloadAt, icrcAt - payloadAt);
        Icrc.write(written, icrcAt, headers.icrc(icrc, copy));
        assertArrayEquals(frame.toArray(ValueLayout.JAVA_BYTE), written.toArray(ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyChecksumHolds(Path capture) {
        eachFrame(capture, (headers, bytes) -> {
            MemorySegment frame = MemorySegment.ofBuffer(bytes);
            assertEquals(headers.icrc(icrc, bytes), Icrc.read(frame, headers.length() - Icrc.LENGTH));
            assertTrue(headers.ipv4() == null || Ipv4.isIntact(frame, Ethernet.LENGTH));
        });
    }

    @ParameterizedTest
    @MethodSource("captures")
    void identificationIsToldByTheCrc(Path capture) {
        eachFrame(capture, (headers, bytes) -> {
            Ipv4 ip = headers.ipv4();
            if (ip != null) {
                int received = Icrc.read(MemorySegment.ofBuffer(bytes), headers.length() - Icrc.LENGTH);
                int computed = headers.icrc(icrc, bytes, 0);
                int length = headers.packetLength() - Icrc.LENGTH;
                assertEquals(ip.identification(), icrc.recoverIdentification(received, computed, length));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("captures")
    void payloadFitsTheRowOfTheOpcode(Path capture) {
        eachFrame(capture, (headers, bytes) -> {
            MemorySegment frame = MemorySegment.ofBuffer(bytes);
            Opcode opcode = Opcode.of(Bth.opcode(frame, headers.packetAt()));
            assertNotNull(opcode);
            int padCount = Bth.padCount(frame, headers.packetAt());
            int payload = opcode.payloadLength(headers.packetLength(), padCount);
            assertTrue(opcode.hasPayload() ? payload >= 0 : payload == 0, opcode + " with " + payload + " bytes");
            assertTrue(payload <= Mtu.MTU_4096.bytes());
        });
    }

    @Test
    void capturesShowAllOperationsOfThreeServices() throws IOException, URISyntaxException {
        Set<Opcode> seen = EnumSet.noneOf(Opcode.class);
        for (Path capture : captures()) {
            eachFrame(
                    capture,
                    (headers, bytes) -> seen.add(Objects.requireNonNull(
                            Opcode.of(Bth.opcode(MemorySegment.ofBuffer(bytes), headers.packetAt())))));
        }
        assertTrue(seen.containsAll(EnumSet.of(
                Opcode.RC_SEND_ONLY,
                Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
                Opcode.RC_SEND_LAST_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                Opcode.RC_RDMA_READ_RESPONSE_MIDDLE,
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                Opcode.RC_COMPARE_SWAP,
                Opcode.RC_FETCH_ADD,
                Opcode.RC_ATOMIC_WRITE,
                Opcode.UC_RDMA_WRITE_FIRST,
                Opcode.UD_SEND_ONLY_WITH_IMMEDIATE)));
    }
}
