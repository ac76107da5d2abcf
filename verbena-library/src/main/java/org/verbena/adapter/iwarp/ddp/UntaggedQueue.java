package org.verbena.adapter.iwarp.ddp;

import org.jspecify.annotations.Nullable;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * One direction of a queue of the untagged model (RFC 5041, 5.3): which message is under way, and how much of it. Segments come in the
 * order in which they were sent, so a message sequence number or an offset that is not the next one is an error.
 */
public final class UntaggedQueue {
    private int msn = UntaggedHeader.FIRST_MSN;
    private long offset;

    /** Sequence number of the message under way, or of the next. */
    public int msn() {
        return msn;
    }

    /** Bytes of the message under way so far. */
    public long offset() {
        return offset;
    }

    /** Whether a message has begun and not ended. */
    public boolean isWithinMessage() {
        return offset > 0;
    }

    /**
     * Judges a segment.
     *
     * @param found sequence number of its message
     * @param at offset in its header
     * @param length bytes of its data
     * @param capacity bytes of the buffer; {@link DdpUser#NO_BUFFER} if there is none
     * @return null if it is the next one and fits
     */
    @Nullable
    TerminateCode judge(int found, int at, int length, long capacity) {
        if (found != msn) {
            return TerminateCode.DDP_MSN_RANGE;
        }
        if (capacity == DdpUser.NO_BUFFER) {
            return TerminateCode.DDP_NO_BUFFER;
        }
        if (Integer.toUnsignedLong(at) != offset) {
            return TerminateCode.DDP_INVALID_OFFSET;
        }
        return offset + length > capacity ? TerminateCode.DDP_MESSAGE_TOO_LONG : null;
    }

    /** A segment was taken, or sent. */
    public void advance(int length, boolean last) {
        offset = last ? 0 : offset + length;
        msn += last ? 1 : 0;
    }
}
