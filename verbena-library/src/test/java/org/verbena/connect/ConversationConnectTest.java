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
import org.verbena.Wire;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.Wires;
import org.verbena.time.NanoClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.wire.mad.ServiceId;

/** What only connections over RoCE have: repeated messages, service ids, requests of both ends, datagram services. */
@OverSwitches
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
        InetSocketAddress nobody = sites.silent(PORT);
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
        InetSocketAddress nobody = sites.silent(PORT);
        ConnectFailedException late = failure(Connector.resolveAsync(client.adapter, nobody, ConnectorOptions.DEFAULT));
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, late.kind());
    }

    @Test
    void aQuestionThatIsInterruptedRefusedOrCancelledIsGivenUp() {
        InetSocketAddress nobody = sites.silent(PORT);
        assertThrows(
                IllegalStateException.class,
                () -> Connector.resolve(client.adapter, nobody, ConnectorOptions.DEFAULT),
                "the adapter is run by hand");
        try (Site live = new Site(new Wires(Wire.ROCE).openLive(AdapterOptions.DEFAULT))) {
            Thread.currentThread().interrupt();
            assertThrows(
                    InterruptedException.class,
                    () -> Connector.resolve(live.adapter, nobody, ConnectorOptions.DEFAULT));
        }
        assertTrue(Connector.resolveAsync(client.adapter, nobody, ConnectorOptions.DEFAULT)
                .cancel(false));
        assertEquals(0, client.remembered());
    }

    @Test
    void aDatagramListenerIsClosedOnce() {
        DatagramListener first = DatagramListener.open(server.adapter, server.at(PORT), 5, 1, PrivateData.NONE);
        first.close();
        DatagramListener second = DatagramListener.open(server.adapter, server.at(PORT), 5, 1, PrivateData.NONE);
        first.close();
        assertEquals(
                5,
                sites.get(Connector.resolveAsync(client.adapter, server.at(PORT), ConnectorOptions.DEFAULT))
                        .queuePair());
        second.close();
    }

    @Test
    void privateDataAreNeverCut() {
        var queuePair = client.queuePair();
        var service = ConnectorOptions.DEFAULT.withServiceId(ServiceId.tcp(PORT));
        for (ConnectorOptions options : new ConnectorOptions[] {ConnectorOptions.DEFAULT, service}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Connector.connectAsync(
                            client.adapter,
                            server.at(PORT),
                            queuePair,
                            options.withPrivateData(PrivateData.of(new byte[57]))));
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> ConnectorOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[513])));
        assertThrows(
                IllegalArgumentException.class,
                () -> Connector.resolveAsync(
                        client.adapter,
                        server.at(PORT),
                        ConnectorOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[181]))));
        DatagramListener listener = DatagramListener.open(server.adapter, server.at(PORT), 5, 1, PrivateData.NONE);
        sites.get(Connector.resolveAsync(
                client.adapter,
                server.at(PORT),
                ConnectorOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[180]))));
        listener.close();
        assertEquals(0, client.remembered());
    }

    @Test
    void endlessLimitsAreLong() {
        var endless = ConnectorOptions.DEFAULT
                .withTimeLimit(Duration.ofSeconds(Long.MAX_VALUE))
                .withRetries(1, 0);
        InetSocketAddress nobody = sites.silent(PORT);
        var resolving = Connector.resolveAsync(client.adapter, nobody, endless);
        var connecting = Connector.connectAsync(client.adapter, nobody, client.queuePair(), endless);
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, failure(connecting).kind());
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, failure(resolving).kind());
    }

    @Test
    void aSilentAddressIsNamedWithWhatWasTried() {
        InetSocketAddress silent = sites.silent(PORT);
        ConnectorOptions options =
                ConnectorOptions.DEFAULT.withTimeLimit(Duration.ofSeconds(9)).withPeerPort(4800);
        ConnectFailedException limit =
                failure(Connector.connectAsync(client.adapter, silent, client.queuePair(), options));
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, limit.kind());
        assertSays(limit, silent.toString());
        String name = silent.getAddress().getHostAddress();
        assertSays(limit, "2 messages to UDP port 4800 of " + name + " in 9000 ms");
        assertSays(limit, "withPeerPort");
        ConnectFailedException retries =
                failure(Connector.connectAsync(client.adapter, silent, client.queuePair(), options.withRetries(3, 10)));
        assertSays(retries, "4 messages to UDP port 4800 of " + name + " in ");
        ConnectFailedException question = failure(Connector.resolveAsync(client.adapter, silent, options));
        assertSays(question, "to UDP port 4800 of " + name + " in 9000 ms");
    }

    @Test
    void aRequestToOneselfIsSaid() {
        ConnectFailedException e = failure(
                Connector.connectAsync(client.adapter, client.at(PORT), client.queuePair(), ConnectorOptions.DEFAULT));
        assertEquals(ConnectFailedException.Kind.REFUSED, e.kind());
        assertEquals(RejectReason.INVALID_SERVICE_ID, e.reason());
        assertSays(e, "this adapter itself");
        assertSays(e, "withPeerPort");
        ConnectFailedException question =
                failure(Connector.resolveAsync(client.adapter, client.at(PORT), ConnectorOptions.DEFAULT));
        assertSays(question, "this adapter itself");
    }

    private static void assertSays(Exception e, String words) {
        assertTrue(String.valueOf(e.getMessage()).contains(words), e.getMessage());
    }

    /** The client sends its request and does nothing any more. */
    @Test
    void waitingForAPeerThatIsNeverReadySaysWhatWasTried() throws Exception {
        Wires wires = new Wires(Wire.ROCE);
        AdapterOptions options = AdapterOptions.DEFAULT;
        try (Site silent = new Site(wires.openLive(options.withRun(AdapterOptions.Run.MANUAL)));
                Site live = new Site(wires.openLive(options.withRun(AdapterOptions.Run.THREAD)));
                Listener listener = Listener.open(live.adapter, live.at(7174), ListenerOptions.DEFAULT)) {
            var connecting =
                    Connector.connectAsync(silent.adapter, live.at(7174), silent.queuePair(), ConnectorOptions.DEFAULT);
            while (silent.adapter.counters().value(Counter.SENT_MADS) == 0) {
                silent.adapter.work(NanoClock.system().nowNs());
            }
            ConnectionRequest request = listener.accept(Duration.ofSeconds(50));
            assertNotNull(request);
            Connection there = request.accept(live.queuePair(), AcceptOptions.DEFAULT);
            ConnectFailedException e =
                    assertThrows(ConnectFailedException.class, () -> there.awaitEstablished(Duration.ofMillis(1)));
            // one message, more if the machine stopped for longer than the time of a retry
            assertTrue(
                    String.valueOf(e.getMessage()).matches("(?s).*(\\b1 message|[2-9] messages) to UDP port .*"),
                    e.getMessage());
            connecting.cancel(false);
        }
    }

    @Test
    void datagramPortsOfAdaptersAtOneAddressAreResolved() throws InterruptedException {
        Wires wires = new Wires(Wire.ROCE);
        try (Site there = new Site(wires.openBySockets(AdapterOptions.DEFAULT));
                Site here = new Site(wires.openBySockets(AdapterOptions.DEFAULT))) {
            DatagramListener listener = DatagramListener.open(there.adapter, there.at(PORT), 5, 1, PrivateData.NONE);
            int port = there.adapter.endpoint().port();
            DatagramPeer peer =
                    Connector.resolve(here.adapter, there.at(PORT), ConnectorOptions.DEFAULT.withPeerPort(port));
            assertEquals(there.adapter.endpoint(), peer.endpoint());
            assertThrows(
                    ConnectFailedException.class,
                    () -> Connector.resolve(
                            here.adapter, there.at(PORT + 1), ConnectorOptions.DEFAULT.withPeerPort(port)));
            listener.close();
        }
    }
}
