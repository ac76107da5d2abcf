package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.RejectReason;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.WorkRequest;

/** Connections between two adapters in virtual time: how they begin, how they end, and that nothing is left of them. */
@OverEachWire
final class ConnectTest {
    private static final int PORT = 7174;

    private final Wire wire;
    private final Sites sites;
    private final Site client;
    private final Site server;

    ConnectTest(Wire wire) {
        this.wire = wire;
        sites = new Sites(wire);
        client = sites.a;
        server = sites.b;
    }

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
    void bothEndsSendAndEitherEnds() {
        try (Listener listener = listen()) {
            for (boolean clientEnds : List.of(true, false)) {
                QueuePair mine = client.queuePair();
                var connecting = connect(mine, ConnectorOptions.DEFAULT);
                ConnectionRequest request = sites.get(listener.acceptAsync());
                assertEquals(client.adapter.endpoint().address(), request.peer().getAddress());
                QueuePair theirs = server.queuePair();
                theirs.initialize(ConnectionOptions.DEFAULT.remoteRights());
                assertTrue(theirs.post(new WorkRequest.Receive(7, LocalSegment.of(server.region, 0, 64))));
                Connection there = request.accept(theirs, AcceptOptions.DEFAULT);
                Connection here = sites.get(connecting);
                sites.get(there.whenEstablished());
                assertEquals(QueuePairState.READY_TO_SEND, mine.state());
                exchange(mine, theirs);
                Connection first = clientEnds ? here : there;
                var over = first.disconnect();
                assertEquals(QueuePairState.ERROR, first.queuePair().state());
                sites.get(over);
                sites.get(there.whenDisconnected());
                sites.get(here.whenDisconnected());
                assertEquals(QueuePairState.ERROR, mine.state());
                assertEquals(QueuePairState.ERROR, theirs.state());
                mine.close();
                theirs.close();
            }
        }
        assertEquals(0, client.adapter.events().dropped());
    }

    /** The server's only receive takes what the client sends, and the client reads it back. */
    private void exchange(QueuePair mine, QueuePair theirs) {
        client.memory.set(ValueLayout.JAVA_LONG, 0, 0x1122334455667788L);
        assertTrue(mine.post(new WorkRequest.Send(1, LocalSegment.of(client.region, 0, 64))));
        var found = new ArrayList<Completion>();
        sites.until(() -> {
            collect(client, found);
            collect(server, found);
            return found.size() == 2;
        });
        found.forEach(each -> assertEquals(Status.SUCCESS, each.status()));
        assertTrue(found.stream().anyMatch(each -> each.queuePair() == theirs.number() && each.id() == 7));
        assertEquals(0x1122334455667788L, server.memory.get(ValueLayout.JAVA_LONG, 0));
    }

    private static void collect(Site site, List<Completion> found) {
        Completion next = site.completions.poll();
        if (next != null) {
            found.add(next);
        }
    }

    @Test
    void privateDataTravelBothWaysAndReadsAreNegotiated() {
        try (Listener listener = listen()) {
            var options = ConnectorOptions.DEFAULT
                    .withPrivateData(PrivateData.of((byte) 1, (byte) 2))
                    .withConnection(ConnectionOptions.DEFAULT.withReads(5, 3).withMtu(Mtu.MTU_1024));
            QueuePair mine = client.queuePair();
            var connecting = connect(mine, options);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            assertEquals(
                    PrivateData.of((byte) 1, (byte) 2), request.privateData().trimmed());
            assertEquals(wire == Wire.IWARP ? null : Mtu.MTU_1024, request.mtu());
            assertEquals(5, request.initiatorDepth());
            assertEquals(3, request.responderResources());
            QueuePair theirs = server.queuePair();
            Connection there = request.accept(theirs, AcceptOptions.DEFAULT.withPrivateData(PrivateData.of((byte) 9)));
            Connection here = sites.get(connecting);
            assertEquals(PrivateData.of((byte) 9), here.privateData().trimmed());
            assertEquals(PrivateData.of((byte) 1, (byte) 2), there.privateData().trimmed());
            assertThrows(IllegalStateException.class, () -> request.accept(server.queuePair(), AcceptOptions.DEFAULT));
            here.close();
            sites.get(there.whenDisconnected());
        }
    }

