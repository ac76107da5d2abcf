package org.verbena.wire.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every byte that Linux siw sent in the captures: streams put together, taken apart, check sums verified, written again. */
final class IwarpCaptureTest {
    private static final int CAPTURES = 18;

    private final MpaCrc crc = new MpaCrc();

    static List<String> captures() {
        return CapturedStream.captures();
    }

    @Test
    void allCapturesAreHere() {
        assertEquals(CAPTURES, captures().size());
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyStreamIsWrittenAgainAsItWas(String capture) {
        List<CapturedUnits> all = CapturedUnits.of(capture);
        assertFalse(all.isEmpty());
        for (CapturedUnits direction : all) {
            byte[] expected = direction.stream().bytes();
            byte[] again = new byte[expected.length];
            Arrays.fill(again, (byte) 0xee);
            MemorySegment written = MemorySegment.ofArray(again);
            direction.frame().write(written, 0);
            writePrivateData(direction, written);
            boolean hasCrc = CapturedUnits.hasCrc(connection(all, direction));
            for (int unit = 0; unit < direction.units().size(); unit++) {
                writeUnit(direction, unit, again, hasCrc);
            }
            assertArrayEquals(expected, again);
        }
    }

    private static void writePrivateData(CapturedUnits direction, MemorySegment written) {
        int length = direction.frame().privateDataLength();
        direction.privateData().write(written, MpaHeader.LENGTH, length);
        if (direction.frame().enhanced()) {
            MemorySegment bytes = MemorySegment.ofArray(direction.stream().bytes());
            MpaDepths.read(bytes, MpaHeader.LENGTH).write(written, MpaHeader.LENGTH);
        }
    }

    private void writeUnit(CapturedUnits direction, int unit, byte[] again, boolean hasCrc) {
        MemorySegment written = MemorySegment.ofArray(again);
        MemorySegment segment = direction.segment(unit);
        int length = (int) segment.byteSize();
        int at = direction.units().get(unit);
        Fpdu.writeLength(written, at, length);
        int segmentAt = at + Fpdu.HEADER_LENGTH;
        int headers = SegmentHeaders.copy(segment, written.asSlice(segmentAt, length));
        assertTrue(headers > 0, "unit " + unit);
        MemorySegment.copy(segment, headers, written, segmentAt + headers, length - headers);
        written.asSlice(segmentAt + length, Fpdu.padding(length)).fill((byte) 0);
        int covered = Fpdu.coveredLength(length);
        crc.reset();
        crc.add(ByteBuffer.wrap(again), at, covered);
        MpaCrc.write(written, at + covered, hasCrc ? crc.value() : MpaCrc.NONE);
    }

    /** Both directions of one connection. */
    private static List<CapturedUnits> connection(List<CapturedUnits> all, CapturedUnits direction) {
        int source = direction.stream().sourcePort();
        int target = direction.stream().targetPort();
        return all.stream()
                .filter(other -> other.stream().sourcePort() + other.stream().targetPort() == source + target)
                .toList();
    }

    @Test
    void checkSumsWereComparedInFiveCaptures() {
        List<String> with = captures().stream()
                .filter(capture -> CapturedUnits.hasCrc(CapturedUnits.of(capture)))
                .toList();
        assertEquals(
                List.of("siw_crc_p2p_write", "siw_crc_read", "siw_crc_send", "siw_crc_send_mtu1500", "siw_crc_write"),
                with);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everySegmentFitsTheRowOfItsOpcode(String capture) {
        for (CapturedUnits direction : CapturedUnits.of(capture)) {
            for (int unit = 0; unit < direction.units().size(); unit++) {
                MemorySegment segment = direction.segment(unit);
                DdpControl control = DdpControl.read(segment, 0);
                RdmapOpcode opcode = RdmapOpcode.of(control.opcode());
                assertNotNull(opcode);
                assertEquals(DdpControl.of(opcode, control.last()), control);
                if (!opcode.isTagged()) {
                    UntaggedHeader header = UntaggedHeader.read(segment, 0);
                    assertEquals(opcode.queue(), header.queue());
                    assertTrue(header.msn() >= UntaggedHeader.FIRST_MSN);
                    assertTrue(opcode.invalidates() || header.invalidated() == 0);
                }
            }
        }
    }

    @Test
    void sequenceNumbersAndOffsetsAreConsecutive() {
        CapturedUnits client = CapturedUnits.of("siw_send_multi").getFirst();
        int expectedMsn = UntaggedHeader.FIRST_MSN;
        int expectedOffset = 0;
        for (int unit = 0; unit < client.units().size(); unit++) {
            MemorySegment segment = client.segment(unit);
            UntaggedHeader header = UntaggedHeader.read(segment, 0);
            assertEquals(expectedMsn, header.msn());
            assertEquals(expectedOffset, header.offset());
            boolean last = header.control().last();
            expectedMsn += last ? 1 : 0;
            expectedOffset = last ? 0 : expectedOffset + (int) segment.byteSize() - UntaggedHeader.LENGTH;
        }
        assertEquals(4, expectedMsn);
    }

    @Test
    void terminateMessagesGiveTheReasonAndTheHeadersOfTheSegment() {
        assertEquals(TerminateCode.DDP_INVALID_STAG, expectTerminate("siw_sendinv", RdmapOpcode.WRITE));
        assertEquals(TerminateCode.DDP_INVALID_STAG, expectTerminate("siw_term_badstag_write", RdmapOpcode.WRITE));
        assertEquals(TerminateCode.DDP_BASE_OR_BOUNDS, expectTerminate("siw_term_badrange", RdmapOpcode.WRITE));
        assertEquals(TerminateCode.DDP_INVALID_STAG, expectTerminate("siw_term_readonly", RdmapOpcode.WRITE));
        assertEquals(
                TerminateCode.RDMAP_INVALID_STAG, expectTerminate("siw_term_badstag_read", RdmapOpcode.READ_REQUEST));
        assertEquals(TerminateCode.DDP_NO_BUFFER, expectTerminate("siw_term_toolong", RdmapOpcode.SEND));
    }

    /** The last unit that the responder of a capture sent: a terminate message about a segment of this kind. */
    private static TerminateCode expectTerminate(String capture, RdmapOpcode about) {
        CapturedUnits responder = CapturedUnits.of(capture).getLast();
        MemorySegment segment = responder.segment(responder.units().size() - 1);
        assertEquals(RdmapOpcode.TERMINATE.code(), DdpControl.opcode(segment, 0));
        Terminate message = Terminate.read(segment, UntaggedHeader.LENGTH);
        assertTrue(message.swapped());
        assertTrue(message.hasLength() && message.hasDdp());
        assertEquals(about == RdmapOpcode.READ_REQUEST, message.hasRdmap());
        int at = UntaggedHeader.LENGTH + Terminate.LENGTH + Terminate.SEGMENT_LENGTH;
        DdpControl control = DdpControl.read(segment, at);
        assertEquals(about.code(), control.opcode());
        int headers = (about.isTagged() ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH)
                + (message.hasRdmap() ? about.headerLength() : 0);
        assertEquals(at + headers, segment.byteSize());
        TerminateCode reason = message.reason();
        assertNotNull(reason);
        return reason;
    }

    @Test
    void depthsAndReadyFlagsAreWhereLinuxHasThem() {
        CapturedUnits request = CapturedUnits.of("siw_crc_p2p_write").getFirst();
        assertEquals(new MpaHeader(false, false, true, false, true, 2, 12), request.frame());
        MpaDepths depths =
                MpaDepths.read(MemorySegment.ofArray(request.privateData().bytes()), 0);
        assertTrue(depths.peerToPeer());
        assertFalse(depths.sendReady());
        assertTrue(depths.writeReady());
        MemorySegment ready = request.segment(0);
        assertEquals(TaggedHeader.LENGTH, ready.byteSize());
        assertEquals(RdmapOpcode.WRITE.code(), DdpControl.opcode(ready, 0));
        CapturedUnits first = CapturedUnits.of("siw_mpa1_send").getFirst();
        assertEquals(MpaHeader.REVISION_1, first.frame().revision());
        assertFalse(first.frame().enhanced());
    }

    @Test
    void capturesShowTheseMessages() {
        Set<RdmapOpcode> seen = EnumSet.noneOf(RdmapOpcode.class);
        for (String capture : captures()) {
            for (CapturedUnits direction : CapturedUnits.of(capture)) {
                for (int unit = 0; unit < direction.units().size(); unit++) {
                    RdmapOpcode opcode = RdmapOpcode.of(DdpControl.opcode(direction.segment(unit), 0));
                    assertNotNull(opcode);
                    seen.add(opcode);
                }
            }
        }
        assertEquals(
                EnumSet.of(
                        RdmapOpcode.WRITE,
                        RdmapOpcode.READ_REQUEST,
                        RdmapOpcode.READ_RESPONSE,
                        RdmapOpcode.SEND,
                        RdmapOpcode.SEND_INVALIDATE,
                        RdmapOpcode.TERMINATE),
                seen);
    }
}
