package org.verbena.adapter.ib.reliable;

import org.verbena.wire.ib.Psn;

/**
 * Decides whether the peer is told of a gap when a request comes ahead of the expected one.
 *
 * <p>One gap is told of once: packets that follow on in ascending order belong to it. A packet that does not follow on was sent
 * again, and the expected packet, which was sent before it, is lost a second time: the peer is told again.
 *
 * <p>A peer that was told to wait sends on until it knows. The packets of this <em>burst</em> tell of no gap: until the time that
 * the peer was told, and after it as long as they follow on without a pause of that time and a round trip. Linux may send on for
 * longer than it is told to wait.
 */
final class GapWatch {
    private static final long LONG_AGO_NS = Long.MIN_VALUE / 2;
    private static final long NEVER_NS = Long.MAX_VALUE;

    private boolean told;
    /** The newest packet ahead of the expected one, once the peer is told. */
    private int aheadPsn;
    /** Until this time each packet ahead belongs to the burst; NEVER_NS if the peer was not told to wait. */
    private long quietUntilNs = NEVER_NS;
    /** Until this time a packet that follows on belongs to the burst. */
    private long burstUntilNs;
    /** A pause as long as this ends the burst. */
    private long pauseNs;
    /** Arrival of the newest packet of the burst. */
    private long burstNs;

    /** A connection begins. */
    void begin() {
        onExpected();
    }

    /** The expected packet came. */
    void onExpected() {
        told = false;
        quietUntilNs = NEVER_NS;
    }

    /** A packet came ahead of the expected one; returns whether to tell the peer. */
    boolean onAhead(int psn, long nowNs) {
        if (quietUntilNs != NEVER_NS) {
            if (nowNs < quietUntilNs || continuesBurst(psn, nowNs)) {
                onBurst(psn, nowNs);
                return false;
            }
            // The peer waited and sent again, and the expected packet was lost.
            onExpected();
        }
        boolean follows = told && Psn.distance(aheadPsn, psn) > 0;
        aheadPsn = psn;
        told = true;
        return !follows;
    }

    private boolean continuesBurst(int psn, long nowNs) {
        return Psn.distance(aheadPsn, psn) > 0 && (nowNs < burstUntilNs || nowNs - burstNs < pauseNs);
    }

    private void onBurst(int psn, long nowNs) {
        if (Psn.distance(aheadPsn, psn) > 0) {
            aheadPsn = psn;
            burstNs = nowNs;
        } else {
            burstNs = LONG_AGO_NS; // the packet may have been sent again
        }
    }

    /** The expected packet was refused, and the peer is told to wait: a burst follows. */
    void onToldToWait(int expectedPsn, long toldNs, long roundTripNs, long nowNs) {
        told = true;
        onRefused(expectedPsn);
        pauseNs = toldNs + roundTripNs;
        quietUntilNs = nowNs + toldNs;
        burstUntilNs = nowNs + pauseNs;
    }

    /** The expected packet was dropped without an answer: the packets behind it begin the burst anew. */
    void onRefused(int expectedPsn) {
        aheadPsn = expectedPsn;
        burstNs = LONG_AGO_NS;
    }

    /** The peer was invited to send before its time is over: the burst ends when it can have come. */
    void onInvited(long comesNs) {
        quietUntilNs = Math.min(quietUntilNs, comesNs);
        burstUntilNs = quietUntilNs;
    }
}
