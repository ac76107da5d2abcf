package org.verbena.adapter;

import org.verbena.queue.EventKind;

/** Where an engine says what happened unasked. Called on the engine's thread; must not block. */
@FunctionalInterface
public interface Events {
    /**
     * @param subject the handle the event is about (a queue pair's number, or the object given at creation)
     */
    void onEvent(EventKind kind, Object subject);
}
