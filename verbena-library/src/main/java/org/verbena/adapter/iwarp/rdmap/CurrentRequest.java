package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.Limits;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;

/** The request under way, and how far it is sent. It keeps copies of fields of its slot: a consumer may overwrite the slot at any time. */
final class CurrentRequest {
    private final Ring ring;
    private final MemorySegment slots;
    private final ProtectionTable memory;
    private final AccessRights rights;
    private final SegmentList segments;
    private long position;
    private Operation operation = Operation.UNKNOWN;
    private long length;
    private boolean inline;
    private long cursor;
    private boolean dataSent;
    private boolean sent;

    CurrentRequest(Ring ring, ProtectionTable memory, AccessRights rights) {
        this.ring = ring;
        this.slots = ring.memory();
        this.memory = memory;
        this.rights = rights;
        this.segments = SegmentList.within(SendSlot.room(ring.slotLength()));
    }

    /** Takes the request at a position; its status is no success if it cannot be sent. */
    Status load(long at, Operation its) {
        position = at;
        operation = its;
        long slot = slot();
        length = SendSlot.messageLength(slots, slot);
        inline = SendSlot.is(slots, slot, SendSlot.FLAG_INLINE);
        segments.load(slots, slot + SendSlot.HEADER_LENGTH, inline ? 0 : SendSlot.segments(slots, slot));
        cursor = 0;
        dataSent = false;
        sent = false;
        return admit();
    }

    private Status admit() {
        boolean consistent = length <= Limits.MESSAGE_MAX
                && (inline ? length <= SendSlot.room(ring.slotLength()) : length == segments.total());
        boolean possible = isKnown() && !(inline && operation.awaitsAnswer());
        return consistent && possible ? Status.SUCCESS : Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
    }

    /** Whether iWARP has the operation. It has no send with immediate data and no atomic write. */
    boolean isKnown() {
        return switch (operation) {
            case SEND, SEND_WITH_INVALIDATE, WRITE, WRITE_WITH_IMMEDIATE, READ, FETCH_ADD, COMPARE_SWAP -> true;
            default -> false;
        };
    }

    long position() {
        return position;
    }

    Operation operation() {
        return operation;
    }

    /** The memory of its slot. */
    MemorySegment slots() {
        return slots;
    }

    /** Where its slot is. */
    long slot() {
        return ring.slot(position);
    }

    boolean isSolicited() {
        return SendSlot.is(slots, slot(), SendSlot.FLAG_SOLICITED);
    }

    /** Bytes of the message. */
    long length() {
        return length;
    }

    /** Bytes of the message that are sent, or asked for. */
    long cursor() {
        return cursor;
    }

    /** Local memory of the message. */
    SegmentList segments() {
        return segments;
    }

    /** Copies the next bytes of the message. */
    Verdict gather(MemorySegment target, long at, int count) {
        if (inline) {
            MemorySegment.copy(slots, slot() + SendSlot.HEADER_LENGTH + cursor, target, at, count);
            return Verdict.GRANTED;
        }
        return segments.gather(memory, rights.localRead(), cursor, target, at, count);
    }

    /** Judges the memory that an answer goes into. */
    Verdict judgeLanding() {
        return segments.judge(memory, rights.localWrite());
    }

    /** Bytes are sent, or asked for. */
    void advance(long count) {
        cursor += count;
        dataSent = cursor == length;
    }

    /** Whether all data are sent; there may be immediate data behind them. */
    boolean isDataSent() {
        return dataSent;
    }

    /** All of it is sent. */
    void onSent() {
        sent = true;
    }

    boolean isSent() {
        return sent;
    }
}
