package org.verbena.adapter.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.verbena.Verdict;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.CapturedStream;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Which message of RDMAP may come where, and the reason that a peer is told for each refusal of memory. */
final class MessageRulesTest {
    private final MemorySegment memory = MemorySegment.ofArray(new byte[200]);

    private @Nullable TerminateCode judge(RdmapOpcode opcode, int queue, boolean last, int length) {
        new UntaggedHeader(DdpControl.of(opcode, last), 0, queue, 1, 0).write(memory, 0);
        return MessageRules.judge(memory, 0, length, null);
    }

    @Test
    void everyOpcodeIsTakenInItsPlaceOnly() {
        for (RdmapOpcode opcode : RdmapOpcode.values()) {
            for (int queue = 0; queue < RdmapOpcode.QUEUES; queue++) {
                new AtomicRequest(0, 0, 0, 0, 0, 0, 0, 0).write(memory, UntaggedHeader.LENGTH);
                DdpControl control = new DdpControl(false, true, 1, 1, opcode.code());
                new UntaggedHeader(control, 0, queue, 1, 0).write(memory, 0);
                int length = UntaggedHeader.LENGTH + opcode.headerLength();
                assertEquals(
                        queue == opcode.queue() ? null : TerminateCode.RDMAP_UNEXPECTED_OPCODE,
                        MessageRules.judge(memory, 0, length, null),
                        opcode + " in " + queue);
            }
            new TaggedHeader(new DdpControl(true, true, 1, 1, opcode.code()), 1, 2).write(memory, 0);
            assertEquals(
                    opcode.isTagged() ? null : TerminateCode.RDMAP_UNEXPECTED_OPCODE,
                    MessageRules.judge(memory, 0, 100, null));
        }
    }

    @Test
    void reservedOpcodesAndOtherVersionsAreRefused() {
        for (int code = 12; code < 16; code++) {
            new UntaggedHeader(new DdpControl(false, true, 1, 1, code), 0, 0, 1, 0).write(memory, 0);
            assertEquals(TerminateCode.RDMAP_UNEXPECTED_OPCODE, MessageRules.judge(memory, 0, 100, null));
        }
        new UntaggedHeader(new DdpControl(false, true, 1, 0, 3), 0, 0, 1, 0).write(memory, 0);
        assertEquals(TerminateCode.RDMAP_VERSION, MessageRules.judge(memory, 0, 100, null));
    }

    @Test
    void messageDoesNotChangeItsOpcode() {
        new UntaggedHeader(DdpControl.of(RdmapOpcode.SEND, true), 0, 0, 1, 0).write(memory, 0);
        assertNull(MessageRules.judge(memory, 0, 100, RdmapOpcode.SEND));
        assertEquals(
                TerminateCode.RDMAP_UNEXPECTED_OPCODE, MessageRules.judge(memory, 0, 100, RdmapOpcode.SEND_INVALIDATE));
    }

    @Test
    void requestsAreOneSegmentWithTheirWholeHeader() {
        for (RdmapOpcode opcode : RdmapOpcode.values()) {
            if (opcode.headerLength() > 0) {
                memory.fill((byte) 0);
                int right = UntaggedHeader.LENGTH + opcode.headerLength();
                assertNull(judge(opcode, opcode.queue(), true, right));
                assertEquals(TerminateCode.RDMAP_CATASTROPHIC_STREAM, judge(opcode, opcode.queue(), true, right - 1));
                assertEquals(TerminateCode.RDMAP_CATASTROPHIC_STREAM, judge(opcode, opcode.queue(), false, right));
                @Nullable TerminateCode longer = judge(opcode, opcode.queue(), true, right + 1);
                assertEquals(opcode == RdmapOpcode.TERMINATE ? null : TerminateCode.RDMAP_CATASTROPHIC_STREAM, longer);
            }
        }
    }

    @Test
    void unknownAtomicsAreRefused() {
        new AtomicRequest(3, 0, 0, 0, 0, 0, 0, 0).write(memory, UntaggedHeader.LENGTH);
        assertEquals(
                TerminateCode.RDMAP_UNEXPECTED_OPCODE,
                judge(RdmapOpcode.ATOMIC_REQUEST, 1, true, UntaggedHeader.LENGTH + AtomicRequest.LENGTH));
    }

    @Test
    void messagesOfLinuxAreAllRight() {
        for (String capture : CapturedStream.captures()) {
            for (CapturedUnits direction : CapturedUnits.of(capture)) {
                for (int unit = 0; unit < direction.units().size(); unit++) {
                    MemorySegment segment = direction.segment(unit);
                    assertNull(MessageRules.judge(segment, 0, (int) segment.byteSize(), null), capture);
                }
            }
        }
    }

    @Test
    void everyRefusalHasAReason() {
        Set<Verdict> none = EnumSet.of(
                Verdict.GRANTED,
                Verdict.NOT_ENABLED,
                Verdict.NO_MEMORY,
                Verdict.NO_ROOM,
                Verdict.ALREADY_VALID,
                Verdict.KEY_MISMATCH,
                Verdict.EMPTY_WINDOW);
        for (Verdict verdict : EnumSet.complementOf(EnumSet.copyOf(none))) {
            assertEquals(true, Refusals.ofTagged(verdict).isAboutSegment());
            assertEquals(TerminateCode.RDMAP, Refusals.ofRequest(verdict).layer());
        }
        for (Verdict verdict : none) {
            assertThrows(AssertionError.class, () -> Refusals.ofTagged(verdict));
        }
        assertEquals(TerminateCode.DDP_INVALID_STAG, Refusals.ofTagged(Verdict.WRONG_INSTANCE));
        assertEquals(TerminateCode.DDP_BASE_OR_BOUNDS, Refusals.ofTagged(Verdict.OUT_OF_BOUNDS));
        assertEquals(TerminateCode.RDMAP_ACCESS_RIGHTS, Refusals.ofTagged(Verdict.NO_RIGHT));
        assertEquals(TerminateCode.RDMAP_OFFSET_WRAP, Refusals.ofRequest(Verdict.WRAPS_AROUND));
        assertEquals(TerminateCode.RDMAP_STAG_NOT_ASSOCIATED, Refusals.ofRequest(Verdict.WRONG_QUEUE_PAIR));
    }
}
