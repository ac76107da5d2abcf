package org.verbena.fabric.flow;

import org.jspecify.annotations.Nullable;

/** A flow control packet under way: the blocks that one end has sent on a lane, and those that the other end may send. Used again and again. */
final class CreditNote extends Event {
    private final Flow flow;

    @Nullable
    PortFlow port;

    int epoch;
    int lane;
    /** FCTBS of the sender. */
    int sent;
    /** FCCL of the sender. */
    int limit;

    @Nullable
    CreditNote next;

    CreditNote(Flow flow) {
        this.flow = flow;
    }

    @Override
    void happen() {
        PortFlow at = port;
        if (at != null && at.epoch == epoch) {
            at.onNote(lane, sent, limit);
        }
        port = null;
        flow.giveBack(this);
    }
}
