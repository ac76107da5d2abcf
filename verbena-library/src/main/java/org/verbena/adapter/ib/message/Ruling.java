package org.verbena.adapter.ib.message;

import org.jspecify.annotations.Nullable;
import org.verbena.wire.ib.NakCode;

/** Decision on a request packet that has the expected sequence number. */
public enum Ruling {
    EXECUTE(null),
    /** No receive is posted: the peer is told to send again later. */
    NOT_READY(null),
    /** A page is missing: the peer is told to send again later. */
    PAGE_FAULT(null),
    /** A page is lost. */
    PAGE_LOST(NakCode.REMOTE_OPERATIONAL_ERROR),
    /** The message does not fit the receive it got. */
    TOO_LONG(NakCode.INVALID_REQUEST),
    INVALID(NakCode.INVALID_REQUEST),
    ACCESS_REFUSED(NakCode.REMOTE_ACCESS_ERROR),
    /** The key of a receive does not allow access to its memory. */
    RECEIVE_REFUSED(NakCode.REMOTE_OPERATIONAL_ERROR);

    private final @Nullable NakCode nak;

    Ruling(@Nullable NakCode nak) {
        this.nak = nak;
    }

    /** The NAK that the peer gets when the queue pair fails; null if it does not fail. */
    public @Nullable NakCode nak() {
        return nak;
    }
}
