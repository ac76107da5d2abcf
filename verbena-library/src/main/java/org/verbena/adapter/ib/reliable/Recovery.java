package org.verbena.adapter.ib.reliable;

import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Psn;

/**
 * Sends requests again: after a loss that the peer tells of or that a gap in the answers shows, after silence, and after the
 * receiver was not ready. One loss is told of by several packets; the requester goes back for it once.
 */
final class Recovery {
    private final ReliableConnection connection;
    private final Counters counters;
    private final Outstanding outstanding;
    /** The requester went back, and there was no progress since. */
    private boolean wentBack;
    /** The oldest number without an answer when the requester went back. */
    private int wentBackTo;
    /** When the requests were sent again, or will be. */
    private long wentBackNs;
    /** Number of the newest answer that passed over a lost one. */
    private int passedPsn;

    Recovery(ReliableConnection connection, Counters counters, Outstanding outstanding) {
        this.connection = connection;
        this.counters = counters;
        this.outstanding = outstanding;
    }

    void begin() {
        wentBack = false;
    }

    void onProgress() {
        wentBack = false;
    }

    /** The receiver is not ready: all requests that are not answered are sent again, not before the time that the peer names. */
    void onReceiverNotReady(long nowNs, long toldNs) {
        if (connection.retry().awaitsReceiver()) {
            return; // the same RNR NAK came twice
        }
        long delayNs = connection.retry().pauseNs(nowNs, toldNs);
        connection.patience().onRefused();
        connection.congestion().onRefused();
        connection.requester().goBackRefused();
        // The peer tells of gaps behind the refused packet until that has come again: they are no other losses.
        wentBackAt(nowNs + delayNs);
        if (!connection.retry().tryReceiverAgain(nowNs, delayNs)) {
            counters.add(Counter.RNR_RETRY_EXCEEDED);
            connection.fail(Status.RNR_RETRY_EXCEEDED, Verdict.GRANTED);
        }
    }

    /** The peer repeats, unasked, its last acknowledgement: its receiver is ready. */
    void onReceiverReady(long nowNs) {
        counters.add(Counter.RESUMED_BY_ACK);
        wentBackAt(nowNs);
        connection.retry().resume();
        connection.scheduleResumed();
    }

    private void wentBackAt(long timeNs) {
        wentBack = true;
        wentBackTo = outstanding.unackedPsn();
        wentBackNs = timeNs;
    }

    private boolean isBack() {
        return wentBack && wentBackTo == outstanding.unackedPsn();
    }

    /**
     * An answer to a later request shows that the answer to a read or an atomic was lost. Answers that follow on in ascending order
     * show the same loss. An answer that does not follow on was sent again, and the same answer was lost a second time.
     */
    void onGap(long nowNs, int psn) {
        counters.add(Counter.IMPLIED_SEQUENCE_NAKS);
        boolean follows = isBack() && Psn.distance(passedPsn, psn) > 0;
        passedPsn = psn;
        if (!follows) {
            onLoss(nowNs);
        }
    }

    /**
     * A packet was lost: the requester goes back, once in a round trip, because packets under way may tell of the same loss. While
     * it waits for the receiver it has gone back already: Linux tells of the packets behind the refused one as of a loss.
     */
    void onLoss(long nowNs) {
        boolean again = isBack();
        boolean told = again && nowNs - wentBackNs < connection.roundTrip().leastNs();
        if (told || connection.retry().awaitsReceiver()) {
            return;
        }
        wentBackAt(nowNs);
        connection.patience().onLoss();
        connection.congestion().onLoss(outstanding.freshPsn());
        connection.requester().goBack();
        if (again) {
            connection.retry().repeat(nowNs);
        } else if (!connection.retry().tryAgain(nowNs)) {
            onExhausted();
        }
        connection.schedule();
    }

    /** The answer deadline has passed. */
    void onTimeout(long nowNs) {
        countSilence(Counter.ACK_TIMEOUTS, Counter.RESUMED_BY_ACK_TIMEOUT);
        if (connection.retry().tryAgain(nowNs)) {
            sendAgain(nowNs);
        } else {
            onExhausted();
        }
    }

    /**
     * The probe deadline has passed: asks again, which costs no try. If data is awaited, the peer may wait for a page, in silence:
     * the window stays open, and the next probe comes later. A calm connection asks for the oldest data only.
     */
    void onProbe(long nowNs) {
        countSilence(Counter.PROBES, Counter.RESUMED_BY_PROBE);
        if (outstanding.anyStarted()
                && outstanding.operation(outstanding.retired()).awaitsAnswer()) {
            connection.retry().backOffMore(nowNs);
            ask(nowNs, connection.patience().isCalm());
        } else {
            sendAgain(nowNs);
        }
    }

    private void countSilence(Counter any, Counter afterRefusal) {
        counters.add(any);
        if (connection.retry().isRefused()) {
            counters.add(afterRefusal);
        }
    }

    private void sendAgain(long nowNs) {
        connection.congestion().onSilence(outstanding.freshPsn());
        ask(nowNs, false);
    }

    private void ask(long nowNs, boolean byOne) {
        wentBack = false;
        connection.patience().onAsked(nowNs);
        connection.requester().ask(byOne);
        connection.schedule();
    }

    private void onExhausted() {
        counters.add(Counter.RETRY_EXCEEDED);
        connection.fail(Status.RETRY_EXCEEDED, Verdict.GRANTED);
    }
}
