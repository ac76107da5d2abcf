package org.verbena.adapter.ib.reliable;

import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.time.TimerWheel;
import org.verbena.time.WheelTimer;

/**
 * The requester's waits and the tries that are left. It waits for an answer, or for the peer's receiver to become ready, or for
 * nothing; one timer serves both waits. While it waits for the receiver, the deadlines of an answer do not count.
 */
final class Retry {
    /** State of the wait. */
    private enum Wait {
        NOTHING,
        ANSWER,
        RECEIVER
    }

    /** The step that a fired timer requires of the requester. */
    enum Due {
        NOTHING,
        RESUME,
        PROBE,
        TIMEOUT
    }

    private final TimerWheel wheel;
    private final WheelTimer timer;
    private final AnswerWait answer;
    private SendParameters parameters = new SendParameters(0, 0, 0, 0, 0);
    private Wait wait = Wait.NOTHING;
    private ReceiverState receiver = ReceiverState.READY;
    private final ReceiverWait receiverWait = new ReceiverWait();
    private long resumeNs;
    private int triesLeft;
    private int rnrTriesLeft;

    Retry(TimerWheel wheel, WheelTimer timer, Patience patience) {
        this.wheel = wheel;
        this.timer = timer;
        this.answer = new AnswerWait(patience);
    }

    void begin(SendParameters newParameters) {
        parameters = newParameters;
        answer.begin(newParameters.ackTimeoutNs());
        stop();
        renew();
    }

    /** Ends the wait. */
    void stop() {
        wait = Wait.NOTHING;
        wheel.cancel(timer);
    }

    boolean awaitsReceiver() {
        return wait == Wait.RECEIVER;
    }

    /** A packet left that asks for an answer. */
    void onSent(long nowNs) {
        if (wait == Wait.NOTHING) {
            awaitAnswer(nowNs);
        }
    }

    /** An answer brought progress; {@code more} says whether other answers are awaited. */
    void onProgress(long nowNs, boolean more) {
        renew();
        boolean probed = answer.forgetProbes();
        if (!more) {
            // The timer stays armed and finds nothing to do: that is cheaper than to move it with each answer.
            wait = Wait.NOTHING;
        } else if (wait == Wait.NOTHING) {
            awaitAnswer(nowNs);
        } else if (wait == Wait.ANSWER) {
            answer.restart(nowNs);
            if (probed) {
                arm(); // the timer is set for a longer silence
            }
        }
    }

    /** Takes one try after a loss that the peer told of; false when none is left. */
    boolean tryAgain(long nowNs) {
        if (triesLeft == 0) {
            return false;
        }
        triesLeft--;
        awaitAnswer(nowNs);
        return true;
    }

    /** The peer tells again of a loss that cost a try: this costs none, and the answer deadline stays. */
    void repeat(long nowNs) {
        answer.onHeard(nowNs);
        arm();
    }

    /** The wait for a receiver that is not ready. */
    ReceiverWait receiverWait() {
        return receiverWait;
    }

    /**
     * The receiver is not ready. Returns the pause before the next try: the time that the peer names or, if the tries are without end,
     * a longer one. A number of tries keeps the meaning of the specification.
     */
    long pauseNs(long nowNs, long toldNs) {
        receiverWait.onRefused(nowNs);
        return isEndless() ? receiverWait.pauseNs(nowNs, toldNs) : toldNs;
    }

    private boolean isEndless() {
        return parameters.rnrRetries() == SendParameters.RNR_RETRY_FOREVER;
    }

    /** Waits for the receiver; false when the RNR NAK costs a try and none is left. */
    boolean tryReceiverAgain(long nowNs, long delayNs) {
        receiver = receiver.onRefused();
        boolean costs = receiver == ReceiverState.REFUSED && !isEndless();
        if (costs && rnrTriesLeft-- == 0) {
            return false;
        }
        wait = Wait.RECEIVER;
        resumeNs = nowNs + delayNs;
        wheel.schedule(timer, Math.min(resumeNs, receiverWait.tellNs()));
        return true;
    }

    /** The peer says that its receiver is ready: ends the wait. */
    void resume() {
        wait = Wait.NOTHING;
        receiver = receiver.onInvited();
    }

    /** Whether the receiver was not ready, and there was no progress since. */
    boolean isRefused() {
        return receiver != ReceiverState.READY;
    }

    /** The timer has fired: decides the step, and arms the timer for the next one. */
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
        AnswerWait.Due due = answer.due(nowNs);
        if (due == AnswerWait.Due.TIMEOUT) {
            return Due.TIMEOUT;
        }
        wheel.schedule(timer, answer.nextNs());
        return due == AnswerWait.Due.PROBE ? Due.PROBE : Due.NOTHING;
    }

    /** The next probe comes after four times the silence instead of twice. */
    void backOffMore(long nowNs) {
        answer.doubleSilence(nowNs);
        wheel.schedule(timer, answer.nextNs());
    }

    private void awaitAnswer(long nowNs) {
        wait = Wait.ANSWER;
        answer.restart(nowNs);
        arm();
    }

    /** Has the timer fire no later than the next deadline; a timer that fires earlier finds nothing to do. */
    private void arm() {
        if (!timer.armed() || timer.deadlineNs() > answer.probeDeadlineNs()) {
            wheel.schedule(timer, answer.nextNs());
        }
    }

    private void renew() {
        receiver = ReceiverState.READY;
        receiverWait.end();
        triesLeft = parameters.retries();
        rnrTriesLeft = parameters.rnrRetries();
    }
}
