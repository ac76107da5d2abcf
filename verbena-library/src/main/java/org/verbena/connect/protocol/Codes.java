package org.verbena.connect.protocol;

import org.verbena.wire.ib.AckTimeout;

/** Turns codes of times, which a peer may have chosen, into times within {@link CmLimits}. */
final class Codes {
    private Codes() {}

    /** Time for an answer. */
    static long responseNs(int code) {
        return AckTimeout.nanoseconds(Math.clamp(code, CmLimits.RESPONSE_CODE_MIN, CmLimits.RESPONSE_CODE_MAX));
    }

    /** Code of the life of a packet, from the code of the acknowledgement timeout, which is twice as long. */
    static int life(int ackTimeout) {
        return Math.clamp(ackTimeout - 1L, 0, CmLimits.LIFE_CODE_MAX);
    }

    /** Life of a packet. Code 0 means the shortest life here, not an unlimited one. */
    static long lifeNs(int code) {
        return code <= 0 ? 4096 : AckTimeout.nanoseconds(code);
    }
}
