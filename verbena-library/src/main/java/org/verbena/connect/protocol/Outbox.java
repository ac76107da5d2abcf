package org.verbena.connect.protocol;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.CmMessage;

/** Sends the messages of one conversation. The message that awaits an answer is repeated until the answer comes or the tries end. */
final class Outbox {
    private final Surroundings world;
    private final Endpoint peer;
    private final WheelTimer timer;
    private long transactionId;
    private int retries;
    private long responseNs;
    private int triesLeft;
    private int sent;
    /** Whether the peer has asked for more time since the pending message was sent last. */
    private boolean extended;

    private @Nullable CmMessage pending;

    /** @param onTimer called when the time of {@link #sendUntilAnswered} or {@link #wakeAfter} is over */
    Outbox(Surroundings world, Endpoint peer, WheelTimer.Action onTimer) {
        this.world = world;
        this.peer = peer;
        this.timer = new WheelTimer(onTimer);
    }

    /** Messages belong to this transaction from now on. */
    void transactionId(long id) {
        transactionId = id;
    }

    /** Sets how long each try of {@link #sendUntilAnswered} waits, and how many tries follow the first. */
    void patience(long perTryNs, int moreTries) {
        responseNs = perTryNs;
        retries = moreTries;
    }

    /** Sends a message once. */
    void send(CmMessage message) {
        world.send(peer, message, transactionId);
    }

    /** Messages sent so far that await an answer, repetitions included. */
    int sent() {
        return sent;
    }

    /** Sends a message; {@link #retry} repeats it. */
    void sendUntilAnswered(CmMessage message) {
        pending = message;
        triesLeft = retries;
        extended = false;
        sent++;
        send(message);
        wakeAfter(responseNs);
    }

    /** Sends the pending message again, if there is one, without using up a try. */
    void repeat() {
        CmMessage again = pending;
        if (again != null) {
            sent++;
            send(again);
        }
    }

    /** Sends the pending message again because its time is over; false if no try is left. */
    boolean retry(long nowNs) {
        if (triesLeft == 0) {
            return false;
        }
        triesLeft--;
        extended = false;
        world.count(Counter.CM_RETRIES);
        repeat();
        world.schedule(timer, nowNs + responseNs);
        return true;
    }

    /** Waits longer for the answer to the pending message, once per try; false if the time was extended before. */
    boolean extend(long durationNs) {
        if (extended) {
            return false;
        }
        extended = true;
        wakeAfter(durationNs);
        return true;
    }

    /** Calls the timer's handler after this time, in place of the time set before. */
    void wakeAfter(long durationNs) {
        world.schedule(timer, world.nowNs() + durationNs);
    }

    /** No message awaits an answer any more; the timer is disarmed. */
    void stop() {
        pending = null;
        world.cancel(timer);
    }
}
