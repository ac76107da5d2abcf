package org.verbena.adapter.ib.reliable;

import org.verbena.RnrTimer;
import org.verbena.adapter.FaultTimes;
import org.verbena.adapter.Limits;

/**
 * The time that a peer is told to wait for a page. A peer that comes at an invitation needs the time only as a safety net: it gets
 * twice the longest recent fault, because a time that is over before the page is present costs a second RNR NAK. A peer that waits
 * its time out gets the median of the faults. The policy learns from the time of its coming which kind a peer is; until then
 * the peer gets the ninth decile of the faults.
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

    RnrPolicy(FaultTimes times) {
        this.times = times;
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

    /** The time to tell the peer whose request met a fault; {@code canBeCalled} says whether it can be invited. */
    RnrTimer first(long nowNs, long measuredNs, boolean canBeCalled) {
        repeats = 0;
        callable = canBeCalled;
        return tell(nowNs, measuredNs);
    }

    /** The time to tell the peer whose request came again before the fault was over. */
    RnrTimer again(long nowNs, long measuredNs) {
        repeats++;
        return tell(nowNs, measuredNs);
    }

    /** The time that was told last, to be told again from now on. */
    RnrTimer remind(long nowNs) {
        toldSinceNs = nowNs;
        toldEndNs = nowNs + toldNs;
        return timerFor(toldNs);
    }

    private RnrTimer tell(long nowNs, long measuredNs) {
        boolean net = callable && way == Way.RESUMES;
        long baseNs = timerFor(expectedNs(net) + roundTripNs(measuredNs)).nanoseconds();
        long doubledNs = Math.min(baseNs << Math.min(repeats, 10), Limits.FAULT_RNR_NS);
        RnrTimer timer = timerFor(net ? Math.max(baseNs, doubledNs) : doubledNs);
        invited = false;
        toldNs = timer.nanoseconds();
        toldSinceNs = nowNs;
        toldEndNs = nowNs + toldNs;
        return timer;
    }

    /** Time of a fault that is to be expected. */
    private long expectedNs(boolean net) {
        if (net) {
            return Math.max(times.ninthNs(), Math.min(2 * times.longestNs(), Limits.FAULT_NET_NS));
        }
        return callable && way == Way.UNKNOWN ? times.ninthNs() : times.medianNs();
    }

    private static RnrTimer timerFor(long ns) {
        return RnrTimer.atLeast((ns + 999) / 1000);
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
