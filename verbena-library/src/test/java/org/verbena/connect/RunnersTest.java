package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.RejectReason;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.QueuePair;

/** Blocking calls on adapters that run on a thread of their own, and on adapters that the waiting thread drives. */
@OverEachWire
final class RunnersTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Wire wire;
    private final Wires wires;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final List<Site> sites = new ArrayList<>();

    RunnersTest(Wire wire) {
        this.wire = wire;
        wires = new Wires(wire);
    }

    @AfterEach
    void end() {
        sites.forEach(Site::close);
        threads.shutdown();
    }

    private AdapterOptions options(AdapterOptions.Run run) {
        return AdapterOptions.DEFAULT.withRun(run).withName("site" + sites.size());
    }

    private Site site(AdapterOptions.Run run) {
        return site(wires.openLive(options(run)));
    }

    private Site site(Adapter adapter) {
        Site site = new Site(adapter);
        sites.add(site);
        return site;
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void manyConnectionsInARowLeaveNothing(AdapterOptions.Run run) throws Exception {
        inARow(site(run), site(run), 1_000);
    }

    @Test
    void tenThousandInARowLeaveNothing() throws Exception {
        inARow(site(AdapterOptions.Run.THREAD), site(AdapterOptions.Run.THREAD), 10_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void manyConnectionsInARowLeaveNothingOverSockets(AdapterOptions.Run run) throws Exception {
        inARow(site(wires.openBySockets(options(run))), site(wires.openBySockets(options(run))), 1_000);
    }

    private static ConnectorOptions to(Site server) {
        return ConnectorOptions.DEFAULT.withPeerPort(server.adapter.endpoint().port());
    }

    private void inARow(Site client, Site server, int count) throws Exception {
        try (Listener listener = Listener.open(server.adapter, server.at(0), ListenerOptions.DEFAULT)) {
            Future<?> accepting = threads.submit(() -> {
                acceptMany(server, listener, count);
                return null;
            });
            for (int i = 0; i < count; i++) {
                QueuePair mine = client.queuePair();
                Connection connection = Connector.connect(client.adapter, listener.address(), mine, to(server));
                assertEquals(Connection.State.ESTABLISHED, connection.state());
                var over = connection.disconnect();
                assertNotNull(over);
                assertTrue(connection.awaitDisconnected(LONG));
                mine.close();
            }
            accepting.get();
        }
        for (Site site : List.of(client, server)) {
            assertEquals(0, site.adapter.queuePairCount());
            assertEquals(0, site.adapter.events().dropped());
            assertNull(site.adapter.events().poll());
            awaitNothingRemembered(site);
        }
    }

    private static void acceptMany(Site server, Listener listener, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            ConnectionRequest request = listener.accept(LONG);
            assertNotNull(request);
            QueuePair theirs = server.queuePair();
            Connection connection = request.accept(theirs, AcceptOptions.DEFAULT);
            connection.awaitEstablished(LONG);
            assertTrue(connection.awaitDisconnected(LONG));
            theirs.close();
        }
    }

    /** Timewait takes half a second, on the machine's clock; an inline adapter must be driven through it. */
    private static void awaitNothingRemembered(Site site) throws InterruptedException {
        for (int i = 0; i < 600 && site.remembered() > 0; i++) {
            site.completions.await(Duration.ofMillis(100));
        }
        assertEquals(0, site.remembered());
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void waitingEndsWithTheTimeOrTheRefusal(AdapterOptions.Run run) throws Exception {
        Site client = site(run);
        Site server = site(AdapterOptions.Run.THREAD);
        try (Listener listener = Listener.open(server.adapter, server.at(7174), ListenerOptions.DEFAULT)) {
            assertNull(listener.accept(Duration.ofMillis(10)));
            ConnectFailedException late = assertThrows(
                    ConnectFailedException.class,
                    () -> Connector.connect(
                            client.adapter,
                            server.at(7174),
                            client.queuePair(),
                            ConnectorOptions.DEFAULT.withTimeLimit(Duration.ofMillis(50))));
            assertEquals(ConnectFailedException.Kind.TIMED_OUT, late.kind());
        }
        ConnectFailedException refused = assertThrows(
                ConnectFailedException.class,
                () -> Connector.connect(client.adapter, server.at(7175), client.queuePair(), ConnectorOptions.DEFAULT));
        assertEquals(ConnectFailedException.Kind.REFUSED, refused.kind());
        assertEquals(wire == Wire.IWARP ? null : RejectReason.INVALID_SERVICE_ID, refused.reason());
        if (wire == Wire.ROCE) {
            ConnectFailedException unresolved = assertThrows(
                    ConnectFailedException.class,
                    () -> Connector.resolve(client.adapter, server.at(7176), ConnectorOptions.DEFAULT));
            assertEquals(ConnectFailedException.Kind.REFUSED, unresolved.kind());
        }
    }

    @Test
    void aCallbackOnTheEnginesThreadMayMakeQueuePairsWhileOthersDo() throws Exception {
        Site client = site(AdapterOptions.Run.THREAD);
        Site server = site(AdapterOptions.Run.THREAD);
        try (Listener listener = Listener.open(server.adapter, server.at(0), ListenerOptions.DEFAULT, request -> {
            QueuePair theirs = server.queuePair();
            var _ = request.accept(theirs, AcceptOptions.DEFAULT)
                    .whenDisconnected()
                    .thenRun(theirs::close);
        })) {
            Future<?> busy = threads.submit(() -> {
                for (int i = 0; i < 2_000; i++) {
                    server.queuePair().close();
                }
            });
            for (int i = 0; i < 200; i++) {
                QueuePair mine = client.queuePair();
                Connection connection =
                        Connector.connect(client.adapter, listener.address(), mine, ConnectorOptions.DEFAULT);
                connection.close();
                assertTrue(connection.awaitDisconnected(LONG));
                mine.close();
            }
            busy.get();
        }
        awaitNothingRemembered(client);
        awaitNothingRemembered(server);
        assertEquals(0, server.adapter.queuePairCount());
    }
}
