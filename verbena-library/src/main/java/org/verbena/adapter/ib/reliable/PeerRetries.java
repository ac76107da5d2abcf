package org.verbena.adapter.ib.reliable;

import org.verbena.RnrTimer;
import org.verbena.adapter.ib.message.SendParameters;

/**
 * The RNR retries of the peer: how many RNR NAKs in a row it accepts for one request. The responder counts the NAKs that it has sent for
 * the request, and names times that make the retries that are left last as long as the page fault may.
 *
 * <p>The count begins anew with the next request. The peer's own count does so when an acknowledgement arrives, therefore {@link
 * Answerer} sends one in front of the first NAK.
 */
final class PeerRetries {
    private static final long LONGEST_NS = RnrTimer.US_655360.nanoseconds();
    /** The codes of the times in ascending order are the steps 1 … 32; two steps double the time. */
    private static final int STEPS = 32;

    private int retries = SendParameters.RNR_RETRY_FOREVER;
    /** Number of the request. */
    private int psn;
    /** RNR NAKs that were sent for it. */
    private int refusals;
    /** The time in the last of them. */
    private RnrTimer told = RnrTimer.US_10;

    /** A connection begins, to a peer with this number of retries. */
    void begin(int peerRetries) {
        retries = peerRetries;
        refusals = 0;
    }

    /** Whether the peer retries for ever: times may be short. */
    boolean areEndless() {
        return retries == SendParameters.RNR_RETRY_FOREVER;
    }

    /** The request with this number is to be refused. */
    void onRequest(int number) {
        if (number != psn) {
            psn = number;
            refusals = 0;
        }
    }

    /** An RNR NAK for the request with this number has left. */
    void onRefused(int number, RnrTimer timer) {
        onRequest(number);
        refusals++;
        told = timer;
    }

    /**
     * Waits that the peer still accepts for the request, with the one that it is to be told now. A peer that came again has one left,
     * whatever was counted: a NAK may have been lost.
     */
    int left() {
        return Math.max(1, retries - refusals);
    }

    /**
     * The time to tell a peer whose retries end. The last wait lasts as long as the fault may. The waits before it grow in equal ratios
     * towards that time. They are longer where faults of late would outlast the waits behind them.
     *
     * @param usual the time that the faults of late suggest
     * @param expectedNs the longest time that the fault is expected to last
     * @param restNs the time that the fault may last before the fault limit ends it
     */
    RnrTimer lasting(RnrTimer usual, long expectedNs, long restNs) {
        RnrTimer whole = timerFor(restNs);
        int left = left();
        if (left == 1) {
            return longer(usual, whole);
        }
        long laterNs = (left - 1) * LONGEST_NS;
        RnrTimer needed = timerFor(Math.max(0, Math.min(expectedNs, restNs) - laterNs));
        RnrTimer grown = refusals == 0 ? usual : towards(whole, left);
        return longer(longer(usual, grown), needed);
    }

    /** The time after the one told last, on the way to {@code whole} in this number of equal ratios. */
    private RnrTimer towards(RnrTimer whole, int waits) {
        int step = step(told);
        int missing = Math.max(0, step(whole) - step);
        return RnrTimer.of(step + (missing + waits - 1) / waits);
    }

    private static int step(RnrTimer timer) {
        return timer.code() == 0 ? STEPS : timer.code();
    }

    private static RnrTimer longer(RnrTimer one, RnrTimer other) {
        return one.microseconds() >= other.microseconds() ? one : other;
    }

    /** The shortest time of at least this, or the longest there is. */
    static RnrTimer timerFor(long ns) {
        return RnrTimer.atLeast(ns / 1000 + (ns % 1000 == 0 ? 0 : 1));
    }
}
