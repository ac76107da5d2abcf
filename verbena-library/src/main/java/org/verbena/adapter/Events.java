package org.verbena.adapter;

import org.verbena.queue.EventKind;

/** Where an engine says what happened unasked. Called on the engine's thread; must not block. */
@FunctionalInterface
public interface Events {
    /**
     * Something happened.
     *
     * @param subject the handle the event is about (the transport, ring or source it was created with)
     */
    void onEvent(EventKind kind, Object subject);
}
