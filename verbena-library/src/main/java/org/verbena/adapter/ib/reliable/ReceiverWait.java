package org.verbena.adapter.ib.reliable;

/**
 * The wait for a receiver of the peer that is not ready: when it began, the pause before the next try, and the moments at which the
 * consumer is told. The wait ends with progress.
 *
 * <p>A pause is never shorter than the time that the peer names. A peer without a receive may name some microseconds and may have no
 * receive for hours, so the pause also grows with the wait: it is a quarter of the wait so far, up to {@link #PAUSE_MAX_NS}. A peer
 * that does not tell of its receive is thus asked at most a quarter of the wait too late. Once the consumer has been told of the wait,
 * the pause is {@link #PAUSE_LONG_NS}: such a wait is a mistake of a program or takes long anyway.
 */
final class ReceiverWait {
    /** Longest pause before the first report. It is shorter than a lease of pages at the peer. */
    static final long PAUSE_MAX_NS = 8_000_000;
    /** Pause after the first report. */
    static final long PAUSE_LONG_NS = 100_000_000;
    /** Wait after which the consumer is told for the first time. */
    static final long TELL_FIRST_NS = 1_000_000_000;
    /** Time between two later reports of the same wait. */
    static final long TELL_AGAIN_NS = 10_000_000_000L;

    private boolean open;
    private long sinceNs;
    private long tellNs;
    private long refusals;

    /** There was progress: the wait is over. */
    void end() {
        open = false;
    }

    /** The receiver is not ready. */
    void onRefused(long nowNs) {
        if (!open) {
            open = true;
            sinceNs = nowNs;
            tellNs = nowNs + TELL_FIRST_NS;
            refusals = 0;
        }
        refusals++;
    }

    /** The pause before the next try, for a peer that named {@code toldNs}. */
    long pauseNs(long nowNs, long toldNs) {
        long waitedNs = waitedNs(nowNs);
        return Math.max(toldNs, waitedNs < TELL_FIRST_NS ? Math.min(waitedNs / 4, PAUSE_MAX_NS) : PAUSE_LONG_NS);
    }

    /** When the consumer is to be told next. */
    long tellNs() {
        return tellNs;
    }

    /** Whether the consumer is to be told now; true once for each report. */
    boolean takeReport(long nowNs) {
        if (!open || nowNs < tellNs) {
            return false;
        }
        tellNs = nowNs + TELL_AGAIN_NS;
        return true;
    }

    /** Time since the first refusal. */
    long waitedNs(long nowNs) {
        return nowNs - sinceNs;
    }

    /** Refusals since the wait began. */
    long refusals() {
        return refusals;
    }
}
