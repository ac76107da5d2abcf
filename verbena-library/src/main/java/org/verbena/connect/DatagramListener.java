package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.PrivateData;
import org.verbena.connect.protocol.DatagramService;
import org.verbena.verbs.Adapter;
import org.verbena.wire.mad.ServiceId;
import org.verbena.wire.mad.SidrRep;

/** Answers questions for the queue pair that takes the datagrams of a port, until it is closed. Any thread may call everything. */
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
     * Answers questions for a datagram port from now on.
     *
     * @param at one of the adapter's addresses, or a wildcard, and the port
     * @param queuePair number of the queue pair that takes the datagrams
     * @param qkey of that queue pair
     * @param privateData for the peer's consumer, at most 136 bytes
     * @throws IllegalStateException if the port is taken, the adapter is closed, or it speaks iWARP, which has no datagram services
     * @throws IllegalArgumentException if the address is not the adapter's, or the data are too long
     */
    public static DatagramListener open(
            Adapter adapter, InetSocketAddress at, int queuePair, int qkey, PrivateData privateData) {
        AcceptOptions.requireRoom(privateData, SidrRep.PRIVATE_DATA_MAX);
        Listener.requireOwn(adapter, at);
        Agent.requireDatagrams(adapter);
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

    /** Stops answering. Does nothing if this listener or its adapter is closed. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            agent.callIfOpen(() -> agent.conversations().stopServing(serviceId, service));
        }
    }
}
