package org.verbena;

/** Kinds of asynchronous events, under the names of verbs: what an adapter tells its consumer without being asked. */
public enum EventKind {
    /** The first packet arrived on a queue pair that is ready to receive. */
    COMMUNICATION_ESTABLISHED("communication established"),
    /** All requests of a draining send queue that had begun are finished. */
    SEND_QUEUE_DRAINED("send queue drained"),
    /** A queue pair failed and is in ERROR. */
    QUEUE_PAIR_FATAL("queue pair fatal error"),
    /** The peer sent a request that this queue pair cannot take; the queue pair is in ERROR. */
    QUEUE_PAIR_REQUEST_ERROR("invalid request from the peer"),
    /** The peer asked for memory that it may not touch; the queue pair is in ERROR. */
    QUEUE_PAIR_ACCESS_ERROR("access violation by the peer"),
    /** Over iWARP: the peer has ended the stream under a queue pair, which is in ERROR. A connection that has the queue pair keeps the event. */
    STREAM_ENDED("the peer ended the stream"),
    /** A failed queue pair holds no receive of its shared receive queue any more. */
    LAST_RECEIVE_REACHED("last receive reached"),
    /** A completion found no room; its queue pair is in ERROR. */
    COMPLETION_QUEUE_OVERRUN("completion queue overrun"),
    /** The adapter's engine has stopped because of a bug; nothing of the adapter works any more. */
    ADAPTER_FATAL("adapter fatal error"),
    /**
     * The peer has answered for a second, and again for each ten seconds after that, that it is not ready: it has no receive posted, or
     * a page of its memory does not come. The queue pair goes on trying.
     */
    RECEIVE_MISSING("no receive at the peer"),
    /**
     * The peer of a connection may give up a read before a page fault ends: its ACK timeout, and that for each retry, last no longer than {@code
     * AdapterOptions.faultLimit}. One event for each connection of an adapter that has registered paged memory.
     */
    TIMEOUT_BELOW_FAULT_LIMIT("the peer may give up before a page fault ends"),
    /** Fewer receives than the limit are left in a shared receive queue. */
    SHARED_RECEIVE_LIMIT_REACHED("shared receive queue limit reached"),
    /**
     * Memory that a registration table has registered could not be pinned; it is used as it is. One event for each table; it names the limit, the present
     * use, the owner and the remedy.
     */
    MEMORY_NOT_PINNED("registered memory is not pinned"),
    /** The callback of a listener of the adapter threw; the request was rejected. */
    LISTENER_CALLBACK_FAILED("callback of a listener failed");

    private final String text;

    EventKind(String text) {
        this.text = text;
    }

    /** A phrase for people. */
    public String text() {
        return text;
    }
}
