package org.verbena.verbs;

import org.verbena.EventKind;

/**
 * An asynchronous event: see {@link Adapter#events}. Immutable.
 *
 * @param kind the kind of the event
 * @param source the adapter, queue pair or queue that the event is about
 * @param detail a sentence about the cause, for people; empty if the kind says everything. {@code QUEUE_PAIR_ACCESS_ERROR} names the
 *     peer, key, address, length and {@link org.verbena.Verdict}; {@code RECEIVE_MISSING} names the peer and the time of the wait
 */
public record AsyncEvent(EventKind kind, EventSource source, String detail) {
    /** One line, for people. */
    @Override
    public String toString() {
        return kind.text() + ", " + source + (detail.isEmpty() ? "" : ": " + detail);
    }
}
