package org.verbena.adapter.ib.reliable;

import org.verbena.adapter.FaultTimes;
import org.verbena.adapter.Limits;
import org.verbena.wire.ib.RnrTimer;

/**
 * How long a peer is told to wait for a page. One that resumes when it is told that the page is there needs the time only
 * as a safety net, so it gets twice the longest that a fault took lately: a time that ends before the page is there costs a
 * second refusal. One that waits it out whatever it is told gets the time that a fault usually takes. Which of both a peer is,
 * is seen from when it comes again, never assumed; until then it gets what nine in ten faults take.
 */
final class RnrPolicy {
    /** What is known of a peer's way. */
    enum Way {
        /** Nothing yet. */
        UNKNOWN,
        /** It waits the time out. */
        WAITS,
        /** It resumes when told. */
        RESUMES
    }

    /**
     * Times in a row that a peer did not come when told before it is taken for one that waits, or no longer for one that
     * resumes. One is none: a thread may have been away.
     */
    static final int LATE_MAX = 3;
    /**
     * Times in a row that a peer came when told before it is taken for one that resumes. One is none: a timer that counts in
     * ticks, as Linux's does, may be over early and just then.
     */
    static final int PROMPT_MIN = 3;
    /** A round trip, before one was measured. */
    static final long ROUND_TRIP_FIRST_NS = 50_000;

    private final FaultTimes times;
    private Way way = Way.UNKNOWN;
    private int late;
    private int prompt;
    private int repeats;
    /** Whether the peer will be told that the page is there. */
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

    /** A connection begins, to a peer of which nothing is known. */
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

    /** A round trip: as the requester measured it (0: it did not), else as the peer's coming again showed. */
    long roundTripNs(long measuredNs) {
        if (measuredNs > 0) {
            return measuredNs;
        }
        return roundTripNs > 0 ? roundTripNs : ROUND_TRIP_FIRST_NS;
    }

    /** A request met a fault: what the peer is told. {@code canBeCalled}: it can be told when the page is there. */
    RnrTimer first(long nowNs, long measuredNs, boolean canBeCalled) {
        repeats = 0;
        callable = canBeCalled;
        return tell(nowNs, measuredNs);
    }

    /** The same request came again before the fault was over: what the peer is told now. */
    RnrTimer again(long nowNs, long measuredNs) {
        repeats++;
        return tell(nowNs, measuredNs);
    }

    /** What it was told, told again. */
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

    /** What a fault may take, as the peer is told. */
    private long expectedNs(boolean net) {
        if (net) {
            return Math.max(times.ninthNs(), Math.min(2 * times.longestNs(), Limits.FAULT_NET_NS));
        }
        return callable && way == Way.UNKNOWN ? times.ninthNs() : times.medianNs();
    }

    private static RnrTimer timerFor(long ns) {
        return RnrTimer.atLeast((ns + 999) / 1000);
    }

    /** The time told last. */
    long toldNs() {
        return toldNs;
    }

    /** Whether the peer is one that comes when it is called, and would else wait for longer than this. */
    boolean isWorthCalling(long untilNs) {
        return way == Way.RESUMES && untilNs < toldEndNs;
    }

    /** The peer has been told that the page is there. */
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

    /** One that was known to resume and came late, but not as late as its timer would be: it may have been busy. */
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
