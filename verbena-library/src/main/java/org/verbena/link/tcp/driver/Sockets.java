package org.verbena.link.tcp.driver;

import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;

/** Makes sockets. No socket waits. */
public interface Sockets {
    /** For people. */
    String name();

    /**
     * Finds out whether a sleeper can watch sockets of this driver.
     *
     * @throws LinkException if it cannot
     */
    void tryWatch(Sleeper sleeper);

    /**
     * Begins to open a stream.
     *
     * @param local an address, and a port or 0
     */
    StreamSocket connect(Endpoint local, Endpoint remote) throws OpenFailure;

    /**
     * Listens.
     *
     * @throws LinkException if the system refuses
     */
    ListenSocket listen(Endpoint at, int backlog);
}
