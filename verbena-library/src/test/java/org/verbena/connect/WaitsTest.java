package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;

/** The futures of connections can be waited for in every run mode, or say why not; times may be as long as they like. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a wait that never ends ignores interrupts
@OverEachWire
final class WaitsTest {
    private static final Duration ALWAYS = Duration.ofSeconds(Long.MAX_VALUE);

    private final Wire wire;
    private final Wires wires;

    WaitsTest(Wire wire) {
        this.wire = wire;
        wires = new Wires(wire);
    }

    private Site site(String name, AdapterOptions.Run run) {
        return new Site(wires.openLive(AdapterOptions.DEFAULT.withName(name).withRun(run)));
    }

    private static Listener accepting(Site server) {
        return Listener.open(
                server.adapter,
                server.at(0),
                ListenerOptions.DEFAULT,
                request -> request.accept(server.queuePair(), AcceptOptions.DEFAULT));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void joinAndGetWork(AdapterOptions.Run run) throws Exception {
        try (Site server = site("server", AdapterOptions.Run.THREAD);
                Site client = site("client", run);
                Listener listener = accepting(server)) {
            Connection first = Connector.connectAsync(
                            client.adapter, listener.address(), client.queuePair(), ConnectorOptions.DEFAULT)
                    .join();
            assertThrows(TimeoutException.class, () -> first.whenDisconnected().get(1, TimeUnit.MILLISECONDS));
            first.disconnect().join();
            assertEquals(Connection.State.DISCONNECTED, first.state());
            Connection second = Connector.connectAsync(
                            client.adapter, listener.address(), client.queuePair(), ConnectorOptions.DEFAULT)
                    .get(1, TimeUnit.MINUTES);
            CompletableFuture<String> derived = second.disconnect().thenApply(Connection::toString);
            assertTrue(derived.get().contains("DISCONNECTED"));
        }
    }

    @Test
    void anAdapterThatIsRunByHandSaysWhyNot() {
        try (Sites sites = new Sites(wire)) {
            try (Listener listener = Listener.open(sites.b.adapter, sites.b.at(7174), ListenerOptions.DEFAULT)) {
                var connecting = Connector.connectAsync(
                        sites.a.adapter, sites.b.at(7174), sites.a.queuePair(), ConnectorOptions.DEFAULT);
                sites.get(listener.acceptAsync()).accept(sites.b.queuePair(), AcceptOptions.DEFAULT);
                Connection connection = sites.get(connecting);
                var over = connection.whenDisconnected();
                IllegalStateException e = assertThrows(IllegalStateException.class, over::join);
                assertTrue(String.valueOf(e.getMessage()).contains("run by hand"), e.getMessage());
                connection.close();
                sites.get(over);
            }
        }
    }

    @Test
    void theEnginesThreadSaysWhyNot() {
        try (Site server = site("server", AdapterOptions.Run.THREAD);
                Site client = site("client", AdapterOptions.Run.THREAD);
                Listener listener = Listener.open(server.adapter, server.at(0), ListenerOptions.DEFAULT)) {
            var asked = Connector.connectAsync(
                            client.adapter, listener.address(), client.queuePair(), ConnectorOptions.DEFAULT)
                    .thenApply(connection -> assertThrows(
                            IllegalStateException.class,
                            () -> connection.whenDisconnected().join()));
            // accepted after thenApply: a future that is complete before would call this test's thread, which may wait
            listener.acceptAsync().join().accept(server.queuePair(), AcceptOptions.DEFAULT);
            assertTrue(String.valueOf(asked.join().getMessage()).contains("must not wait"));
        }
    }

    @Test
    void endlessTimesAreTaken() throws InterruptedException {
        try (Site server = site("server", AdapterOptions.Run.THREAD);
                Site client = site("client", AdapterOptions.Run.THREAD);
                Listener listener = accepting(server)) {
            QueuePair mine = client.queuePair();
            ConnectionOptions endless =
                    ConnectionOptions.DEFAULT.withRetries(7, ALWAYS).withKeepalive(ALWAYS);
            Connection connection = Connector.connect(
                    client.adapter,
                    listener.address(),
                    mine,
                    ConnectorOptions.DEFAULT.withConnection(endless).withTimeLimit(ALWAYS));
            assertEquals(QueuePairState.READY_TO_SEND, mine.state());
            connection.disconnect().join();
            QueuePair other = client.queuePair();
            Wires.connect(other, server.queuePair(), endless);
            assertEquals(QueuePairState.READY_TO_SEND, other.state());
        }
    }
}
