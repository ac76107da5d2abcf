package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.trace.Counter;
import org.verbena.verbs.AdapterOptions;

/** Every wait ends when something is closed, cancelled or interrupted, in any order. */
@Timeout(60)
@OverEachWire
final class ClosingTest {
    private static final int PORT = 7174;
    private static final Duration LONG = Duration.ofSeconds(50);

    private final Wire wire;

    ClosingTest(Wire wire) {
        this.wire = wire;
    }

    private Site live(AdapterOptions.Run run) {
        return new Site(new Wires(wire).openLive(AdapterOptions.DEFAULT.withRun(run)));
    }

    private static ConnectFailedException failure(CompletableFuture<?> future) {
        assertTrue(future.isDone());
        return assertThrows(ConnectFailedException.class, () -> Connection.join(future));
    }

    @Test
    void closingTheAdapterEndsAccept() {
        Sites sites = new Sites(wire);
        Listener listener = Listener.open(sites.a.adapter, sites.a.at(PORT), ListenerOptions.DEFAULT);
        var next = listener.acceptAsync();
        sites.close();
        assertEquals(ConnectFailedException.Kind.CLOSED, failure(next).kind());
        assertEquals(
                ConnectFailedException.Kind.CLOSED,
                failure(listener.acceptAsync()).kind());
        listener.close();
    }

    @Test
    void acceptAtAClosedAdapterThrows() throws InterruptedException {
        for (AdapterOptions.Run run :
                List.of(AdapterOptions.Run.SHARED, AdapterOptions.Run.THREAD, AdapterOptions.Run.INLINE)) {
            Site site = live(run);
            Listener listener = Listener.open(site.adapter, site.at(PORT), ListenerOptions.DEFAULT);
            var outcome = new AtomicReference<Throwable>();
            Thread acceptor = Thread.ofPlatform().start(() -> {
                try {
                    assertNotNull(listener.accept(LONG));
                } catch (Throwable e) {
                    outcome.set(e);
                }
            });
            while (acceptor.getState() == Thread.State.NEW) {
                Thread.onSpinWait();
            }
            site.close();
            acceptor.join();
            assertEquals(ConnectFailedException.class, outcome.get().getClass());
            assertThrows(ConnectFailedException.class, () -> listener.accept(LONG));
            listener.close();
        }
    }

    @Test
    void aConnectThatIsInterruptedIsGivenUp() throws InterruptedException {
        try (Site site = live(AdapterOptions.Run.THREAD);
                Listener listener = Listener.open(site.adapter, site.at(0), ListenerOptions.DEFAULT)) {
            InetSocketAddress silent = wire == Wire.IWARP
                    ? listener.address()
                    : new InetSocketAddress(Wires.isOnFabric() ? "fe80::77" : "10.0.0.77", PORT);
            Thread.currentThread().interrupt();
            assertThrows(
                    InterruptedException.class,
                    () -> Connector.connect(site.adapter, silent, site.queuePair(), ConnectorOptions.DEFAULT));
            assertEquals(1, rememberedOf(site), "the listener");
        }
    }

    private static int rememberedOf(Site site) {
        int[] found = new int[1];
        Agent.of(site.adapter).port().call(() -> found[0] = site.remembered());
        return found[0];
    }

    @Test
    void aRefusedWaitSendsNoRequest() {
        try (Sites sites = new Sites(wire)) {
            InetSocketAddress there = sites.b.at(PORT);
            var queuePair = sites.a.queuePair();
            assertThrows(
                    IllegalStateException.class,
                    () -> Connector.connect(sites.a.adapter, there, queuePair, ConnectorOptions.DEFAULT));
            assertEquals(0, sites.a.remembered());
        }
    }

