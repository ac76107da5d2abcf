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

    /**
     * An event happened. A receiver that needs no more than the kind and the subject leaves the rest out.
     *
     * @param detail a sentence about the cause, for people; empty if there is nothing to add
     */
    default void onEvent(EventKind kind, Object subject, String detail) {
        onEvent(kind, subject);
    }
}
