package org.verbena.adapter.ib.reliable;

import org.verbena.RnrTimer;
import org.verbena.adapter.FaultTimes;
import org.verbena.adapter.Limits;

/**
 * The time that a peer is told to wait for a page. A peer that comes at an invitation needs the time only as a safety net: it gets
 * twice the longest recent fault, because a time that is over before the page is present costs a second RNR NAK. A peer that waits
 * its time out gets the median of the faults. The policy learns from the time of its coming which kind a peer is; until then
 * the peer gets the ninth decile of the faults.
 *
 * <p>All this is for peers that retry for ever. For a peer with few retries the times also follow {@link PeerRetries}.
 */
final class RnrPolicy {
    /** The kind of a peer. */
    enum Way {
        /** Not known yet. */
        UNKNOWN,
        /** The peer waits its time out. */
        WAITS,
        /** The peer comes at an invitation. */
        RESUMES
    }

    /**
     * Number of late comings in a row after which a peer counts as one that waits, or no longer as one that resumes. It is more
     * than one because a thread may not have run for a while.
     */
    static final int LATE_MAX = 3;
    /**
     * Number of prompt comings in a row after which a peer counts as one that resumes. It is more than one because a timer that
     * counts in ticks, as the timer of Linux does, may by chance be over just after an invitation.
     */
    static final int PROMPT_MIN = 3;
    /** Time of a round trip, until one is measured. */
    static final long ROUND_TRIP_FIRST_NS = 50_000;

    private final FaultTimes times;
    private final PeerRetries retries;
    private Way way = Way.UNKNOWN;
    private int late;
    private int prompt;
    private int repeats;
    /** Whether the peer can be invited when the page is present. */
    private boolean callable;

    private long toldNs;
    private long toldSinceNs;
    private long toldEndNs;
    private boolean invited;
    private long invitedNs;
    private long roundTripNs;

    RnrPolicy(FaultTimes times, PeerRetries retries) {
        this.times = times;
        this.retries = retries;
    }

    /** A connection begins, to an unknown peer. */
    void begin() {
        way = Way.UNKNOWN;
        late = 0;
        prompt = 0;
        repeats = 0;
        callable = false;
        invited = false;
        toldNs = 0;
        roundTripNs = 0;
    }

    Way way() {
        return way;
    }

    /** Time of a round trip: as the requester measured it (0 if it has not), else as the peer's coming has shown. */
    long roundTripNs(long measuredNs) {
        if (measuredNs > 0) {
            return measuredNs;
        }
        return roundTripNs > 0 ? roundTripNs : ROUND_TRIP_FIRST_NS;
    }

    /**
     * The time to tell the peer whose request met a fault.
     *
     * @param canBeCalled whether the peer can be invited
     * @param restNs the time that the fault may last
     */
    RnrTimer first(long nowNs, long measuredNs, boolean canBeCalled, long restNs) {
        repeats = 0;
        callable = canBeCalled;
        return tell(nowNs, measuredNs, restNs);
    }

    /** The time to tell the peer whose request came again before the fault was over, which may last for {@code restNs} more. */
    RnrTimer again(long nowNs, long measuredNs, long restNs) {
        repeats++;
        return tell(nowNs, measuredNs, restNs);
    }

    /**
     * The time to tell a peer that seems not to have received the last one: the same again. Linux may have received it, and also comes with earlier
     * packets than the refused one; so a peer with few retries is told a longer time, as if the refused one had come.
     */
    RnrTimer remind(long nowNs, long measuredNs, long restNs) {
        return retries.areEndless() ? told(nowNs, PeerRetries.timerFor(toldNs)) : again(nowNs, measuredNs, restNs);
    }

    private RnrTimer tell(long nowNs, long measuredNs, long restNs) {
        invited = false;
        return told(nowNs, retries.areEndless() ? usual(measuredNs) : lasting(measuredNs, restNs));
    }

    private RnrTimer told(long nowNs, RnrTimer timer) {
        toldNs = timer.nanoseconds();
        toldSinceNs = nowNs;
        toldEndNs = nowNs + toldNs;
        return timer;
    }

    /** The time for a peer that retries for ever. */
    private RnrTimer usual(long measuredNs) {
        boolean net = callable && way == Way.RESUMES;
        long expectedNs = net ? longNs() : callable && way == Way.UNKNOWN ? times.ninthNs() : times.medianNs();
        long baseNs = PeerRetries.timerFor(expectedNs + roundTripNs(measuredNs)).nanoseconds();
        long doubledNs = Math.min(baseNs << Math.min(repeats, 10), Limits.FAULT_RNR_NS);
        return PeerRetries.timerFor(net ? Math.max(baseNs, doubledNs) : doubledNs);
    }

    /** The time for a peer with few retries. The wait before the last is a long one: the last may last much longer than the fault. */
    private RnrTimer lasting(long measuredNs, long restNs) {
        boolean net = retries.left() == 2 || (callable && way == Way.RESUMES);
        RnrTimer usual = PeerRetries.timerFor((net ? longNs() : times.ninthNs()) + roundTripNs(measuredNs));
        return retries.lasting(usual, 2 * times.longestNs(), restNs);
    }

    /** A time that few faults exceed. */
    private long longNs() {
        return Math.max(times.ninthNs(), Math.min(2 * times.longestNs(), Limits.FAULT_NET_NS));
    }

    /** The time that was told last. */
    long toldNs() {
        return toldNs;
    }

    /** Whether the peer comes at an invitation, and its time lasts longer than this. */
    boolean isWorthCalling(long untilNs) {
        return way == Way.RESUMES && untilNs < toldEndNs;
    }

    /** The peer has been invited. */
    void onInvited(long nowNs) {
        if (!invited) {
            invited = true;
            invitedNs = nowNs;
        }
    }

    /** The request that met the fault came again. */
    void onCame(long nowNs, long measuredNs) {
        if (!invited) {
            return;
        }
        invited = false;
        long expectedNs = invitedNs + 2 * roundTripNs(measuredNs);
        if (nowNs > expectedNs) {
            if (expectedNs < toldEndNs && !isUndecided(nowNs)) {
                onLate();
            }
        } else if (nowNs < toldEndNs) {
            onPrompt(Math.max(1, nowNs - invitedNs));
        }
    }

    /** A peer that is known to resume came late, but earlier than its timer: it may have been busy. */
    private boolean isUndecided(long nowNs) {
        return way == Way.RESUMES && nowNs - toldSinceNs < toldNs / 4 * 3;
    }

    private void onLate() {
        prompt = 0;
        late++;
        if (late >= LATE_MAX) {
            way = way == Way.RESUMES ? Way.UNKNOWN : Way.WAITS;
            late = way == Way.WAITS ? late : 0;
        }
    }

    private void onPrompt(long tripNs) {
        late = 0;
        prompt++;
        roundTripNs = roundTripNs == 0 ? tripNs : roundTripNs + (tripNs - roundTripNs) / 8;
        if (prompt >= PROMPT_MIN) {
            way = Way.RESUMES;
        }
    }
}
