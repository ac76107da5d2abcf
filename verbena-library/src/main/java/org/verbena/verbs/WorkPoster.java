package org.verbena.verbs;

import org.verbena.QueuePairState;
import org.verbena.adapter.Engine;
import org.verbena.queue.Doorbell;
import org.verbena.queue.Ring;

/**
 * Posts the work requests of one queue pair: writes them into its rings and rings the doorbell. It needs the memory of the
 * rings and of the doorbell and nothing else of an engine, so that the engine may be in another process.
 *
 * <p>One thread at a time posts sends, one thread at a time posts receives.
 */
final class WorkPoster {
    private final int index;
    private final Ring sends;
    private final Ring receives;
    private final Doorbell doorbell;
    private final PostRules rules;
    private final PostMemory sendMemory;
    private final PostMemory receiveMemory;

    WorkPoster(
            int number,
            Ring sends,
            Ring receives,
            Doorbell doorbell,
            PostRules rules,
            PostMemory sendMemory,
            PostMemory receiveMemory) {
        this.index = number & Engine.DOORBELL_MASK;
        this.sends = sends;
        this.receives = receives;
        this.doorbell = doorbell;
        this.rules = rules;
        this.sendMemory = sendMemory;
        this.receiveMemory = receiveMemory;
    }

    /** The state of the queue pair, as the engine has written it into the send ring. */
    QueuePairState state() {
        return sends.state();
    }

    /** Posts to the send queue; false, and nothing posted, when it is full. */
    boolean post(WorkRequest.Sending request) {
        boolean posted = WorkEncoder.post(sends, request, rules, sendMemory);
        if (posted) {
            doorbell.ring(index);
        }
        return posted;
    }

    /** Posts a part of a prepared transfer to the send queue; false, and nothing posted, when it is full. */
    boolean post(
            PreparedTransfer what,
            long id,
            long localOffset,
            long length,
            long remoteOffset,
            int immediate,
            SendOptions options) {
        boolean posted = TransferEncoder.post(
                sends, what, id, localOffset, length, remoteOffset, immediate, options, rules, sendMemory);
        if (posted) {
            doorbell.ring(index);
        }
        return posted;
    }

    /**
     * Posts to the receive queue; false, and nothing posted, when it is full. Rings the doorbell if the engine asked for
     * it, or if the queue pair is in ERROR: a receive that is posted while the engine flushes is flushed as well.
     */
    boolean post(WorkRequest.Receive request) {
        boolean posted = WorkEncoder.post(receives, request, rules.segmentsMax(), receiveMemory);
        // The state is read after the full barrier of takeWanted: the engine sees the receive, or this thread sees
        // ERROR.
        if (posted && (receives.takeWanted() || sends.state() == QueuePairState.ERROR)) {
            doorbell.ring(index);
        }
        return posted;
    }
}