    @Test
    void aRequestWithoutAListenerIsRefused() {
        Agent.of(server.adapter);
        ConnectFailedException e = failure(connect(client.queuePair(), ConnectorOptions.DEFAULT));
        assertEquals(ConnectFailedException.Kind.REFUSED, e.kind());
        assertEquals(wire == Wire.IWARP ? null : RejectReason.INVALID_SERVICE_ID, e.reason());
    }

    @Test
    void aConsumerRefusesWithData() {
        try (Listener listener = listen()) {
            var connecting = connect(client.queuePair(), ConnectorOptions.DEFAULT);
            sites.get(listener.acceptAsync()).reject(PrivateData.of((byte) 42));
            ConnectFailedException e = failure(connecting);
            assertEquals(ConnectFailedException.Kind.REFUSED, e.kind());
            assertEquals(RejectReason.CONSUMER, e.reason());
            assertEquals(PrivateData.of((byte) 42), e.privateData().trimmed());
        }
    }

    @Test
    void aRequestGivenUpIsVoid() {
        try (Listener listener = listen()) {
            var options = ConnectorOptions.DEFAULT.withTimeLimit(Duration.ofSeconds(1));
            var connecting = connect(client.queuePair(), options);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            assertEquals(
                    ConnectFailedException.Kind.TIMED_OUT, failure(connecting).kind());
            sites.until(request::isVoid);
            QueuePair theirs = server.queuePair();
            ConnectFailedException e =
                    assertThrows(ConnectFailedException.class, () -> request.accept(theirs, AcceptOptions.DEFAULT));
            assertEquals(ConnectFailedException.Kind.TIMED_OUT, e.kind());
            request.reject(PrivateData.NONE);
        }
    }

