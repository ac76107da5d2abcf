package org.verbena.adapter.iwarp.port;

import java.lang.foreign.MemorySegment;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.SegmentReceiver;
import org.verbena.adapter.iwarp.ddp.UntaggedQueue;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * Takes the initiator's ready message that is a send of length 0: the first unit of the stream. The message needs no receive and completes none,
 * and it counts among the messages of its queue. A unit without a segment is such a message too: RFC 6581 calls it a "zero-length FULPDU", and
 * this can be read either way. Other first units, and all later ones, pass.
 */
final class ReadySend implements SegmentReceiver {
    private final SegmentReceiver inner;
    private final UntaggedQueue sends;
    private boolean passed;

    /** @param sends the queue of the peer's sends */
    ReadySend(SegmentReceiver inner, UntaggedQueue sends) {
        this.inner = inner;
        this.sends = sends;
    }

    @Override
    public Intake onSegment(MemorySegment memory, long at, int length) {
        if (!passed) {
            passed = true;
            if (length == 0) {
                return Intake.TAKEN;
            }
            if (isReady(memory, at, length)) {
                sends.advance(0, true);
                return Intake.TAKEN;
            }
        }
        return inner.onSegment(memory, at, length);
    }

    private static boolean isReady(MemorySegment memory, long at, int length) {
        return length == UntaggedHeader.LENGTH
                && DdpControl.read(memory, at).equals(DdpControl.of(RdmapOpcode.SEND, true))
                && UntaggedHeader.queue(memory, at) == RdmapOpcode.SENDS
                && UntaggedHeader.msn(memory, at) == UntaggedHeader.FIRST_MSN
                && UntaggedHeader.offset(memory, at) == 0;
    }
}
