package org.verbena.adapter.reliable;

import org.verbena.wire.ib.Psn;

/**
 * How many packets may be on their way at once: opens by what is acknowledged, halves when something was lost, at most
 * once for all that was on its way together. Go-back-N sends everything behind a loss again, so a window that stays wide
 * would multiply each loss by its own size.
 */
final class Congestion {
    static final int WINDOW_FIRST = 64;
    static final int WINDOW_MAX = 256;
    static final int WINDOW_MIN = 2;

    private int window = WINDOW_FIRST;
    private int threshold = WINDOW_MAX;
    private int acknowledged;
    private int recoverPsn;
    private boolean recovering;

    int window() {
        return window;
    }

    /** So many packets were acknowledged, the newest before {@code unackedPsn}. */
    void onAcknowledged(int packets, int unackedPsn) {
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
            window++;
        }
    }

    /** The peer, or a gap in its answers, tells of a loss; {@code freshPsn} is behind all that was sent. */
    void onLoss(int freshPsn) {
        if (!recovering) {
            threshold = Math.max(WINDOW_MIN, window / 2);
            window = threshold;
            recovering = true;
            recoverPsn = freshPsn;
            acknowledged = 0;
        }
    }

    /** Silence: whatever was on its way is taken for lost. */
    void onSilence(int freshPsn) {
        onLoss(freshPsn);
        window = WINDOW_MIN;
    }
}
