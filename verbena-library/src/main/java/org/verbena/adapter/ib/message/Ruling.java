package org.verbena.adapter.ib.message;

import org.jspecify.annotations.Nullable;
import org.verbena.wire.ib.NakCode;

/** What is to be done with a request that has the sequence number awaited. */
public enum Ruling {
    EXECUTE(null),
    /** No receive is posted: the peer is told to come again. */
    NOT_READY(null),
    /** A page is not there: the peer is told to come again. */
    PAGE_FAULT(null),
    /** A page can't be had any more. */
    PAGE_LOST(NakCode.REMOTE_OPERATIONAL_ERROR),
    /** The message does not fit the receive it got. */
    TOO_LONG(NakCode.INVALID_REQUEST),
    INVALID(NakCode.INVALID_REQUEST),
    ACCESS_REFUSED(NakCode.REMOTE_ACCESS_ERROR),
    /** The memory of a receive is not what its key says. */
    RECEIVE_REFUSED(NakCode.REMOTE_OPERATIONAL_ERROR);

    private final @Nullable NakCode nak;

    Ruling(@Nullable NakCode nak) {
        this.nak = nak;
    }

    /** What the peer is told when the queue pair fails over it. */
    public @Nullable NakCode nak() {
        return nak;
    }
}
