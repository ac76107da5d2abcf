package org.verbena.adapter.iwarp.mpa;

import org.jspecify.annotations.Nullable;
import org.verbena.wire.iwarp.TerminateCode;

/** Why no connection was made. */
public enum NegotiationFailure {
    TIMEOUT("the peer's frame did not arrive in time", null),
    STREAM_ENDED("the stream ended before the peer's frame", null),
    NOT_MPA("the stream does not begin with a frame of MPA", TerminateCode.MPA_INVALID_FRAME),
    PRIVATE_DATA_LENGTH("the frame has private data of a length that is not allowed", TerminateCode.MPA_INVALID_FRAME),
    REVISION("the frame has a revision that is not known or not the one asked for", TerminateCode.MPA_INVALID_FRAME),
    CRC_DENIED("the reply denies check sums that the request asked for", TerminateCode.MPA_INVALID_FRAME),
    INSUFFICIENT_IRD(
            "the responder makes more read requests at once than this side takes", TerminateCode.MPA_INSUFFICIENT_IRD),
    NO_MATCHING_READY("the two sides know no common ready-to-receive message", TerminateCode.MPA_NO_MATCHING_READY);

    private final String reason;
    private final @Nullable TerminateCode code;

    NegotiationFailure(String reason, @Nullable TerminateCode code) {
        this.reason = reason;
        this.code = code;
    }

    /** In one sentence, for people. */
    public String reason() {
        return reason;
    }

    /** The reason that an initiator gives in a terminate message; null if there is none. */
    public @Nullable TerminateCode code() {
        return code;
    }
}
