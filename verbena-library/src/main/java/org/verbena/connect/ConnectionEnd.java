package org.verbena.connect;

import org.verbena.verbs.AsyncEvents;

/** The engine's side of a {@link Connection}, on one kind of wire. The engine's thread calls everything but {@link #tried}. */
interface ConnectionEnd {
    /** Ends the connection, if it is not over. */
    void end();

    /** Whether the connection uses its queue pair. */
    boolean isLive();

    /** Sees the events of the queue pair. */
    AsyncEvents.Watcher watcher();

    /** What this end has done for an answer, for people. Any thread: the numbers may be those of a moment ago. */
    String tried();
}
