package org.verbena.adapter.pair;

import org.verbena.QueuePairState;
import org.verbena.queue.Ring;
import org.verbena.trace.QueuePairStateEvent;

/** The state of a queue pair: the one place where it changes. */
public final class Lifecycle {
    private final int number;
    private final Ring sends;
    private volatile QueuePairState state = QueuePairState.RESET;
    private boolean drainAnnounced;

    /** State of the queue pair with this number, told to its consumer in the header of its send ring. */
    public Lifecycle(int number, Ring sends) {
        this.number = number;
        this.sends = sends;
        sends.state(state);
    }

    /** The present state. Any thread. */
    public QueuePairState state() {
        return state;
    }

    public boolean is(QueuePairState asked) {
        return state == asked;
    }

    /**
     * Changes nothing.
     *
     * @throws IllegalStateException if there is no way to the target from the present state
     */
    void require(QueuePairState target) {
        if (!state.mayBecome(target)) {
            throw cannotBecome(target);
        }
    }

    /**
     * The consumer asks for a state.
     *
     * @throws IllegalStateException if there is no way to it from the present one
     */
    public void request(QueuePairState target) {
        require(target);
        become(target);
    }

    /** Changes nothing; throws if the state is not RTR. SQD has a way to RTS too, but not this one. */
    void requireReadyToReceive() {
        if (state != QueuePairState.READY_TO_RECEIVE) {
            throw cannotBecome(QueuePairState.READY_TO_SEND);
        }
    }

    /** RTR → RTS. */
    public void requestReadyToSend() {
        requireReadyToReceive();
        become(QueuePairState.READY_TO_SEND);
    }

    /** RTS → SQD. */
    public void requestDrain() {
        request(QueuePairState.SEND_QUEUE_DRAINED);
        drainAnnounced = false;
    }

    /** SQD or SQE → RTS. */
    public void requestResume() {
        if (state != QueuePairState.SEND_QUEUE_DRAINED && state != QueuePairState.SEND_QUEUE_ERROR) {
            throw cannotBecome(QueuePairState.READY_TO_SEND);
        }
        become(QueuePairState.READY_TO_SEND);
    }

    /** The state changes without a consumer's request. */
    public void become(QueuePairState target) {
        QueuePairStateEvent.record(number, state.label(), target.label());
        state = target;
        sends.state(target);
    }

    /** Whether requests may begin. */
    public boolean beginsRequests() {
        return state == QueuePairState.READY_TO_SEND;
    }

    /** Whether the send queue is drained and its consumer is to be told: true once each time it is drained. */
    public boolean takeDrained(boolean anythingUnderWay) {
        if (state != QueuePairState.SEND_QUEUE_DRAINED || drainAnnounced || anythingUnderWay) {
            return false;
        }
        drainAnnounced = true;
        return true;
    }

    private IllegalStateException cannotBecome(QueuePairState target) {
        return new IllegalStateException("queue pair " + number + " is " + state.label() + " and can't become "
                + target.label() + " from there");
    }
}
