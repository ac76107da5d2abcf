package org.verbena.link.udp.linux;

import org.verbena.link.Endpoint;

/** A socket that a {@link LinuxUdpLink} receives from, at one of its addresses or as member of a group, and what is known about it. */
final class LinuxReceiver {
    private final LinuxSocket socket;
    final Endpoint target;
    final long high;
    final long low;
    final int port;

    /** Messages to ask for: one while they trickle in, as asking for a second costs; many when they come in crowds. */
    int wanted = 1;

    /** Whether the system promised something. */
    boolean promised;

    /** Answers in a row that there is nothing. */
    int nothing;

    /** How many datagrams the system has thrown away, as it told last. */
    int overrun;

    LinuxReceiver(LinuxSocket socket) {
        this.socket = socket;
        this.target = socket.local();
        this.high = target.high();
        this.low = target.low();
        this.port = target.port();
    }

    int fd() {
        return socket.fd();
    }

    void close() {
        socket.close();
    }
}
