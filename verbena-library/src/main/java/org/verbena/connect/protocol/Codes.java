package org.verbena.connect.protocol;

import org.verbena.wire.ib.AckTimeout;

/** From codes of times, which may be a peer's, to times that this end can live with. */
final class Codes {
    private Codes() {}

    /** The time that somebody has, or wants to have, to answer. */
    static long responseNs(int code) {
        return AckTimeout.nanoseconds(Math.clamp(code, CmLimits.RESPONSE_CODE_MIN, CmLimits.RESPONSE_CODE_MAX));
    }

    /** Code of a packet's life, of an acknowledgement timeout, which is twice as long. */
    static int life(int ackTimeout) {
        return Math.clamp(ackTimeout - 1L, 0, CmLimits.LIFE_CODE_MAX);
    }

    /** Of the code of a packet's life, of which 0 means at once, and not for ever. */
    static long lifeNs(int code) {
        return code <= 0 ? 4096 : AckTimeout.nanoseconds(code);
    }
}
