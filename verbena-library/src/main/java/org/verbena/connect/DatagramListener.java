package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.connect.protocol.DatagramService;
import org.verbena.verbs.Adapter;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.ServiceId;
import org.verbena.wire.mad.SidrRep;

/** Tells who asks for a port which queue pair takes its datagrams, until it is closed. */
public final class DatagramListener implements AutoCloseable {
    private final Agent agent;
    private final long serviceId;
    private final DatagramService service;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DatagramListener(Agent agent, long serviceId, DatagramService service) {
        this.agent = agent;
        this.serviceId = serviceId;
        this.service = service;
    }

    /**
     * Answers for a port of the port space of datagrams.
     *
     * @param queuePair number of the one that takes datagrams
     * @param qkey of it
     * @param privateData for who asks, at most 136 bytes
     * @throws IllegalStateException if the port is taken
     */
    public static DatagramListener open(
            Adapter adapter, InetSocketAddress at, int queuePair, int qkey, PrivateData privateData) {
        AcceptOptions.requireRoom(privateData, SidrRep.PRIVATE_DATA_MAX);
        Listener.requireOwn(adapter, at);
        Agent agent = Agent.of(adapter);
        long serviceId = ServiceId.udp(at.getPort());
        var service = new DatagramService(queuePair, qkey, privateData);
        agent.port().call(() -> {
            if (!agent.conversations().serve(serviceId, service)) {
                throw new IllegalStateException("datagram port " + at.getPort() + " is taken");
            }
        });
        return new DatagramListener(agent, serviceId, service);
    }

    /** Answers no more. Again, or later than the adapter: does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            agent.callIfOpen(() -> agent.conversations().stopServing(serviceId, service));
        }
    }
}
