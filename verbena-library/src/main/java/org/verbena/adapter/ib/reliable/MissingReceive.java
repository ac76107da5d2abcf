package org.verbena.adapter.ib.reliable;

import org.verbena.adapter.pair.ReceiveSource;

/**
 * The peer's request that found no receive. A peer that was refused several times makes longer and longer pauses, so it is invited as
 * soon as a receive is posted. The first refusals are followed by no invitation: the peer's own timer brings it soon. Receives of a
 * shared queue ring no doorbell; their peers come by their timers.
 */
final class MissingReceive {
    /** Refusals of one request after which its peer is invited when a receive is posted. */
    static final int INVITE_AFTER = 8;

    private final ReceiveSource receives;
    private int refusals;
    private int psn;
    private boolean awaited;

    MissingReceive(ReceiveSource receives) {
        this.receives = receives;
    }

    /** A connection begins, or the request that was refused has been executed. */
    void end() {
        refusals = 0;
        awaited = false;
    }

    /** The request with this number found no receive. */
    void onRefused(int number) {
        refusals = number == psn ? Math.min(refusals + 1, INVITE_AFTER) : 1;
        psn = number;
        if (refusals == INVITE_AFTER && !receives.shared()) {
            awaited = true;
            receives.ring().wanted(); // the next post rings the doorbell
        }
    }

    /** Whether a receive has come for which a peer waits; true once. */
    boolean takeArrival() {
        if (!awaited || receives.available() == 0) {
            return false;
        }
        awaited = false;
        return true;
    }
}
