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
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.time.NanoClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.QueuePair;

/** Blocking calls on adapters that run on a thread of their own, and on adapters that the waiting thread drives. */
final class RunnersTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final List<Site> sites = new ArrayList<>();

    @AfterEach
    void end() {
        sites.forEach(Site::close);
        threads.shutdown();
    }

    private Site site(Link link, AdapterOptions.Run run) {
        Site site = new Site(
                link, NanoClock.system(), AdapterOptions.DEFAULT.withRun(run).withName("site" + sites.size()));
        sites.add(site);
        return site;
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void manyConnectionsInARowLeaveNothingInProcess(AdapterOptions.Run run) throws Exception {
        InProcessNetwork network = new InProcessNetwork();
        inARow(site(network.open(), run), site(network.open(), run), 1_000);
    }

    @Test
    void tenThousandInARowLeaveNothing() throws Exception {
        InProcessNetwork network = new InProcessNetwork();
        inARow(
                site(network.open(), AdapterOptions.Run.THREAD),
                site(network.open(), AdapterOptions.Run.THREAD),
                10_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void manyConnectionsInARowLeaveNothingOverUdp(AdapterOptions.Run run) throws Exception {
        Link first = UdpNetwork.open(Endpoint.of("127.0.0.1", 0));
        Link second = UdpNetwork.open(Endpoint.of("127.0.0.2", first.local().port()));
        inARow(site(first, run), site(second, run), 1_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void dataAtConnectAreExchangedOverUdp(AdapterOptions.Run run) throws Exception {
        Site client = site(UdpNetwork.open(Endpoint.of("127.0.0.1", 0)), run);
        Site server = site(UdpNetwork.open(Endpoint.of("127.0.0.1", 0)), run);
        PrivateData clients = DataAtConnectTest.bytes(Connection.DATA_MAX_BYTES);
        PrivateData servers = DataAtConnectTest.bytes(1_000);
        try (Listener listener = Listener.open(server.adapter, server.at(0), ListenerOptions.DEFAULT)) {
            Future<PrivateData> accepting = threads.submit(() -> {
                ConnectionRequest request = listener.accept(LONG);
                assertNotNull(request);
                return request.accept(server.queuePair(), AcceptOptions.DEFAULT.withData(servers))
                        .awaitEstablished(LONG)
                        .peerData();
            });
            Connection here = Connector.connect(
                    client.adapter,
                    listener.address(),
                    client.queuePair(),
                    ConnectorOptions.DEFAULT
                            .withPeerPort(server.adapter.endpoint().port())
                            .withData(clients));
            assertEquals(servers, here.peerData());
            assertEquals(clients, accepting.get());
        }
    }

    private void inARow(Site client, Site server, int count) throws Exception {
        try (Listener listener = Listener.open(server.adapter, server.at(0), ListenerOptions.DEFAULT)) {
            Future<?> accepting = threads.submit(() -> {
                acceptMany(server, listener, count);
                return null;
            });
            for (int i = 0; i < count; i++) {
                QueuePair mine = client.queuePair();
                Connection connection =
                        Connector.connect(client.adapter, listener.address(), mine, ConnectorOptions.DEFAULT);
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
        InProcessNetwork network = new InProcessNetwork();
        Site client = site(network.open(), run);
        Site server = site(network.open(), AdapterOptions.Run.THREAD);
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
        assertEquals(RejectReason.INVALID_SERVICE_ID, refused.reason());
        ConnectFailedException unresolved = assertThrows(
                ConnectFailedException.class,
                () -> Connector.resolve(client.adapter, server.at(7176), ConnectorOptions.DEFAULT));
        assertEquals(ConnectFailedException.Kind.REFUSED, unresolved.kind());
    }

    /** The client sends its request and does nothing any more. */
    @Test
    void waitingForAPeerThatIsNeverReadySaysWhatWasTried() throws Exception {
        InProcessNetwork network = new InProcessNetwork();
        Site client = site(network.open(), AdapterOptions.Run.MANUAL);
        Site server = site(network.open(), AdapterOptions.Run.THREAD);
        try (Listener listener = Listener.open(server.adapter, server.at(7174), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(
                    client.adapter, server.at(7174), client.queuePair(), ConnectorOptions.DEFAULT);
            while (client.adapter.counters().value(Counter.SENT_MADS) == 0) {
                client.adapter.work(NanoClock.system().nowNs());
            }
            ConnectionRequest request = listener.accept(LONG);
            assertNotNull(request);
            Connection there = request.accept(server.queuePair(), AcceptOptions.DEFAULT);
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
    void aCallbackOnTheEnginesThreadMayMakeQueuePairsWhileOthersDo() throws Exception {
        InProcessNetwork network = new InProcessNetwork();
        Site client = site(network.open(), AdapterOptions.Run.THREAD);
        Site server = site(network.open(), AdapterOptions.Run.THREAD);
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
