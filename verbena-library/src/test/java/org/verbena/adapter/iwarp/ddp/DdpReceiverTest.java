package org.verbena.adapter.iwarp.ddp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.wire.iwarp.CapturedStream;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Every error of RFC 5041, section 7, and that nothing of a wrong segment reaches the user. */
final class DdpReceiverTest {
    private static final int AT = 5;

    private final User user = new User();
    private final DdpReceiver receiver = new DdpReceiver(user);
    private final MemorySegment memory = MemorySegment.ofArray(new byte[400]);

    /** Writes down what it is offered. */
    private static final class User implements DdpUser {
        final List<String> seen = new ArrayList<>();
        final long[] capacities = {1000, 28, 100, 12};
        Intake answer = Intake.TAKEN;

        @Nullable
        TerminateCode error;

        @Override
        public long capacity(int queue) {
            return capacities[queue];
        }

        @Override
        public Intake onTagged(long number, MemorySegment memory, long at, int length) {
            seen.add("tagged " + (length - TaggedHeader.LENGTH));
            return answer;
        }

        @Override
        public Intake onTaggedEarly(long number, MemorySegment memory, long at, int length) {
            seen.add("early " + number);
            return answer;
        }

        @Override
        public Intake onPlaced(long number, MemorySegment memory, long at, int length) {
            seen.add("placed " + number + ", " + (length - TaggedHeader.LENGTH));
            return answer;
        }

        @Override
        public void onLost(long number, MemorySegment memory, long at) {
            seen.add("lost " + number);
        }

        @Override
        public Intake onUntagged(MemorySegment memory, long at, int length) {
            seen.add("untagged " + UntaggedHeader.queue(memory, at) + " " + UntaggedHeader.msn(memory, at) + " "
                    + (length - UntaggedHeader.LENGTH));
            return answer;
        }

        @Override
        public void onError(TerminateCode reason, MemorySegment memory, long at, int length) {
            assertNull(error, "one error ends the stream");
            error = reason;
        }
    }

    private Intake untagged(RdmapOpcode opcode, boolean last, int msn, int offset, int length) {
        UntaggedHeader.write(memory, AT, opcode, last, 0, msn, offset);
        return receiver.onSegment(memory, AT, UntaggedHeader.LENGTH + length);
    }

    private Intake untagged(UntaggedHeader header, int length) {
        header.write(memory, AT);
        return receiver.onSegment(memory, AT, length);
    }

    private void expectError(TerminateCode expected, Intake intake) {
        assertEquals(expected, user.error);
        assertEquals(Intake.STOPPED, intake);
        int seen = user.seen.size();
        assertEquals(Intake.STOPPED, untagged(RdmapOpcode.SEND, true, 1, 0, 0), "nothing is taken after an error");
        assertEquals(seen, user.seen.size());
    }

    @Test
    void messagesOfAllQueuesAreTakenInTheirOrder() {
        assertEquals(Intake.TAKEN, untagged(RdmapOpcode.SEND, false, 1, 0, 100));
        assertEquals(Intake.TAKEN, untagged(RdmapOpcode.READ_REQUEST, true, 1, 0, 28));
        assertEquals(Intake.TAKEN, untagged(RdmapOpcode.SEND, true, 1, 100, 50));
        assertEquals(Intake.TAKEN, untagged(RdmapOpcode.ATOMIC_RESPONSE, true, 1, 0, 12));
        assertEquals(Intake.TAKEN, untagged(RdmapOpcode.SEND, true, 2, 0, 0));
        assertEquals(Intake.TAKEN, untagged(RdmapOpcode.READ_REQUEST, true, 2, 0, 28));
        assertEquals(
                List.of(
                        "untagged 0 1 100",
                        "untagged 1 1 28",
                        "untagged 0 1 50",
                        "untagged 3 1 12",
                        "untagged 0 2 0",
                        "untagged 1 2 28"),
                user.seen);
        assertEquals(3, receiver.queue(RdmapOpcode.SENDS).msn());
        assertNull(user.error);
    }

    @Test
    void segmentThatIsNotTakenIsStillTheNextOne() {
        user.answer = Intake.LATER;
        assertEquals(Intake.LATER, untagged(RdmapOpcode.SEND, true, 1, 0, 7));
        user.answer = Intake.TAKEN;
        assertEquals(Intake.TAKEN, untagged(RdmapOpcode.SEND, true, 1, 0, 7));
        assertEquals(2, receiver.queue(0).msn());
    }

    @Test
    void anotherVersion() {
        expectError(
                TerminateCode.DDP_UNTAGGED_VERSION,
                untagged(new UntaggedHeader(new DdpControl(false, true, 0, 1, 3), 0, 0, 1, 0), 18));
    }

