package org.verbena.verbs;

import org.verbena.queue.EventKind;

/** Something that happened unasked: see {@link Adapter#events}. */
public record AsyncEvent(EventKind kind, EventSource source) {}
