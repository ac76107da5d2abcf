package org.verbena.adapter.ib.reliable;

import org.verbena.wire.ib.Psn;

/**
 * The window: the number of packets that may be on their way at once. It opens with acknowledged packets. It closes after a loss,
 * at most once for all packets that were on their way together. Go-back-N sends all packets behind a loss again, so a window that
 * stays wide would multiply each loss by its own size.
 *
 * <p>The round trips decide how far the window closes. If they show that packets wait in queues, the queues have caused the loss:
 * the window shrinks to the packets that the path itself holds, at most by half. If round trips are as short as ever, the loss
 * has another cause, and a small window would not help: it shrinks by an eighth.
 */
final class Congestion {
    static final int WINDOW_FIRST = 64;
    static final int WINDOW_MAX = 256;
    /** Smallest window after a loss that the peer told of: with fewer packets behind a lost one, most losses end in silence. */
    static final int WINDOW_TOLD_MIN = 8;
    /** Window after silence. */
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

    /** This number of packets was acknowledged, the newest before {@code unackedPsn}. */
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

    /** Whether more than a quarter of the window waits in queues. */
    private boolean queues() {
        return roundTrip.carried(window) < window - window / 4;
    }

    /** The peer, or a gap in its answers, tells of a loss; {@code freshPsn} is behind all packets that were sent. */
    void onLoss(int freshPsn) {
        if (!recovering) {
            close(Math.clamp(roundTrip.carried(window), window / 2, window - window / 8), freshPsn);
        }
    }

    /**
     * The receiver was not ready, and dropped all packets behind the refused one. Perhaps a page is missing, and the next page is
     * too: the window is small until packets are acknowledged, and then opens quickly to its former size.
     */
    void onRefused() {
        if (window > WINDOW_TOLD_MIN) {
            threshold = Math.max(threshold, window);
            window = WINDOW_TOLD_MIN;
        }
    }

    /** The peer tells that packets met congestion; {@code freshPsn} is behind all packets that were sent. */
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

    /** Silence: all packets that were on their way count as lost. */
    void onSilence(int freshPsn) {
        int before = beforeSilence == 0 ? window : beforeSilence;
        onLoss(freshPsn);
        window = WINDOW_MIN;
        beforeSilence = before;
    }

    /** An answer shows that the packets that counted as lost were late. */
    void onLate() {
        if (beforeSilence > window) {
            window = beforeSilence;
            beforeSilence = 0;
            recovering = false;
        }
    }
}