    @Test
    void aFullBacklogDropsAndTheRequestComesAgain() {
        try (Listener listener =
                Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT.withBacklog(2))) {
            var connecting = new ArrayList<CompletableFuture<Connection>>();
            for (int i = 0; i < 3; i++) {
                connecting.add(connect(client.queuePair(), ConnectorOptions.DEFAULT));
                sites.pass(10_000_000L);
            }
            sites.pass(1_000_000_000L);
            // Over iWARP it is not dropped: it waits in the stream.
            assertEquals(wire == Wire.IWARP ? 0 : 1, server.adapter.counters().value(Counter.CM_BACKLOG_DROPS));
            for (int i = 0; i < 3; i++) {
                sites.get(listener.acceptAsync()).accept(server.queuePair(), AcceptOptions.DEFAULT);
            }
            for (CompletableFuture<Connection> each : connecting) {
                sites.get(sites.get(each).disconnect());
            }
        }
    }

    @Test
    void aConsumerMayAnswerUntilTheTimeLimitOfTheConnector() {
        Duration usual = ConnectorOptions.DEFAULT.timeLimit();
        try (Listener listener = listen()) {
            for (Duration limit : List.of(usual, Duration.ofSeconds(Long.MAX_VALUE))) {
                var connecting = connect(client.queuePair(), ConnectorOptions.DEFAULT.withTimeLimit(limit));
                ConnectionRequest request = sites.get(listener.acceptAsync());
                sites.pass(usual.minusSeconds(1).toNanos());
                request.accept(server.queuePair(), AcceptOptions.DEFAULT);
                sites.get(sites.get(connecting).disconnect());
            }
        }
    }

    @Test
    void aRequestThatIsTakenLeavesRoomForTheNext() {
        try (Listener listener =
                Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT.withBacklog(1))) {
            var first = connect(client.queuePair(), ConnectorOptions.DEFAULT);
            sites.pass(10_000_000L);
            var second = connect(client.queuePair(), ConnectorOptions.DEFAULT);
            sites.pass(10_000_000L);
            List<ConnectionRequest> both =
                    List.of(sites.get(listener.acceptAsync()), sites.get(listener.acceptAsync()));
            both.forEach(each -> each.accept(server.queuePair(), AcceptOptions.DEFAULT));
            sites.get(sites.get(first).disconnect());
            sites.get(sites.get(second).disconnect());
        }
    }

    @Test
    void aClosedListenerRejectsWaitingRequests() {
        Listener listener = listen();
        var connecting = connect(client.queuePair(), ConnectorOptions.DEFAULT);
        sites.pass(100_000_000L);
        var next = listener.acceptAsync();
        assertTrue(next.isDone());
        var another = listener.acceptAsync();
        next.join().reject(PrivateData.NONE);
        var second = connect(client.queuePair(), ConnectorOptions.DEFAULT);
        listener.close();
        assertEquals(ConnectFailedException.Kind.CLOSED, failure(another).kind());
        assertEquals(RejectReason.CONSUMER, failure(connecting).reason());
        assertEquals(
                wire == Wire.IWARP ? null : RejectReason.INVALID_SERVICE_ID,
                failure(second).reason());
    }

    @Test
    void aCallbackMayMakeTheQueuePairAndAnswerAtOnce() {
        var accepted = new ArrayList<Connection>();
        try (Listener listener = Listener.open(
                server.adapter,
                server.at(0),
                ListenerOptions.DEFAULT,
                request -> accepted.add(request.accept(server.queuePair(), AcceptOptions.DEFAULT)))) {
            assertTrue(listener.address().getPort() >= 0xc000);
            Connection here = sites.get(Connector.connectAsync(
                    client.adapter, listener.address(), client.queuePair(), ConnectorOptions.DEFAULT));
            sites.get(accepted.getFirst().whenEstablished());
            sites.get(here.disconnect());
        }
    }

    @Test
    void aFailingCallbackIsARefusal() {
        try (Listener listener = Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT, request -> {
            throw new IllegalStateException("a bug of the consumer's");
        })) {
            assertNotNull(listener);
            assertEquals(
                    RejectReason.CONSUMER,
                    failure(connect(client.queuePair(), ConnectorOptions.DEFAULT))
                            .reason());
        }
    }

    @Test
    void anAdapterConnectsToItself() {
        try (Listener listener = listen()) {
            var connecting = Connector.connectAsync(
                    server.adapter, server.at(PORT), server.queuePair(), ConnectorOptions.DEFAULT);
            Connection there = sites.get(listener.acceptAsync()).accept(server.queuePair(), AcceptOptions.DEFAULT);
            Connection here = sites.get(connecting);
            sites.get(there.whenEstablished());
            here.close();
            there.close();
            sites.get(here.whenDisconnected());
            sites.get(there.whenDisconnected());
        }
    }

    @Test
    void foreignQueuePairsAndWrongAddressesAreRefusedAtTheCall() {
        QueuePair mine = client.queuePair();
        assertThrows(
                IllegalArgumentException.class,
                () -> Connector.connectAsync(server.adapter, client.at(1), mine, ConnectorOptions.DEFAULT));
        assertThrows(
                IllegalArgumentException.class,
                () -> Connector.connectAsync(
                        client.adapter, new InetSocketAddress(PORT), mine, ConnectorOptions.DEFAULT));
        assertThrows(
                IllegalArgumentException.class,
                () -> Listener.open(server.adapter, client.at(PORT), ListenerOptions.DEFAULT));
        try (Listener listener = listen()) {
            assertThrows(IllegalStateException.class, this::listen);
            assertThrows(
                    IllegalStateException.class,
                    () -> listener.accept(Duration.ofSeconds(1)),
                    "an adapter that is run by hand does not wait");
        }
    }

    @Test
    void aClosedAdapterTellsItsPeerAndItsOwn() {
        try (Sites others = new Sites(wire)) {
            Listener listener = Listener.open(others.b.adapter, others.b.at(PORT), ListenerOptions.DEFAULT);
            var connecting = Connector.connectAsync(
                    others.a.adapter, others.b.at(PORT), others.a.queuePair(), ConnectorOptions.DEFAULT);
            Connection there = others.get(listener.acceptAsync()).accept(others.b.queuePair(), AcceptOptions.DEFAULT);
            Connection here = others.get(connecting);
            others.get(there.whenEstablished());
            var pending = Connector.connectAsync(
                    others.a.adapter, others.b.at(PORT), others.a.queuePair(), ConnectorOptions.DEFAULT);
            others.a.adapter.close();
            assertTrue(here.whenDisconnected().isDone());
            CompletionException e = assertThrows(CompletionException.class, pending::join);
            assertEquals(
                    ConnectFailedException.Kind.CLOSED,
                    assertInstanceOf(ConnectFailedException.class, e.getCause()).kind());
            for (int i = 0; i < 100 && !there.whenDisconnected().isDone(); i++) {
                others.clock.advance(100_000);
                others.b.adapter.work(others.clock.nowNs());
            }
            assertTrue(there.whenDisconnected().isDone());
            listener.close();
        }
    }
}
