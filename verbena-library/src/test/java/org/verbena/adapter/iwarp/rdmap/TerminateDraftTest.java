package org.verbena.adapter.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** The terminate message of each error: the RFC's bytes, with the headers of the segment that caused it. */
final class TerminateDraftTest {
    /** A channel that keeps one segment. */
    private static final class OneSegment implements SegmentChannel {
        final MemorySegment memory = MemorySegment.ofArray(new byte[200]);
        int room = 180;
        int length;
        boolean ended;

        @Override
        public int room() {
            return room;
        }

        @Override
        public int segmentMax() {
            return 180;
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public long begin(int count) {
            length = count;
            return 7;
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public void cancel() {
            throw new IllegalStateException("nothing is given up");
        }

        MemorySegment sent() {
            assertTrue(ended);
            return memory.asSlice(7, length);
        }
    }

    private final OneSegment channel = new OneSegment();
    private final TerminateDraft draft = new TerminateDraft();

    private void expectSent(String hex) {
        assertTrue(draft.isPending());
        assertTrue(draft.send(channel));
        assertFalse(draft.isPending());
        assertTrue(draft.isSent());
        assertEquals(
                hex.replace(" ", ""), HexFormat.of().formatHex(channel.sent().toArray(ValueLayout.JAVA_BYTE)));
    }

    private static final String HEADER = "4147 00000000 00000002 00000001 00000000";

    @Test
    void errorOfMpaHasNoHeaders() {
        draft.prepare(TerminateCode.MPA_CRC);
        expectSent(HEADER + "20 02 0000");
    }

    @Test
    void refusedWriteRepeatsTheTaggedHeader() {
        CapturedUnits client = CapturedUnits.of("siw_term_badstag_write").getFirst();
        MemorySegment write = client.segment(0);
        draft.prepare(TerminateCode.DDP_INVALID_STAG, write, 0, (int) write.byteSize());
        String tagged = HexFormat.of().formatHex(write.asSlice(0, 14).toArray(ValueLayout.JAVA_BYTE));
        expectSent(HEADER + "11 00 c000 " + "0040" + tagged);
    }

    /** Linux sends the same message but for the first word, whose fields it has in another order. */
    @Test
    void messagesAreThoseOfLinuxButForTheFirstWord() {
        expectLikeLinux("siw_term_badstag_write", TerminateCode.DDP_INVALID_STAG);
        expectLikeLinux("siw_term_badrange", TerminateCode.DDP_BASE_OR_BOUNDS);
        expectLikeLinux("siw_term_badstag_read", TerminateCode.RDMAP_INVALID_STAG);
        expectLikeLinux("siw_term_toolong", TerminateCode.DDP_NO_BUFFER);
    }

    private static void expectLikeLinux(String capture, TerminateCode reason) {
        CapturedUnits client = CapturedUnits.of(capture).getFirst();
        CapturedUnits server = CapturedUnits.of(capture).getLast();
        MemorySegment cause = client.segment(client.units().size() - 1);
        MemorySegment expected = server.segment(server.units().size() - 1);
        TerminateDraft made = new TerminateDraft();
        OneSegment channel = new OneSegment();
        made.prepare(reason, cause, 0, (int) cause.byteSize());
        assertTrue(made.send(channel));
        MemorySegment sent = channel.sent();
        assertEquals(expected.byteSize(), sent.byteSize(), capture);
        int body = UntaggedHeader.LENGTH + Terminate.LENGTH;
        assertEquals(-1, expected.asSlice(0, UntaggedHeader.LENGTH).mismatch(sent.asSlice(0, UntaggedHeader.LENGTH)));
        byte[] linux = expected.asSlice(body).toArray(ValueLayout.JAVA_BYTE);
        byte[] ours = sent.asSlice(body).toArray(ValueLayout.JAVA_BYTE);
        if (reason == TerminateCode.RDMAP_INVALID_STAG) {
            int msnAt = Terminate.SEGMENT_LENGTH + 10;
            assertEquals(0x40, linux[msnAt + 3], "siw repeats the sequence number 1 of the read request as 64");
            linux[msnAt + 3] = 1;
        }
        assertEquals(HexFormat.of().formatHex(linux), HexFormat.of().formatHex(ours), capture);
        assertSame(reason, Terminate.read(sent, UntaggedHeader.LENGTH).reason());
        assertSame(reason, Terminate.read(expected, UntaggedHeader.LENGTH).reason());
    }

    @Test
    void refusedAtomicRepeatsItsWholeRequest() {
        int length = UntaggedHeader.LENGTH + AtomicRequest.LENGTH;
        MemorySegment request = MemorySegment.ofArray(new byte[length]);
        UntaggedHeader.write(request, 0, RdmapOpcode.ATOMIC_REQUEST, true, 0, 4, 0);
        new AtomicRequest(2, 3, 4, 5, 6, 7, 8, 9).write(request, UntaggedHeader.LENGTH);
        draft.prepare(TerminateCode.RDMAP_ACCESS_RIGHTS, request, 0, length);
        expectSent(HEADER + "01 02 e000 0000" + HexFormat.of().formatHex(request.toArray(ValueLayout.JAVA_BYTE)));
    }

    @Test
    void segmentTooShortForItsHeaderIsNotRepeated() {
        MemorySegment odd = MemorySegment.ofArray(new byte[] {0x41, 0x43, 0, 0});
        draft.prepare(TerminateCode.DDP_UNTAGGED_VERSION, odd, 0, 4);
        expectSent(HEADER + "12 06 0000");
    }

    @Test
    void firstErrorCountsAndWaitsForRoom() {
        draft.prepare(TerminateCode.MPA_MARKER);
        draft.prepare(TerminateCode.DDP_CATASTROPHIC);
        channel.room = 0;
        assertFalse(draft.send(channel));
        assertTrue(draft.isPending());
        channel.room = 180;
        expectSent(HEADER + "20 03 0000");
    }
}
