package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.Outcome;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.interop.peer.SiwPeer;
import org.verbena.interop.peer.SiwTerms;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.Fpdu;
import org.verbena.wire.iwarp.MpaCrc;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;
import org.verbena.wire.iwarp.RdmapOpcode;

/** The first frames of connections with the kernel's siw, read and written by our codecs on plain sockets. */
@ExtendWith(SiwPeer.class)
final class SiwNegotiationTest {
    private static final Family FAMILY = Family.IPV4;
    private static final int PATIENCE_MS = 60_000;
    /** Reads that {@code vx} takes and makes at once. */
    private static final int VX_READS = 4;

    private static @Nullable MpaDepths depths(int revision, int ird, int ord) {
        return revision == MpaHeader.REVISION_2 ? new MpaDepths(false, false, ird, false, false, ord) : null;
    }

    // --- the kernel serves

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "2, false", "2, true"})
    void itsServerAnswersInRevisionAndChecksOfTheRequest(int revision, boolean crc, PeerVm kernel) throws IOException {
        Asked asked = Asked.begin(kernel, FAMILY, "read", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, revision, crc, depths(revision, 3, 7), "vx-read")
                    .sendTo(socket);
            OpeningFrame reply = OpeningFrame.receiveFrom(socket);
            assertTrue(reply.header().reply(), reply::toString);
            assertFalse(reply.header().rejected(), reply::toString);
            assertFalse(reply.header().markers(), reply::toString);
            assertEquals(revision, reply.header().revision(), reply::toString);
            assertEquals(crc, reply.header().crc(), reply::toString);
            assertEquals(depths(revision, 7, 3), reply.depths(), "it takes more reads than it wanted to, if asked");
            ByteBuffer told = ByteBuffer.wrap(reply.data().bytes());
            assertEquals(16, told.remaining(), "bytes of private data");
            assertEquals(1 << 20, told.getInt(12), "length of its memory");
        }
        Outcome outcome = asked.server().end().succeeds();
        assertTrue(outcome.output().contains("request private data: vx-read\n"), outcome::toString);
    }

    @Test
    void itsServerMakesNoMoreReadsThanItWanted(PeerVm kernel) throws IOException {
        Asked asked = Asked.begin(kernel, FAMILY, "read", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, 2, false, depths(2, 16, 2), "").sendTo(socket);
            assertEquals(
                    depths(2, VX_READS, VX_READS),
                    OpeningFrame.receiveFrom(socket).depths());
        }
        asked.server().end().succeeds();
    }

    /** Its setting is for its clients alone: RFC 5044 would have it ask for check sums in the reply. */
    @Test
    void itsServerUsesNoCheckSumsUnlessTheClientAsks(PeerVm kernel) throws IOException {
        SiwTerms.DEFAULT.withCrc(true).applyTo(kernel);
        Asked asked = Asked.begin(kernel, FAMILY, "read", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, 2, false, depths(2, 1, 1), "").sendTo(socket);
            assertFalse(OpeningFrame.receiveFrom(socket).header().crc());
        }
        asked.server().end().succeeds();
    }

    @Test
    void rpingServes(PeerVm kernel) throws IOException {
        PeerJob server = kernel.begin("rping -s -v -C 1 -a " + kernel.address(FAMILY) + " -p 7401")
                .listensAt(7401);
        try (Socket socket = connect(new InetSocketAddress(kernel.address(FAMILY), 7401))) {
            OpeningFrame.of(false, 2, true, depths(2, 1, 1), "").sendTo(socket);
            OpeningFrame reply = OpeningFrame.receiveFrom(socket);
            assertFalse(reply.header().rejected(), reply::toString);
            assertTrue(reply.header().crc(), reply::toString);
            assertEquals(0, reply.data().length(), "bytes of private data");
        }
        server.end();
    }

    /** The RFC allows 512 bytes; siw has the limit of rdma_cm, 256 with the depths, and one byte for the length it tells its consumer. */
    @ParameterizedTest
    @CsvSource({"1, 255", "2, 252"})
    void privateDataArriveUpToTheKernelsLimit(int revision, int length, PeerVm kernel) throws IOException {
        String longest = "0123456789abcdef".repeat(16).substring(0, length);
        Asked asked = Asked.begin(kernel, FAMILY, "reject", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, revision, false, depths(revision, 1, 1), longest)
                    .sendTo(socket);
            assertTrue(OpeningFrame.receiveFrom(socket).header().rejected());
        }
        Outcome outcome = asked.server().end().succeeds();
        assertTrue(outcome.output().contains("request private data: " + longest + "\n"), outcome::toString);
    }

    @ParameterizedTest
    @CsvSource({"1, 257", "2, 253", "2, 508"})
    void longerPrivateDataEndTheStream(int revision, int length, PeerVm kernel) throws IOException {
        Asked asked = Asked.begin(kernel, FAMILY, "read", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, revision, false, depths(revision, 1, 1), "x".repeat(length))
                    .sendTo(socket);
            assertThrows(SocketException.class, () -> OpeningFrame.receiveFrom(socket));
        }
        kernel.run("killall vx"); // its listener often takes no other connection then
        asked.server().end();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void itsServersRejectionHasPrivateData(int revision, PeerVm kernel) throws IOException {
        Asked asked = Asked.begin(kernel, FAMILY, "reject", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, revision, true, depths(revision, 1, 1), "").sendTo(socket);
            OpeningFrame reply = OpeningFrame.receiveFrom(socket);
            assertTrue(reply.header().reply(), reply::toString);
            assertTrue(reply.header().rejected(), reply::toString);
            assertEquals(revision, reply.header().revision(), reply::toString);
            assertEquals("vx-no", reply.text(), reply::toString);
            assertEquals(-1, socket.getInputStream().read(), "the kernel closes the stream");
        }
        asked.server().end().succeeds();
    }

    @Test
    void markersAreRejectedWithoutAskingTheConsumer(PeerVm kernel) throws IOException {
        Asked asked = Asked.begin(kernel, FAMILY, "read", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, 2, false, depths(2, 1, 1), "").withMarkers().sendTo(socket);
            OpeningFrame reply = OpeningFrame.receiveFrom(socket);
            assertTrue(reply.header().rejected(), reply::toString);
            assertFalse(reply.header().markers(), reply::toString);
        }
        kernel.run("killall vx"); // its listener does not always take another connection then
    }

    @Test
    void checkSumsAreRejectedByAStrictServer(PeerVm kernel) throws IOException {
        SiwTerms.DEFAULT.withoutAnyCrc().applyTo(kernel);
        Asked asked = Asked.begin(kernel, FAMILY, "read", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, 2, true, depths(2, 1, 1), "").sendTo(socket);
            OpeningFrame reply = OpeningFrame.receiveFrom(socket);
            assertTrue(reply.header().rejected(), reply::toString);
            assertFalse(reply.header().crc(), reply::toString);
        }
        kernel.run("killall vx"); // its listener does not always take another connection then
    }

    /** It prefers a write, knows a read, and answers "write" to those that know only a send. */
    @ParameterizedTest
    @CsvSource({
        "true, true, true, true",
        "false, true, true, true",
        "false, false, true, false",
        "true, false, false, true"
    })
    void itsServerChoosesTheReadyMessage(boolean send, boolean write, boolean read, boolean isWrite, PeerVm kernel)
            throws IOException {
        Asked asked = Asked.begin(kernel, FAMILY, "reject", "");
        try (Socket socket = connect(asked)) {
            OpeningFrame.of(false, 2, false, new MpaDepths(true, send, 1, write, read, 1), "")
                    .sendTo(socket);
            MpaDepths chosen = OpeningFrame.receiveFrom(socket).negotiated();
            assertTrue(chosen.peerToPeer(), chosen::toString);
            assertFalse(chosen.sendReady(), chosen::toString);
            assertEquals(isWrite, chosen.writeReady(), chosen::toString);
            assertEquals(!isWrite, chosen.readReady(), chosen::toString);
        }
        asked.server().end().succeeds();
    }

    private static Socket connect(Asked asked) throws IOException {
        return connect(asked.address());
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(PATIENCE_MS);
        socket.connect(address, PATIENCE_MS);
        return socket;
    }

    // --- the kernel asks

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "2, false", "2, true"})
    void itsClientAsksInItsRevision(int revision, boolean crc, PeerVm kernel) throws IOException {
        SiwTerms.DEFAULT.withRevision(revision).withCrc(crc).applyTo(kernel);
        try (ServerSocket server = listen()) {
            PeerJob client = kernel.begin("vx -c " + FAMILY.host() + " write -n 1 -s 5 -p " + server.getLocalPort());
            try (Socket socket = accept(server)) {
                OpeningFrame request = OpeningFrame.receiveFrom(socket);
                assertFalse(request.header().reply(), request::toString);
                assertFalse(request.header().markers(), request::toString);
                assertEquals(revision, request.header().revision(), request::toString);
                assertEquals(crc, request.header().crc(), request::toString);
                assertEquals(depths(revision, VX_READS, VX_READS), request.depths());
                assertEquals("vx-write", request.text());
                OpeningFrame.of(true, revision, crc, depths(revision, VX_READS, VX_READS), "12345678abcd1234")
                        .sendTo(socket);
                requireWrite(socket.getInputStream(), crc);
            }
            String said = client.says("peer addr").said();
            assertTrue(said.contains("peer addr 0x3132333435363738 rkey 0x61626364"), said);
            kernel.run("killall vx");
        }
    }

    /** The first unit: five bytes, padding, a check sum that is right or zero. */
    private static void requireWrite(InputStream stream, boolean crc) throws IOException {
        byte[] unit = OpeningFrame.bytes(stream, Fpdu.length(14 + 5));
        MemorySegment segment = MemorySegment.ofArray(unit);
        assertEquals(14 + 5, Fpdu.segmentLength(segment, 0));
        assertEquals(DdpControl.of(RdmapOpcode.WRITE, true), DdpControl.read(segment, Fpdu.HEADER_LENGTH));
        MpaCrc sum = new MpaCrc();
        int covered = Fpdu.coveredLength(14 + 5);
        sum.add(ByteBuffer.wrap(unit), 0, covered);
        assertEquals(crc ? sum.value() : MpaCrc.NONE, MpaCrc.read(segment, covered));
    }

    /** RFC 5044: check sums are used if either side wants them. */
    @Test
    void itsClientUsesCheckSumsIfTheReplyAsks(PeerVm kernel) throws IOException {
        try (ServerSocket server = listen()) {
            kernel.begin("vx -c " + FAMILY.host() + " write -n 1 -s 5 -p " + server.getLocalPort());
            try (Socket socket = accept(server)) {
                assertFalse(OpeningFrame.receiveFrom(socket).header().crc());
                OpeningFrame.of(true, 2, true, depths(2, 1, 1), "").sendTo(socket);
                requireWrite(socket.getInputStream(), true);
            }
            kernel.run("killall vx");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void itsClientIsToldOfARejection(int revision, PeerVm kernel) throws IOException {
        SiwTerms.DEFAULT.withRevision(revision).applyTo(kernel);
        try (ServerSocket server = listen()) {
            PeerJob client = kernel.begin("vx -c " + FAMILY.host() + " reject -p " + server.getLocalPort());
            try (Socket socket = accept(server)) {
                OpeningFrame.receiveFrom(socket);
                OpeningFrame.of(true, revision, false, depths(revision, 0, 0), "not today")
                        .rejecting()
                        .sendTo(socket);
                Outcome outcome = client.end().succeeds();
                assertTrue(outcome.output().contains("rejected, private data: not today"), outcome::toString);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SiwTerms.ReadyMessages.class)
    void itsClientOffersAndSendsTheReadyMessage(SiwTerms.ReadyMessages offered, PeerVm kernel) throws IOException {
        SiwTerms.DEFAULT.withReady(offered).applyTo(kernel);
        try (ServerSocket server = listen()) {
            kernel.begin("vx -c " + FAMILY.host() + " sendinv -p " + server.getLocalPort());
            try (Socket socket = accept(server)) {
                MpaDepths asked = OpeningFrame.receiveFrom(socket).negotiated();
                assertTrue(asked.peerToPeer(), asked::toString);
                assertFalse(asked.sendReady(), asked::toString);
                boolean write = offered != SiwTerms.ReadyMessages.READ;
                assertEquals(write, asked.writeReady(), asked::toString);
                assertEquals(offered != SiwTerms.ReadyMessages.WRITE, asked.readReady(), asked::toString);
                OpeningFrame.of(true, 2, false, new MpaDepths(true, false, 1, write, !write, 1), "")
                        .sendTo(socket);
                byte[] first = OpeningFrame.bytes(socket.getInputStream(), Fpdu.HEADER_LENGTH + DdpControl.LENGTH);
                assertEquals(
                        DdpControl.of(write ? RdmapOpcode.WRITE : RdmapOpcode.READ_REQUEST, true),
                        DdpControl.read(MemorySegment.ofArray(first), Fpdu.HEADER_LENGTH));
            }
            kernel.run("killall vx");
        }
    }

    private static ServerSocket listen() throws IOException {
        ServerSocket server = new ServerSocket(0, 1, FAMILY.hostAddress());
        server.setSoTimeout(PATIENCE_MS);
        return server;
    }

    private static Socket accept(ServerSocket server) throws IOException {
        Socket socket = server.accept();
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }
}
