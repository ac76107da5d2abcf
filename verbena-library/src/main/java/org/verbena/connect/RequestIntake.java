package org.verbena.connect;

import java.net.InetSocketAddress;

/** Takes the requests for a {@link Listener}, on one kind of wire. The engine's thread calls everything but {@link #onTaken}. */
interface RequestIntake {
    /**
     * Begins to take requests.
     *
     * @return the address, with the port it has
     * @throws IllegalStateException if the port is taken
     */
    InetSocketAddress open(InetSocketAddress at, ListenerOptions options);

    /** A consumer has taken a request from the backlog of the listener, and may answer it much later. Any thread. */
    void onTaken();

    /** Takes no more requests. */
    void close();
}
