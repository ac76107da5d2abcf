package org.verbena.adapter.ib.reliable;

import org.verbena.adapter.pair.ReceiveLine;
import org.verbena.adapter.pair.ReceiveSource;

/**
 * The peer's request that found no receive. A peer that was refused several times makes longer and longer pauses, so it is invited as
 * soon as a receive is posted. The first refusals are followed by no invitation: the peer's own timer brings it soon. Where several
 * queue pairs share their receives, each receive invites one peer, in the order of {@link ReceiveLine}.
 */
final class MissingReceive {
    /** Refusals of one request after which its peer is invited when a receive is posted. */
    static final int INVITE_AFTER = 8;

    private final ReceiveSource receives;
    private final ReceiveLine.Place place;
    private int refusals;
    private int psn;
    /** The peer waits for an invitation. */
    private boolean awaited;
    /** The line has called this queue pair. */
    private boolean called;

    /** {@code schedule} has {@link #takeArrival} called soon. */
    MissingReceive(ReceiveSource receives, Runnable schedule) {
        this.receives = receives;
        this.place = new ReceiveLine.Place(() -> {
            called = true;
            schedule.run();
        });
    }

    /** A connection begins or ends, or a request has been executed. */
    void end() {
        if (refusals > 0) {
            refusals = 0;
            awaited = false;
            called = false;
            receives.line().leave(place);
        }
    }

    /** The request with this number found no receive; {@code canBeInvited} says whether its peer understands an invitation. */
    void onRefused(int number, boolean canBeInvited) {
        refusals = number == psn ? Math.min(refusals + 1, INVITE_AFTER) : 1;
        psn = number;
        if (refusals < INVITE_AFTER || !canBeInvited) {
            return;
        }
        awaited = true;
        called = false;
        if (receives.shared()) {
            receives.line().join(place);
        } else {
            receives.ring().wanted(); // the next post rings the doorbell
        }
    }

    /** Whether a receive has come for which a peer waits; true once. */
    boolean takeArrival() {
        if (!awaited || (receives.shared() ? !called : receives.available() == 0)) {
            return false;
        }
        awaited = false;
        called = false;
        return true;
    }
}