    @Test
    void cancellingAFutureGivesTheAttemptUp() {
        try (Sites sites = new Sites(wire)) {
            Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT);
            var connecting = Connector.connectAsync(
                    sites.a.adapter, sites.b.at(PORT), sites.a.queuePair(), ConnectorOptions.DEFAULT);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            assertTrue(connecting.cancel(false));
            assertEquals(0, sites.a.remembered());
            sites.until(request::isVoid);
            listener.close();
        }
    }

    @Test
    void anErrorOfACallbackIsARefusalToo() throws InterruptedException {
        try (Site site = live(AdapterOptions.Run.THREAD);
                Listener listener =
                        Listener.open(site.adapter, site.at(PORT), ListenerOptions.DEFAULT, ClosingTest::fail)) {
            assertThrows(IllegalStateException.class, listener::acceptAsync);
            for (int i = 0; i < 2; i++) {
                ConnectFailedException e = assertThrows(
                        ConnectFailedException.class,
                        () -> Connector.connect(
                                site.adapter, site.at(PORT), site.queuePair(), ConnectorOptions.DEFAULT));
                assertEquals(RejectReason.CONSUMER, e.reason());
            }
        }
    }

    private static void fail(ConnectionRequest request) {
        throw new NoClassDefFoundError("a bug of the consumer's");
    }

    @Test
    void aRequestSurvivesTheInterruptOfAnAccept() throws InterruptedException {
        try (Site site = live(AdapterOptions.Run.THREAD);
                Listener listener = Listener.open(site.adapter, site.at(PORT), ListenerOptions.DEFAULT)) {
            // The engine completes the wait and interrupts the waiting thread, in one turn.
            var waiting = new CountDownLatch(1);
            var outcome = new AtomicReference<Throwable>();
            Thread acceptor = Thread.ofPlatform().start(() -> {
                waiting.countDown();
                try {
                    listener.accept(LONG);
                } catch (InterruptedException e) {
                    outcome.set(e);
                }
            });
            waiting.await();
            while (acceptor.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            Agent.of(site.adapter).port().call(() -> {
                acceptor.interrupt();
                var _ = Connector.connectAsync(site.adapter, site.at(PORT), site.queuePair(), ConnectorOptions.DEFAULT);
            });
            acceptor.join();
            ConnectionRequest request = listener.accept(LONG);
            assertNotNull(request);
            request.reject(PrivateData.NONE);
            assertNotNull(outcome.get());
        }
    }

    @Test
    void aCallbackThatDoesNotAnswerHasABacklogToo() {
        try (Sites sites = new Sites(wire)) {
            var given = new ArrayList<ConnectionRequest>();
            Listener listener = Listener.open(
                    sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT.withBacklog(2), given::add);
            for (int i = 0; i < 3; i++) {
                var _ = Connector.connectAsync(
                        sites.a.adapter, sites.b.at(PORT), sites.a.queuePair(), ConnectorOptions.DEFAULT);
                sites.pass(100_000_000L);
            }
            assertEquals(2, given.size());
            // Over iWARP it is not dropped: it waits in the stream.
            assertEquals(wire == Wire.IWARP ? 0 : 1, sites.b.adapter.counters().value(Counter.CM_BACKLOG_DROPS));
            given.getFirst().reject(PrivateData.NONE);
            sites.pass(10_000_000_000L); // longer than it takes to repeat a request that was dropped
            assertEquals(3, given.size());
            listener.close();
            assertFalse(given.getLast().isVoid());
        }
    }

    @Test
    void anAcceptanceWithTooMuchPrivateDataLeavesTheRequestOpen() {
        try (Sites sites = new Sites(wire);
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(
                    sites.a.adapter, sites.b.at(PORT), sites.a.queuePair(), ConnectorOptions.DEFAULT);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            var queuePair = sites.b.queuePair();
            int room = wire == Wire.IWARP ? 508 : 196;
            assertThrows(
                    IllegalArgumentException.class,
                    () -> request.accept(
                            queuePair, AcceptOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[room + 1]))));
            request.accept(queuePair, AcceptOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[room])));
            sites.get(connecting);
        }
    }
}
