package org.verbena.adapter.ib.reliable;

import org.verbena.wire.ib.Psn;

/**
 * How many packets may be on their way at once: opens by what is acknowledged, closes when something was lost, at most
 * once for all that was on its way together. Go-back-N sends everything behind a loss again, so a window that stays wide
 * would multiply each loss by its own size.
 *
 * <p>How far it closes depends on what the round trips say. Where packets wait in queues the loss is taken for theirs:
 * the window shrinks to what the path itself holds, at most by half. Where round trips are as short as ever the network
 * has lost a packet for reasons of its own, and waiting more would not help: the window shrinks by an eighth.
 */
final class Congestion {
    static final int WINDOW_FIRST = 64;
    static final int WINDOW_MAX = 256;
    /** Below this go-back-N would end most losses in silence: too little follows the lost packet to tell of it. */
    static final int WINDOW_TOLD_MIN = 8;
    /** After silence. */
    static final int WINDOW_MIN = 2;

    private final RoundTrip roundTrip;
    private int window = WINDOW_FIRST;
    private int threshold = WINDOW_MAX;
    private int acknowledged;
    private int recoverPsn;
    private boolean recovering;
    private int beforeSilence;

    Congestion(RoundTrip roundTrip) {
        this.roundTrip = roundTrip;
    }

    /** A connection begins. */
    void begin() {
        window = WINDOW_FIRST;
        threshold = WINDOW_MAX;
        acknowledged = 0;
        recovering = false;
        beforeSilence = 0;
    }

    int window() {
        return window;
    }

    /** So many packets were acknowledged, the newest before {@code unackedPsn}. */
    void onAcknowledged(int packets, int unackedPsn) {
        beforeSilence = 0;
        if (recovering && Psn.distance(recoverPsn, unackedPsn) >= 0) {
            recovering = false;
        }
        if (window >= WINDOW_MAX) {
            return;
        }
        if (window < threshold) {
            window = Math.min(WINDOW_MAX, window + packets);
            return;
        }
        acknowledged += packets;
        if (acknowledged >= window) {
            acknowledged -= window;
            window = Math.min(WINDOW_MAX, window + 1 + (queues() ? 0 : window / 16));
        }
    }

    /** Whether a good part of the window waits in queues on the way. */
    private boolean queues() {
        return roundTrip.carried(window) < window - window / 4;
    }

    /** The peer, or a gap in its answers, tells of a loss; {@code freshPsn} is behind all that was sent. */
    void onLoss(int freshPsn) {
        if (!recovering) {
            close(Math.clamp(roundTrip.carried(window), window / 2, window - window / 8), freshPsn);
        }
    }

    /**
     * The receiver was not ready, and everything sent behind the refused packet was in vain. It may not be ready for the next one
     * either, a page of memory perhaps: it gets little until it takes it, then soon as much as before.
     */
    void onRefused() {
        if (window > WINDOW_TOLD_MIN) {
            threshold = Math.max(threshold, window);
            window = WINDOW_TOLD_MIN;
        }
    }

    /** The peer tells that packets met congestion; {@code freshPsn} is behind all that was sent. */
    void onNotified(int freshPsn) {
        if (!recovering) {
            close(window / 2, freshPsn);
        }
    }

    private void close(int to, int freshPsn) {
        threshold = Math.max(WINDOW_TOLD_MIN, to);
        window = Math.min(window, threshold);
        recovering = true;
        recoverPsn = freshPsn;
        acknowledged = 0;
    }

    /** Silence: whatever was on its way is taken for lost. */
    void onSilence(int freshPsn) {
        int before = beforeSilence == 0 ? window : beforeSilence;
        onLoss(freshPsn);
        window = WINDOW_MIN;
        beforeSilence = before;
    }

    /** An answer shows that what was taken for lost had only been late. */
    void onLate() {
        if (beforeSilence > window) {
            window = beforeSilence;
            beforeSilence = 0;
            recovering = false;
        }
    }
}
