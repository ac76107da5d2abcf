package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.RejectReason;
import org.verbena.trace.Counter;
import org.verbena.verbs.QueuePair;

/** What only connections over RoCE have: repeated messages, service ids, requests of both ends, datagram services. */
final class ConversationConnectTest {
    private static final int PORT = 7174;

    private final Sites sites = new Sites();
    private final Site client = sites.a;
    private final Site server = sites.b;

    @AfterEach
    void nothingIsLeft() {
        // Timewait is over after half a second; a request without an answer after a minute.
        sites.pass(100_000_000_000L);
        assertEquals(0, client.remembered(), "remembered at the client");
        assertEquals(0, server.remembered(), "remembered at the server");
        sites.close();
    }

    private Listener listen() {
        return Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT);
    }

    private CompletableFuture<Connection> connect(QueuePair queuePair, ConnectorOptions options) {
        return Connector.connectAsync(client.adapter, server.at(PORT), queuePair, options);
    }

    private ConnectFailedException failure(CompletableFuture<?> future) {
        sites.until(future::isDone);
        CompletionException wrapped = assertThrows(CompletionException.class, future::join);
        return assertInstanceOf(ConnectFailedException.class, wrapped.getCause());
    }

    @Test
    void aRequestToAnUnusedAddressTimesOut() {
        QueuePair mine = client.queuePair();
        InetSocketAddress nobody = new InetSocketAddress("10.0.0.77", PORT);
        long startNs = sites.clock.nowNs();
        ConnectFailedException e = failure(Connector.connectAsync(
                client.adapter, nobody, mine, ConnectorOptions.DEFAULT.withTimeLimit(Duration.ofSeconds(9))));
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, e.kind());
        assertTrue(sites.clock.nowNs() - startNs < 9_100_000_000L);
        assertEquals(1, client.adapter.counters().value(Counter.CM_RETRIES));
        // And without a limit after all retries: here 3 of 1.07 s each, and the way there and back.
        e = failure(Connector.connectAsync(
                client.adapter,
                nobody,
                mine,
                ConnectorOptions.DEFAULT.withTimeLimit(Duration.ofHours(1)).withRetries(3, 18)));
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, e.kind());
        assertEquals(4, client.adapter.counters().value(Counter.CM_RETRIES));
        assertEquals(QueuePairState.INIT, mine.state());
    }

    @Test
    void aSlowConsumerGetsMoreTime() {
        try (Listener listener = listen()) {
            var options = ConnectorOptions.DEFAULT.withRetries(2, 18).withTimeLimit(Duration.ofMinutes(2));
            var connecting = connect(client.queuePair(), options);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            sites.pass(50_000_000_000L);
            assertEquals(1, server.adapter.counters().value(Counter.CM_DUPLICATES), "the request once more: MRA");
            Connection there = request.accept(server.queuePair(), AcceptOptions.DEFAULT);
            Connection here = sites.get(connecting);
            sites.get(there.whenEstablished());
            sites.get(here.disconnect());
        }
    }

    @Test
    void twoEndsThatConnectToEachOtherGetOneConnection() {
        for (long delayNs : List.of(0L, 20_000_000L, 6_000_000_000L)) {
            for (boolean clientFirst : List.of(true, false)) {
                Site first = clientFirst ? client : server;
                Site second = clientFirst ? server : client;
                var options = ConnectorOptions.DEFAULT.withPeerToPeer(true);
                Agent.of(second.adapter);
                var here = Connector.connectAsync(first.adapter, second.at(PORT), first.queuePair(), options);
                sites.pass(delayNs);
                var there = Connector.connectAsync(second.adapter, first.at(PORT), second.queuePair(), options);
                Connection mine = sites.get(here);
                Connection theirs = sites.get(there);
                assertEquals(1, Agent.of(first.adapter).conversations().count());
                assertEquals(1, Agent.of(second.adapter).conversations().count());
                sites.get(mine.disconnect());
                sites.get(theirs.whenDisconnected());
                sites.pass(1_000_000_000L);
            }
        }
    }

    @Test
    void servicesWithoutAPortHaveNoIpHeader() {
        long service = 0x1000_0000_0000_0042L;
        try (Listener listener =
                Listener.open(server.adapter, server.at(0), ListenerOptions.DEFAULT.withServiceId(service))) {
            var options = ConnectorOptions.DEFAULT.withServiceId(service).withPrivateData(PrivateData.of(new byte[92]));
            var connecting = connect(client.queuePair(), options);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            assertEquals(0, request.peer().getPort());
            assertEquals(92, request.privateData().length());
            request.accept(server.queuePair(), AcceptOptions.DEFAULT);
            sites.get(sites.get(connecting).disconnect());
        }
    }

    @Test
    void aPeerThatForgotItsConnectionIsStale() {
        try (Listener listener = listen()) {
            QueuePair mine = client.queuePair();
            var connecting = connect(mine, ConnectorOptions.DEFAULT);
            Connection there = sites.get(listener.acceptAsync()).accept(server.queuePair(), AcceptOptions.DEFAULT);
            Connection here = sites.get(connecting);
            sites.get(there.whenEstablished());
            // The same queue pair asks anew, as after a crash: the old connection is ended, a third try succeeds.
            Agent agent = Agent.of(client.adapter);
            agent.port().call(() -> agent.release(mine, here.end()));
            mine.reset();
            ConnectFailedException e = failure(connect(mine, ConnectorOptions.DEFAULT));
            assertEquals(RejectReason.STALE_CONNECTION, e.reason());
            sites.get(there.whenDisconnected());
            sites.get(here.whenDisconnected());
            mine.reset();
            connecting = connect(mine, ConnectorOptions.DEFAULT);
            sites.get(listener.acceptAsync()).accept(server.queuePair(), AcceptOptions.DEFAULT);
            sites.get(sites.get(connecting).disconnect());
        }
    }

    @Test
    void datagramServicesAreResolved() {
        try (DatagramListener listener = DatagramListener.open(
                server.adapter, server.at(PORT), 0x4711, DatagramPeer.QKEY, PrivateData.of((byte) 5))) {
            assertNotNull(listener);
            DatagramPeer found =
                    sites.get(Connector.resolveAsync(client.adapter, server.at(PORT), ConnectorOptions.DEFAULT));
            assertEquals(server.adapter.endpoint(), found.endpoint());
            assertEquals(0x4711, found.queuePair());
            assertEquals(DatagramPeer.QKEY, found.qkey());
            assertEquals(PrivateData.of((byte) 5), found.privateData().trimmed());
            ConnectFailedException none =
                    failure(Connector.resolveAsync(client.adapter, server.at(PORT + 1), ConnectorOptions.DEFAULT));
            assertEquals(ConnectFailedException.Kind.REFUSED, none.kind());
        }
        InetSocketAddress nobody = new InetSocketAddress("10.0.0.77", PORT);
        ConnectFailedException late = failure(Connector.resolveAsync(client.adapter, nobody, ConnectorOptions.DEFAULT));
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, late.kind());
    }
}
