package org.verbena.adapter.ib.reliable;

import org.verbena.Operation;
import org.verbena.wire.ib.CreditCode;
import org.verbena.wire.ib.Msn;
import org.verbena.wire.ib.Syndrome;

/**
 * End-to-end flow control at the requester (9.7.7.2): the number of messages that the peer has receives for. Without credit one
 * message may be sent while no other is under way, so a lost update never stops the connection.
 */
final class Credits {
    private boolean known;
    private int limit;
    private int started;

    void begin() {
        known = false;
        limit = 0;
        started = 0;
    }

    /** This number of messages, as the responder counts them, has been started. */
    void onStarted(int messages) {
        started = Msn.add(started, messages);
    }

    /** An acknowledgement tells the number of receives left after {@code msn} messages. */
    void onAcknowledge(int syndrome, int msn) {
        int code = Syndrome.creditCode(syndrome);
        known = code != CreditCode.NONE;
        if (known) {
            limit = Msn.add(msn, CreditCode.credits(code));
        }
    }

    /** Whether a message would find no receive. */
    boolean mustWait(Operation operation, boolean othersUnderWay) {
        return known && othersUnderWay && operation.consumesReceive() && Msn.distance(started, limit) <= 0;
    }
}
