package org.verbena.link.udp.linux;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;

/** A socket that a {@link LinuxUdpLink} receives from, at one of its addresses or as member of a group, and its state. */
final class LinuxReceiver {
    private final LinuxSocket socket;
    final Endpoint target;
    final long high;
    final long low;
    final int port;

    private @Nullable Watch watch;

    /** Messages to ask for: one while few arrive, as asking for a second costs time; many while many arrive. */
    int wanted = 1;

    /** Whether a sleep found the socket ready. */
    boolean promised;

    /** Consecutive calls that found nothing. */
    int nothing;

    /** Datagrams that the system has dropped, by its last report. */
    int overrun;

    LinuxReceiver(LinuxSocket socket) {
        this.socket = socket;
        this.target = socket.local();
        this.high = target.high();
        this.low = target.low();
        this.port = target.port();
    }

    /** Lets a sleep end when something arrives. */
    void attach(Sleeper sleeper) {
        watch = sleeper.watch(socket.fd(), () -> promised = true);
        watch.wants(true, false);
    }

    int fd() {
        return socket.fd();
    }

    void close() {
        if (watch != null) {
            watch.close();
        }
        socket.close();
    }
}
