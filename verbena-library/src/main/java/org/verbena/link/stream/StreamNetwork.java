package org.verbena.link.stream;

import java.net.InetAddress;
import java.util.List;
import org.verbena.link.Endpoint;
import org.verbena.link.WakeSource;

/**
 * A network that carries byte streams: TCP, or streams within the process. The thread that drives it calls everything. No method waits.
 *
 * <p>As a {@link WakeSource} it ends a sleep when a listener has a stream, an attempt to connect is over, or an event that a stream {@linkplain
 * ByteStream#wants wants} is there.
 */
public interface StreamNetwork extends WakeSource, AutoCloseable {
    /** For people. */
    String name();

    /** The addresses of this side; its streams begin at one of them. */
    List<InetAddress> locals();

    /**
     * Begins to open a stream. The user is told when it is open or has failed, by a later {@link #poll}.
     *
     * @param localPort 0: the system chooses
     */
    ByteStream connect(Endpoint remote, int localPort, StreamUser user);

    /**
     * Listens.
     *
     * @param at one of its addresses or a wildcard, and a port; port 0: the system chooses
     * @param backlog streams that the system keeps until {@link #poll} takes them
     * @throws org.verbena.link.LinkException if the port is taken, or the address is not this side's
     */
    StreamListener listen(Endpoint at, int backlog, StreamAcceptor acceptor);

    /**
     * Tells the users of streams and the acceptors of listeners their events. It may be called in every turn: it makes a system call only where
     * events can be that are not known yet, and not in every turn.
     *
     * @param nowNs the time
     * @return events that were told
     */
    int poll(long nowNs);

    /** Closes listeners and streams. Closing again does nothing. */
    @Override
    void close();
}
