package org.verbena.adapter;

import org.verbena.EventKind;

/** Receives asynchronous events of an engine. Called on the engine's thread; must not block. */
@FunctionalInterface
public interface Events {
    /**
     * An event happened.
     *
     * @param subject the pair, completion ring, receive source or engine that the event is about
     */
    void onEvent(EventKind kind, Object subject);
}
