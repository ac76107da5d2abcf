package org.verbena.adapter.ib.reliable;

import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.time.Timer;
import org.verbena.time.TimerWheel;

/**
 * What a requester waits for and how patient it still is. Waiting for an answer and waiting for a receiver to become
 * ready are two states: while the second lasts, the first one's time does not run.
 */
final class Retry {
    /** What is waited for. */
    enum Wait {
        NOTHING,
        ANSWER,
        RECEIVER
    }

    /** A timer that fires later than by this tells that the engine's thread was away. */
    static final long LATE_NS = 25_000;

    private final TimerWheel wheel;
    private final Timer timer;
    private final RoundTrip roundTrip;

    private Wait wait = Wait.NOTHING;
    private SendParameters parameters = new SendParameters(0, 0, 0, 0, 0);
    private int triesLeft;
    private int rnrTriesLeft;
    private long answerDeadlineNs;
    private long probeDeadlineNs;
    private long resumeNs;
    private int probes;
    /** The present silence was found out late, and borne for a while longer. */
    private boolean excused;
    /** The receiver was not ready and nothing has been answered since. */
    private boolean refused;
    /** The present try at a receiver began at the peer's word. */
    private boolean invited;
    /** The last refusal cost no try. */
    private boolean spared;

    Retry(TimerWheel wheel, Timer timer, RoundTrip roundTrip) {
        this.wheel = wheel;
        this.timer = timer;
        this.roundTrip = roundTrip;
    }

    void begin(SendParameters newParameters) {
        parameters = newParameters;
        stop();
        renew();
    }

    /** Waits for nothing any more. */
    void stop() {
        wait = Wait.NOTHING;
        wheel.cancel(timer);
    }

    boolean awaitsReceiver() {
        return wait == Wait.RECEIVER;
    }

    /** A packet left that wants an answer. */
    void onSent(long nowNs) {
        if (wait == Wait.NOTHING) {
            awaitAnswer(nowNs);
        }
    }

    /** An answer brought something forward; {@code more} says whether others are awaited. */
    void onProgress(long nowNs, boolean more) {
        renew();
        boolean probed = probes > 0;
        probes = 0;
        if (!more) {
            // The timer stays armed: it finds nothing to do, which is cheaper than moving it with each answer.
            wait = Wait.NOTHING;
        } else if (wait != Wait.RECEIVER) {
            deadlines(nowNs);
            if (probed) {
                // It was set for a longer silence than is borne from now on.
                arm();
            }
        }
    }

    /** One more try after a loss the peer told of; false when none is left. */
    boolean tryAgain(long nowNs) {
        if (triesLeft == 0) {
            return false;
        }
        triesLeft--;
        awaitAnswer(nowNs);
        return true;
    }

    /**
     * The peer tells again of a loss that a try was counted for. It is there and answers, so this costs none, but the
     * time for an answer that brings something forward runs on.
     */
    void repeat(long nowNs) {
        probes = 0;
        probeDeadlineNs = nowNs + probeNs();
        arm();
    }

    /**
     * One more try in {@code delayNs}; false when none is left. A try that the peer asked for and refuses nevertheless
     * costs nothing, since what looked like its word may have been an acknowledgement that the refusal overtook; but not
     * twice in a row.
     */
    boolean tryReceiverAgain(long nowNs, long delayNs) {
        spared = invited && !spared;
        invited = false;
        refused = true;
        if (!spared && parameters.rnrRetries() != SendParameters.RNR_RETRY_FOREVER && rnrTriesLeft-- == 0) {
            return false;
        }
        wait = Wait.RECEIVER;
        resumeNs = nowNs + delayNs;
        wheel.schedule(timer, resumeNs);
        return true;
    }

    /** The peer says that it is ready: waits no longer. */
    void resume() {
        wait = Wait.NOTHING;
        invited = true;
    }

    /** Whether the receiver was not ready and nothing has been answered since. */
    boolean isRefused() {
        return refused;
    }

    /** What the timer's firing means. */
    enum Due {
        NOTHING,
        RESUME,
        PROBE,
        TIMEOUT
    }

    /** The timer fired: what is due now. Arms it again for what is due later. */
    Due onTimer(long nowNs) {
        return switch (wait) {
            case NOTHING -> Due.NOTHING;
            case RECEIVER -> resumeDue(nowNs);
            case ANSWER -> answerDue(nowNs);
        };
    }

    private Due resumeDue(long nowNs) {
        if (nowNs < resumeNs) {
            wheel.schedule(timer, resumeNs);
            return Due.NOTHING;
        }
        wait = Wait.NOTHING;
        return Due.RESUME;
    }

    private Due answerDue(long nowNs) {
        if (nowNs >= answerDeadlineNs) {
            return Due.TIMEOUT;
        }
        if (nowNs < probeDeadlineNs) {
            wheel.schedule(timer, Math.min(answerDeadlineNs, probeDeadlineNs));
            return Due.NOTHING;
        }
        if (nowNs - probeDeadlineNs > LATE_NS && !excused) {
            // Who was away himself has heard nothing for that reason, perhaps: he listens once more before he asks.
            excused = true;
            probeDeadlineNs = nowNs + LATE_NS;
            wheel.schedule(timer, Math.min(answerDeadlineNs, probeDeadlineNs));
            return Due.NOTHING;
        }
        excused = false;
        probes++;
        probeDeadlineNs = nowNs + probeNs();
        wheel.schedule(timer, Math.min(answerDeadlineNs, probeDeadlineNs));
        return Due.PROBE;
    }

    /** The next probe comes after four times the silence instead of twice. */
    void backOffMore(long nowNs) {
        probes++;
        probeDeadlineNs = nowNs + probeNs();
        wheel.schedule(timer, Math.min(answerDeadlineNs, probeDeadlineNs));
    }

    private void awaitAnswer(long nowNs) {
        wait = Wait.ANSWER;
        deadlines(nowNs);
        arm();
    }

    /** Sees to it that the timer fires in time; one that fires too early finds nothing to do. */
    private void arm() {
        if (!timer.armed() || timer.deadlineNs() > probeDeadlineNs) {
            wheel.schedule(timer, Math.min(answerDeadlineNs, probeDeadlineNs));
        }
    }

    private void deadlines(long nowNs) {
        excused = false;
        answerDeadlineNs = parameters.ackTimeoutNs() == 0 ? Long.MAX_VALUE : nowNs + parameters.ackTimeoutNs();
        probeDeadlineNs = nowNs + probeNs();
    }

    private long probeNs() {
        return roundTrip.probeNs() << Math.min(probes, 12);
    }

    private void renew() {
        refused = false;
        invited = false;
        spared = false;
        triesLeft = parameters.retries();
        rnrTriesLeft = parameters.rnrRetries();
    }
}