    @Test
    void anotherVersionOfATaggedSegment() {
        new TaggedHeader(new DdpControl(true, true, 2, 1, 0), 1, 1).write(memory, AT);
        expectError(TerminateCode.DDP_TAGGED_VERSION, receiver.onSegment(memory, AT, TaggedHeader.LENGTH));
    }

    @Test
    void aQueueThatIsNone() {
        expectError(
                TerminateCode.DDP_INVALID_QUEUE,
                untagged(new UntaggedHeader(DdpControl.of(RdmapOpcode.SEND, true), 0, 4, 1, 0), 18));
    }

    @Test
    void aQueueWithTheHighestNumber() {
        expectError(
                TerminateCode.DDP_INVALID_QUEUE,
                untagged(new UntaggedHeader(DdpControl.of(RdmapOpcode.SEND, true), 0, -1, 1, 0), 18));
    }

    @Test
    void noBuffer() {
        user.capacities[0] = DdpUser.NO_BUFFER;
        expectError(TerminateCode.DDP_NO_BUFFER, untagged(RdmapOpcode.SEND, true, 1, 0, 0));
    }

    @Test
    void aSequenceNumberThatWasThere() {
        untagged(RdmapOpcode.SEND, true, 1, 0, 5);
        expectError(TerminateCode.DDP_MSN_RANGE, untagged(RdmapOpcode.SEND, true, 1, 0, 5));
    }

    @Test
    void aSequenceNumberLeftOut() {
        expectError(TerminateCode.DDP_MSN_RANGE, untagged(RdmapOpcode.SEND, true, 2, 0, 5));
    }

    @Test
    void anOffsetThatIsNotTheNext() {
        untagged(RdmapOpcode.SEND, false, 1, 0, 100);
        expectError(TerminateCode.DDP_INVALID_OFFSET, untagged(RdmapOpcode.SEND, true, 1, 99, 5));
    }

    @Test
    void aMessageTooLongForItsBuffer() {
        untagged(RdmapOpcode.SEND, false, 1, 0, 300);
        untagged(RdmapOpcode.SEND, false, 1, 300, 300);
        untagged(RdmapOpcode.SEND, false, 1, 600, 300);
        assertEquals(Intake.TAKEN, untagged(RdmapOpcode.SEND, false, 1, 900, 100));
        expectError(TerminateCode.DDP_MESSAGE_TOO_LONG, untagged(RdmapOpcode.SEND, true, 1, 1000, 1));
    }

    @Test
    void anOffsetThatWrapsAround() {
        TaggedHeader.write(memory, AT, RdmapOpcode.WRITE, true, 1, -10);
        assertEquals(Intake.TAKEN, receiver.onSegment(memory, AT, TaggedHeader.LENGTH + 10));
        expectError(TerminateCode.DDP_OFFSET_WRAP, receiver.onSegment(memory, AT, TaggedHeader.LENGTH + 11));
    }

    @Test
    void segmentsShorterThanTheirHeader() {
        for (int length = 0; length < UntaggedHeader.LENGTH; length++) {
            for (RdmapOpcode opcode : List.of(RdmapOpcode.SEND, RdmapOpcode.WRITE)) {
                int header = opcode.isTagged() ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
                if (length < header) {
                    User other = new User();
                    new UntaggedHeader(DdpControl.of(opcode, true), 0, 0, 1, 0).write(memory, AT);
                    assertEquals(Intake.STOPPED, new DdpReceiver(other).onSegment(memory, AT, length));
                    assertEquals(TerminateCode.DDP_CATASTROPHIC, other.error);
                    assertEquals(List.of(), other.seen);
                }
            }
        }
    }

    @Test
    void queueCountsMessagesAndTheBytesOfOne() {
        UntaggedQueue queue = new UntaggedQueue();
        for (int i = 0; i < 10; i++) {
            queue.advance(0, true);
        }
        assertNull(queue.judge(11, 0, 0, 0));
        queue.advance(5, false);
        assertTrue(queue.isWithinMessage());
        assertEquals(TerminateCode.DDP_INVALID_OFFSET, queue.judge(11, 0, 0, 100));
        assertNull(queue.judge(11, 5, 95, 100));
    }

    @Test
    void streamsOfLinuxHaveNoError() {
        for (String capture : CapturedStream.captures()) {
            for (CapturedUnits direction : CapturedUnits.of(capture)) {
                User taking = new User();
                Arrays.fill(taking.capacities, Long.MAX_VALUE);
                DdpReceiver fresh = new DdpReceiver(taking);
                for (int unit = 0; unit < direction.units().size(); unit++) {
                    MemorySegment segment = direction.segment(unit);
                    assertEquals(Intake.TAKEN, fresh.onSegment(segment, 0, (int) segment.byteSize()), capture);
                }
                assertEquals(direction.units().size(), taking.seen.size());
            }
        }
    }
}
