package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PeerMessages;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.trace.Counter;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.TerminateCode;

/**
 * The peer's writes and read responses: placed by key and address, in their turn or before it. The last segment of a message touches an
 * entry that is valid for one message. In its turn it ends the validity; before its turn the entry keeps the number of the segment until the
 * stream has caught up.
 */
final class TaggedInput {
    /** Numbers of segments in touches: they are counted modulo this. */
    static final long NUMBERS = 1L << 39;

    private final ProtectionTable memory;
    private final AccessRights rights;
    private final RdmapRequester requester;
    private final InputWait wait;
    private final SendInput sends;
    /** The write in turn. */
    private final PeerMessages writes;
    /** Bytes of the peer's write that is not whole yet. */
    private long writing;

    TaggedInput(Pair pair, ProtectionTable memory, RdmapRequester requester, InputWait wait, SendInput sends) {
        this.memory = memory;
        this.rights = pair.rights();
        this.requester = requester;
        this.wait = wait;
        this.sends = sends;
        this.writes = new PeerMessages(memory, 1);
    }

    /** The rest of the present write does not come. */
    void stop() {
        writes.end(0);
    }

    // --- in turn

    Intake onTagged(long number, MemorySegment segment, long at, int length) {
        if (wait.isWaiting()) {
            return Intake.LATER;
        }
        TerminateCode error = MessageRules.judge(segment, at, length, null);
        if (error != null) {
            return wait.refuse(error, segment, at, length);
        }
        return isWrite(segment, at)
                ? onWrite(number, segment, at, length)
                : onReadResponse(number, segment, at, length);
    }

    private Intake onWrite(long number, MemorySegment segment, long at, int length) {
        int data = length - TaggedHeader.LENGTH;
        if (data == 0) {
            return written(segment, at, 0); // touches nothing: needs neither key nor right
        }
        Accessor peer = rights.remoteWrite();
        int key = TaggedHeader.stag(segment, at);
        long offset = TaggedHeader.offset(segment, at);
        if (!DdpControl.isLast(segment, at)) {
            writes.begin(0, key); // before the access is judged: if it is refused, the stream ends
        }
        Verdict verdict = rights.allows(peer) ? place(number, peer, segment, at, data, data) : Verdict.NO_RIGHT;
        if (verdict == Verdict.NOT_RESIDENT) {
            writes.begin(0, key);
            Fault fault = wait.prepare(Counter.WRITE_PAGE_FAULTS);
            return wait.await(fault.add(peer, key, offset, data, data, Fault.Intent.OVERWRITE), segment, at, length);
        }
        if (!verdict.granted()) {
            return wait.note(key, offset, data, verdict).refuse(Refusals.ofTagged(verdict), segment, at, length);
        }
        endTouch(number, peer, segment, at);
        return written(segment, at, data);
    }

    private Intake written(MemorySegment segment, long at, int data) {
        writing += data;
        if (DdpControl.isLast(segment, at)) {
            sends.onWritten(writing);
            writing = 0;
            writes.end(0);
        }
        return wait.taken();
    }

    private Intake onReadResponse(long number, MemorySegment segment, long at, int length) {
        Answers answers = requester.answers();
        int data = length - TaggedHeader.LENGTH;
        TerminateCode error = judgeResponse(segment, at, data);
        if (error != null) {
            return wait.refuse(error, segment, at, length);
        }
        Accessor own = rights.localWrite();
        Verdict verdict = data == 0
                ? Verdict.GRANTED
                : place(number, own, segment, at, data, answers.outstanding().remaining());
        if (verdict == Verdict.NOT_RESIDENT) {
            return wait.await(answers.demandRead(wait.prepare(Counter.LANDING_PAGE_FAULTS), data), segment, at, length);
        }
        if (!verdict.granted()) {
            requester.failOldest(Status.LOCAL_PROTECTION_ERROR);
            return wait.refuse(Refusals.ofTagged(verdict), segment, at, length);
        }
        endTouch(number, own, segment, at);
        requester.onReadPlaced(data, DdpControl.isLast(segment, at));
        return wait.taken();
    }

    private @Nullable TerminateCode judgeResponse(MemorySegment segment, long at, int data) {
        return requester
                .answers()
                .judgeRead(
                        TaggedHeader.stag(segment, at),
                        TaggedHeader.offset(segment, at),
                        data,
                        DdpControl.isLast(segment, at));
    }

    // --- before the turn

    /** Nothing but a second touch is refused before its turn: an error counts when all segments before it have come. */
    Intake onEarly(long number, MemorySegment segment, long at, int length) {
        if (wait.isWaiting() || MessageRules.judge(segment, at, length, null) != null) {
            return Intake.LATER;
        }
        int data = length - TaggedHeader.LENGTH;
        boolean write = isWrite(segment, at);
        if (data == 0) {
            return write ? wait.taken() : Intake.LATER;
        }
        Accessor who = accessor(write);
        boolean expected = write
                ? rights.allows(who)
                : requester
                        .answers()
                        .awaitsRead(TaggedHeader.stag(segment, at), TaggedHeader.offset(segment, at), data);
        if (!expected) {
            return Intake.LATER;
        }
        Verdict verdict = place(number, who, segment, at, data, data);
        if (verdict == Verdict.TOUCHED) {
            return wait.note(TaggedHeader.stag(segment, at), TaggedHeader.offset(segment, at), data, verdict)
                    .refuse(Refusals.ofTagged(verdict), segment, at, length);
        }
        return verdict.granted() ? wait.taken() : Intake.LATER;
    }

    /** The stream has caught up with a segment whose data are in place. */
    Intake onPlaced(long number, MemorySegment header, long at, int length) {
        int data = length - TaggedHeader.LENGTH;
        boolean write = isWrite(header, at);
        TerminateCode error = write ? null : judgeResponse(header, at, data);
        if (error != null) {
            return wait.refuse(error, header, at, TaggedHeader.LENGTH);
        }
        endTouch(number, accessor(write), header, at);
        if (write) {
            return written(header, at, data);
        }
        requester.onReadPlaced(data, DdpControl.isLast(header, at));
        return wait.taken();
    }

    /** The message of the segment never becomes whole: an entry that it has touched is of no use any more. */
    void onLost(long number, MemorySegment header, long at) {
        endTouch(number, accessor(isWrite(header, at)), header, at);
    }

    // --- both

    private static boolean isWrite(MemorySegment segment, long at) {
        return DdpControl.opcode(segment, at) == RdmapOpcode.WRITE.code();
    }

    private Accessor accessor(boolean write) {
        return write ? rights.remoteWrite() : rights.localWrite();
    }

    private Verdict place(long number, Accessor who, MemorySegment segment, long at, int data, long remaining) {
        int key = TaggedHeader.stag(segment, at);
        long offset = TaggedHeader.offset(segment, at);
        if (DdpControl.isLast(segment, at)) {
            Verdict touched = memory.touch(who, key, offset, data, number % NUMBERS);
            if (!touched.granted()) {
                return touched;
            }
        }
        return memory.place(who, key, offset, segment, at + TaggedHeader.LENGTH, data, remaining);
    }

    private void endTouch(long number, Accessor who, MemorySegment header, long at) {
        if (DdpControl.isLast(header, at)) {
            memory.endTouch(who, TaggedHeader.stag(header, at), number % NUMBERS);
        }
    }
}
