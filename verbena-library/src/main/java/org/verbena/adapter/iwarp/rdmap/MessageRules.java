package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.iwarp.AtomicKind;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** The rules of RDMAP for a segment whose header of DDP is right (RFC 5040, 7.2; RFC 7306, 8). */
public final class MessageRules {
    private MessageRules() {}

    /**
     * Judges the header of RDMAP of a segment.
     *
     * @param underWay the opcode of the message that the segment continues; null if it begins one
     * @return null if it is right
     */
    public static @Nullable TerminateCode judge(
            MemorySegment memory, long at, int length, @Nullable RdmapOpcode underWay) {
        if (DdpControl.rdmapVersion(memory, at) != DdpControl.RDMAP_VERSION) {
            return TerminateCode.RDMAP_VERSION;
        }
        RdmapOpcode opcode = RdmapOpcode.of(DdpControl.opcode(memory, at));
        if (opcode == null || (underWay != null && opcode != underWay) || !isInPlace(memory, at, opcode)) {
            return TerminateCode.RDMAP_UNEXPECTED_OPCODE;
        }
        return hasItsHeader(memory, at, length, opcode)
                ? judgeAtomic(memory, at, opcode)
                : TerminateCode.RDMAP_CATASTROPHIC_STREAM;
    }

    /** Whether the model and the queue are those of the opcode. */
    private static boolean isInPlace(MemorySegment memory, long at, RdmapOpcode opcode) {
        boolean tagged = DdpControl.isTagged(memory, at);
        return tagged == opcode.isTagged() && (tagged || UntaggedHeader.queue(memory, at) == opcode.queue());
    }

    /** Whether a message with a header of RDMAP is one segment with all of it; a terminate message may have more behind it. */
    private static boolean hasItsHeader(MemorySegment memory, long at, int length, RdmapOpcode opcode) {
        if (opcode.headerLength() == 0) {
            return true;
        }
        int expected = UntaggedHeader.LENGTH + opcode.headerLength();
        return DdpControl.isLast(memory, at)
                && (opcode == RdmapOpcode.TERMINATE ? length >= expected : length == expected);
    }

    private static @Nullable TerminateCode judgeAtomic(MemorySegment memory, long at, RdmapOpcode opcode) {
        boolean unknown = opcode == RdmapOpcode.ATOMIC_REQUEST
                && AtomicKind.of(AtomicRequest.kind(memory, at + UntaggedHeader.LENGTH)) == null;
        return unknown ? TerminateCode.RDMAP_UNEXPECTED_OPCODE : null;
    }
}
