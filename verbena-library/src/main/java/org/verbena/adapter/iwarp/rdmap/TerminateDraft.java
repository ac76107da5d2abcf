package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.wire.BigEndian;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * A terminate message that waits to be sent. It is made when the error is found, with the headers of the segment that caused it, as far as
 * the segment has them (RFC 5040, 4.8 and 7). The first error counts; a stream is terminated once.
 */
public final class TerminateDraft {
    private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

    /** Made with the message: most connections end without one. */
    private MemorySegment bytes = NONE;

    private @Nullable TerminateCode reason;
    private int length;
    private boolean sent;

    /** Makes the message of an error that no segment caused. */
    public void prepare(TerminateCode reason) {
        prepare(reason, NONE, 0, 0);
    }

    /** Makes the message of an error that this segment caused. */
    public void prepare(TerminateCode why, MemorySegment memory, long at, int segmentLength) {
        if (length > 0) {
            return;
        }
        reason = why;
        int ddp = why.isAboutSegment() ? ddpHeader(memory, at, segmentLength) : 0;
        int rdmap = ddp > 0 ? rdmapHeader(why, memory, at, segmentLength) : 0;
        bytes = MemorySegment.ofArray(new byte[UntaggedHeader.LENGTH + Terminate.LENGTH_MAX]);
        UntaggedHeader.write(bytes, 0, RdmapOpcode.TERMINATE, true, 0, UntaggedHeader.FIRST_MSN, 0);
        int end = UntaggedHeader.LENGTH;
        Terminate.of(why, ddp > 0, rdmap > 0).write(bytes, end);
        end += Terminate.LENGTH;
        if (ddp > 0) {
            BigEndian.writeShort(bytes, end, dataLength(memory, at, segmentLength - ddp));
            end += Terminate.SEGMENT_LENGTH;
            MemorySegment.copy(memory, at, bytes, end, (long) ddp + rdmap);
            end += ddp + rdmap;
        }
        length = end;
    }

    private static int ddpHeader(MemorySegment memory, long at, int segmentLength) {
        if (segmentLength < DdpControl.LENGTH) {
            return 0;
        }
        int header = DdpControl.isTagged(memory, at) ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
        return segmentLength < header ? 0 : header;
    }

    /** Bytes of the segment behind all its headers: Linux siw tells this length. */
    private static int dataLength(MemorySegment memory, long at, int behindDdp) {
        RdmapOpcode opcode = RdmapOpcode.of(DdpControl.opcode(memory, at));
        int header = opcode == null || DdpControl.isTagged(memory, at) ? 0 : opcode.headerLength();
        return Math.max(0, behindDdp - header);
    }

    /** Bytes of the header of a read or atomic request that RDMAP refuses; the others have none. */
    private static int rdmapHeader(TerminateCode reason, MemorySegment memory, long at, int segmentLength) {
        RdmapOpcode opcode = RdmapOpcode.of(DdpControl.opcode(memory, at));
        if (opcode == null || reason.layer() != TerminateCode.RDMAP || DdpControl.isTagged(memory, at)) {
            return 0;
        }
        if (opcode != RdmapOpcode.READ_REQUEST && opcode != RdmapOpcode.ATOMIC_REQUEST) {
            return 0;
        }
        int header = opcode.headerLength();
        return segmentLength < UntaggedHeader.LENGTH + header ? 0 : header;
    }

    /** Whether a message waits. */
    public boolean isPending() {
        return length > 0 && !sent;
    }

    /** Whether the message was handed to the channel. */
    public boolean isSent() {
        return sent;
    }

    /** The reason that the message tells; null if there is no message. */
    public @Nullable TerminateCode reason() {
        return reason;
    }

    /** Bytes of the message as a segment; 0 if there is none. */
    public int length() {
        return length;
    }

    /** Sends the message if the channel has room; whether it has. */
    public boolean send(SegmentChannel channel) {
        if (channel.room() < length) {
            return false;
        }
        long at = channel.begin(length);
        MemorySegment.copy(bytes, 0, channel.memory(), at, length);
        channel.end();
        sent = true;
        return true;
    }
}
