package org.verbena.queue;

/** What an adapter tells its consumer unasked: asynchronous events, under the names of verbs. */
public enum EventKind {
    /** The first packet arrived on a queue pair that is ready to receive. */
    COMMUNICATION_ESTABLISHED("communication established"),
    /** A draining send queue has nothing outstanding any more. */
    SEND_QUEUE_DRAINED("send queue drained"),
    /** A queue pair went to error by itself. */
    QUEUE_PAIR_FATAL("queue pair fatal error"),
    /** The peer asked for something this queue pair can't do; it went to error. */
    QUEUE_PAIR_REQUEST_ERROR("invalid request from the peer"),
    /** The peer asked for memory it may not touch; the queue pair went to error. */
    QUEUE_PAIR_ACCESS_ERROR("access violation by the peer"),
    /** All receives of a failed queue pair on a shared receive queue are back. */
    LAST_RECEIVE_REACHED("last receive reached"),
    /** A completion found no room: its queue pair went to error. */
    COMPLETION_QUEUE_OVERRUN("completion queue overrun"),
    /** The adapter's engine failed over a bug: nothing of the adapter works any more. */
    ADAPTER_FATAL("adapter fatal error"),
    /** Fewer receives than the limit are left in a shared receive queue. */
    SHARED_RECEIVE_LIMIT_REACHED("shared receive queue limit reached");

    private final String text;

    EventKind(String text) {
        this.text = text;
    }

    /** A phrase for people. */
    public String text() {
        return text;
    }
}
