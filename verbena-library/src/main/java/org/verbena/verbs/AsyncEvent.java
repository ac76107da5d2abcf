package org.verbena.verbs;

import org.verbena.EventKind;

/**
 * An asynchronous event: see {@link Adapter#events}.
 *
 * @param kind what happened
 * @param source the adapter, queue pair or queue that it happened to
 */
public record AsyncEvent(EventKind kind, EventSource source) {}
