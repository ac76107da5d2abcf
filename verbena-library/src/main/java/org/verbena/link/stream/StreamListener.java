package org.verbena.link.stream;

import org.verbena.link.Endpoint;

/** Takes streams at one port of a {@link StreamNetwork}, until it is closed. The thread that drives the network calls everything. */
public interface StreamListener {
    /** Where it listens, with the port it has. */
    Endpoint local();

    /** Pauses: peers wait in the system's backlog until it is resumed. */
    void pause();

    /** Takes streams again. */
    void resume();

    /** Stops listening. Streams that were given stay. Closing again does nothing. */
    void close();
}
