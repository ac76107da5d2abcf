package org.verbena.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.connect.Remembered;
import org.verbena.interop.peer.Family;
import org.verbena.interop.peer.KernelPeer;
import org.verbena.interop.peer.PeerJob;
import org.verbena.interop.peer.PeerVm;
import org.verbena.link.Endpoint;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/**
 * Many connections with rdma-core's {@code cmtime}, and nothing left of them here. {@code
 * -Dverbena.interop.connections=1000} makes that many in each role.
 */
@ExtendWith(KernelPeer.class)
final class ConnectionsTest {
    private static final Family FAMILY = Family.IPV4;
    private static final int COUNT = Integer.getInteger("verbena.interop.connections", 200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofSeconds(60 + COUNT / 5);

    private Adapter adapter;
    private ProtectionDomain domain;
    private CompletionQueue completions;

    @BeforeEach
    void open() {
        adapter = Adapter.open(
                UdpNetwork.open(Endpoint.of(FAMILY.host(), Endpoint.ROCE_PORT)),
                AdapterOptions.DEFAULT.withName("connections"));
        domain = adapter.createProtectionDomain();
        completions = adapter.createCompletionQueue(16);
    }

    @AfterEach
    void close() {
        adapter.close();
    }

    /** One after the other, beside one that stays: the server has them all share the first one's completion queue. */
    @Test
    void weAsk(PeerVm kernel) throws InterruptedException {
        PeerJob server = kernel.begin(LIMIT, "cmtime -p 7301").isRunning("cmtime");
        InetSocketAddress to = new InetSocketAddress(InetAddress.ofLiteral(kernel.address(FAMILY)), 7301);
        Connection first = connect(to);
        for (int i = 1; i < COUNT; i++) {
            disconnect(connect(to));
        }
        disconnect(first);
        requireNothingLeft();
        kernel.run("kill $(pidof cmtime)").succeeds(); // it would serve for ever
        server.end();
    }

    private Connection connect(InetSocketAddress to) throws InterruptedException {
        return Connector.connect(adapter, to, queuePair(), ConnectorOptions.DEFAULT);
    }

    private static void disconnect(Connection connection) throws InterruptedException {
        var _ = connection.disconnect();
        assertTrue(connection.awaitDisconnected(PATIENCE), connection::toString);
        connection.queuePair().close();
    }

    /** All at once. */
    @Test
    void weServe(PeerVm kernel) throws InterruptedException {
        try (Listener listener =
                Listener.open(adapter, new InetSocketAddress(FAMILY.hostAddress(), 7302), ListenerOptions.DEFAULT)) {
            PeerJob client = kernel.begin(LIMIT, "cmtime -s " + FAMILY.host() + " -p 7302 -c " + COUNT);
            List<Connection> connections = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                ConnectionRequest request = listener.accept(PATIENCE);
                assertNotNull(request, "client " + i + " does not come");
                connections.add(request.accept(queuePair(), AcceptOptions.DEFAULT));
            }
            for (Connection connection : connections) {
                connection.awaitEstablished(PATIENCE);
                assertTrue(connection.awaitDisconnected(PATIENCE), connection::toString);
                connection.queuePair().close();
            }
            client.end().succeeds();
        }
        requireNothingLeft();
    }

    private QueuePair queuePair() {
        return adapter.createQueuePair(QueuePairOptions.of(domain, completions).withCapacity(1, 1));
    }

    private void requireNothingLeft() throws InterruptedException {
        assertEquals(0, adapter.queuePairCount());
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (Remembered.by(adapter) > 0) { // those in timewait
            assertTrue(System.nanoTime() < deadlineNs, () -> "still remembered: " + Remembered.by(adapter));
            Thread.sleep(100);
        }
    }
}
