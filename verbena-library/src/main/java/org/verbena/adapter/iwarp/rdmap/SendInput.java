package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.ddp.DdpUser;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionEntry;
import org.verbena.trace.Counter;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.ImmediateData;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** The peer's sends and immediate data: each fills or completes a receive. */
final class SendInput {
    private final ProtectionTable memory;
    private final AccessRights rights;
    private final ReceiveQueue receives;
    private final InputWait wait;
    /** The opcode of the send under way; null between messages. */
    private @Nullable RdmapOpcode underWay;

    private long placed;
    /** Bytes of the peer's last write, for immediate data that follow it. */
    private long written;

    SendInput(Pair pair, ProtectionTable memory, InputWait wait) {
        this.memory = memory;
        this.rights = pair.rights();
        this.receives = pair.receives();
        this.wait = wait;
    }

    /** Bytes that the next message may have, or the one under way; {@link DdpUser#NO_BUFFER} if no receive is posted. */
    long capacity() {
        if (!receives.take()) {
            return DdpUser.NO_BUFFER;
        }
        // Immediate data fill no memory of the receive.
        return Math.max(ImmediateData.LENGTH, receives.hand().segments().total());
    }

    /** The opcode of the message that is not whole yet; null between messages. */
    @Nullable
    RdmapOpcode underWay() {
        return underWay;
    }

    /** A message, or the one under way, is longer than its receive. */
    void onTooLong() {
        receives.fail(Status.LOCAL_LENGTH_ERROR, Verdict.GRANTED);
    }

    /** A write of the peer is whole. */
    void onWritten(long bytes) {
        written = bytes;
    }

    /** The consumer sees the length of the write before the immediate data: a message of its own here, one with them in RoCEv2. */
    Intake onImmediate(MemorySegment segment, long at, RdmapOpcode opcode) {
        receives.begin(Operation.RECEIVE_WRITE_WITH_IMMEDIATE, Status.SUCCESS)
                .byteLength(written)
                .solicited(opcode.isSolicited())
                .immediate((int) ImmediateData.value(segment, at + UntaggedHeader.LENGTH));
        written = 0;
        receives.finish();
        return wait.taken();
    }

    Intake onSend(MemorySegment segment, long at, int length, RdmapOpcode opcode) {
        int data = length - UntaggedHeader.LENGTH;
        long total = receives.hand().segments().total();
        if (placed + data > total) {
            onTooLong();
            return wait.refuse(TerminateCode.DDP_MESSAGE_TOO_LONG, segment, at, length);
        }
        Verdict verdict = receives.hand()
                .segments()
                .place(memory, rights.localWrite(), placed, segment, at + UntaggedHeader.LENGTH, data);
        boolean last = DdpControl.isLast(segment, at);
        if (verdict == Verdict.NOT_RESIDENT) {
            long left = last ? data : total - placed;
            return wait.await(
                    receives.demand(wait.prepare(Counter.SEND_PAGE_FAULTS), rights.localWrite(), placed, data, left),
                    segment,
                    at,
                    length);
        }
        if (!verdict.granted()) {
            receives.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            return wait.refuse(TerminateCode.RDMAP_CATASTROPHIC_STREAM, segment, at, length);
        }
        placed += data;
        underWay = last ? null : opcode;
        return last ? finish(segment, at, length, opcode) : wait.taken();
    }

    private Intake finish(MemorySegment segment, long at, int length, RdmapOpcode opcode) {
        int key = UntaggedHeader.invalidated(segment, at);
        if (opcode.invalidates()) {
            Verdict verdict = memory.invalidate(key, rights.remoteWrite());
            if (!verdict.granted()) {
                return wait.refuse(TerminateCode.RDMAP_STAG_NOT_INVALIDATED, segment, at, length);
            }
        }
        CompletionEntry entry = receives.begin(Operation.RECEIVE, Status.SUCCESS)
                .byteLength(placed)
                .solicited(opcode.isSolicited());
        if (opcode.invalidates()) {
            entry.invalidated(key);
        }
        placed = 0;
        receives.finish();
        return wait.taken();
    }
}
