package org.verbena.adapter.ib.reliable;

import org.verbena.time.Durations;

/**
 * The two deadlines of a wait for an answer. The probe deadline follows {@link Patience}; a missed one has the requester
 * ask again, and doubles the next silence. The answer deadline is the consumer's timeout; a missed one costs a try.
 */
final class AnswerWait {
    /** The step that a passed deadline requires. */
    enum Due {
        NOTHING,
        PROBE,
        TIMEOUT
    }

    /** A timer that fires later than by this shows that the engine's thread did not run meanwhile. */
    static final long LATE_NS = 25_000;

    /** Probes after which the silence before the next one grows no more. */
    private static final int DOUBLINGS_MAX = 12;
    /**
     * Longest silence between two probes, if the wait has an end: where many packets are lost, the probes must not become rare because the
     * consumer's timeout is long. Without an end the silence grows on.
     */
    static final long PROBE_MAX_NS = 67_108_864;

    private final Patience patience;
    private long timeoutNs;
    private long answerDeadlineNs;
    private long probeDeadlineNs;
    private int probes;
    /** The engine's thread met the probe deadline late, and the deadline was extended once. */
    private boolean extended;

    AnswerWait(Patience patience) {
        this.patience = patience;
    }

    /** A connection begins. With a timeout of 0 the answer deadline never passes. */
    void begin(long answerTimeoutNs) {
        timeoutNs = answerTimeoutNs;
        probes = 0;
    }

    /** Both deadlines count from now. */
    void restart(long nowNs) {
        extended = false;
        answerDeadlineNs = timeoutNs == 0 ? Long.MAX_VALUE : Durations.deadlineNs(nowNs, timeoutNs);
        probeAfterSilence(nowNs);
    }

    /** The peer has answered: silence counts from now, and as short as at first. The answer deadline stays. */
    void onHeard(long nowNs) {
        probes = 0;
        probeAfterSilence(nowNs);
    }

    /** Forgets the probes; returns whether there were any, so that the next probe is due earlier than before. */
    boolean forgetProbes() {
        boolean any = probes > 0;
        probes = 0;
        return any;
    }

    /** The silence before the next probe is doubled once more. */
    void doubleSilence(long nowNs) {
        probes++;
        probeAfterSilence(nowNs);
    }

    private void probeAfterSilence(long nowNs) {
        long firstNs = patience.silenceNs(timeoutNs);
        long mostNs = timeoutNs == 0 ? Long.MAX_VALUE : Math.max(firstNs, PROBE_MAX_NS);
        probeDeadlineNs = nowNs + Math.min(mostNs, firstNs << Math.min(probes, DOUBLINGS_MAX));
    }

    /** When to look at the deadlines next. */
    long nextNs() {
        return Math.min(answerDeadlineNs, probeDeadlineNs);
    }

    long probeDeadlineNs() {
        return probeDeadlineNs;
    }

    /**
     * Decides which deadline has passed, and sets the next probe deadline. If the engine's thread comes late, the answer may be in the
     * link already: the probe deadline is extended once, so that the engine receives before it asks again.
     */
    Due due(long nowNs) {
        if (nowNs >= answerDeadlineNs) {
            return Due.TIMEOUT;
        }
        if (nowNs < probeDeadlineNs) {
            return Due.NOTHING;
        }
        if (nowNs - probeDeadlineNs > LATE_NS && !extended) {
            extended = true;
            probeDeadlineNs = nowNs + LATE_NS;
            return Due.NOTHING;
        }
        extended = false;
        doubleSilence(nowNs);
        return Due.PROBE;
    }
}
