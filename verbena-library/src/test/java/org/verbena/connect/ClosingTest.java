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
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.NanoClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.wire.mad.ServiceId;

/** Every wait ends when something is closed, cancelled or interrupted, in any order. */
@Timeout(60)
final class ClosingTest {
    private static final int PORT = 7174;
    private static final Duration LONG = Duration.ofSeconds(50);

    private static Site live(AdapterOptions.Run run) {
        return new Site(new InProcessNetwork().open(), NanoClock.system(), AdapterOptions.DEFAULT.withRun(run));
    }

    private static ConnectFailedException failure(CompletableFuture<?> future) {
        assertTrue(future.isDone());
        return assertThrows(ConnectFailedException.class, () -> Connection.join(future));
    }

    @Test
    void closingTheAdapterEndsAccept() {
        Sites sites = new Sites();
        Listener listener = Listener.open(sites.a.adapter, sites.a.at(PORT), ListenerOptions.DEFAULT);
        DatagramListener datagrams = DatagramListener.open(sites.a.adapter, sites.a.at(PORT), 5, 1, PrivateData.NONE);
        var next = listener.acceptAsync();
        sites.close();
        assertEquals(ConnectFailedException.Kind.CLOSED, failure(next).kind());
        assertEquals(
                ConnectFailedException.Kind.CLOSED,
                failure(listener.acceptAsync()).kind());
        listener.close();
        datagrams.close();
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
        try (Site site = live(AdapterOptions.Run.THREAD)) {
            InetSocketAddress nobody = new InetSocketAddress("10.0.0.77", PORT);
            Thread.currentThread().interrupt();
            assertThrows(
                    InterruptedException.class,
                    () -> Connector.connect(site.adapter, nobody, site.queuePair(), ConnectorOptions.DEFAULT));
            Thread.currentThread().interrupt();
            assertThrows(
                    InterruptedException.class,
                    () -> Connector.resolve(site.adapter, nobody, ConnectorOptions.DEFAULT));
            assertEquals(0, rememberedOf(site));
        }
    }

    private static int rememberedOf(Site site) {
        int[] found = new int[1];
        Agent agent = Agent.of(site.adapter);
        agent.port().call(() -> found[0] = agent.conversations().remembered());
        return found[0];
    }

    @Test
    void aRefusedWaitSendsNoRequest() {
        try (Sites sites = new Sites()) {
            InetSocketAddress there = sites.b.at(PORT);
            var queuePair = sites.a.queuePair();
            assertThrows(
                    IllegalStateException.class,
                    () -> Connector.connect(sites.a.adapter, there, queuePair, ConnectorOptions.DEFAULT));
            assertThrows(
                    IllegalStateException.class,
                    () -> Connector.resolve(sites.a.adapter, there, ConnectorOptions.DEFAULT));
            assertEquals(0, sites.a.remembered());
        }
    }

    @Test
    void cancellingAFutureGivesTheAttemptUp() {
        try (Sites sites = new Sites()) {
            Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT);
            var connecting = Connector.connectAsync(
                    sites.a.adapter, sites.b.at(PORT), sites.a.queuePair(), ConnectorOptions.DEFAULT);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            assertTrue(connecting.cancel(false));
            var resolving = Connector.resolveAsync(
                    sites.a.adapter, new InetSocketAddress("10.0.0.77", PORT), ConnectorOptions.DEFAULT);
            assertTrue(resolving.cancel(false));
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
        try (Sites sites = new Sites()) {
            var given = new ArrayList<ConnectionRequest>();
            Listener listener = Listener.open(
                    sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT.withBacklog(2), given::add);
            for (int i = 0; i < 3; i++) {
                var _ = Connector.connectAsync(
                        sites.a.adapter, sites.b.at(PORT), sites.a.queuePair(), ConnectorOptions.DEFAULT);
            }
            sites.pass(100_000_000L);
            assertEquals(2, given.size());
            assertEquals(1, sites.b.adapter.counters().value(Counter.CM_BACKLOG_DROPS));
            given.getFirst().reject(PrivateData.NONE);
            sites.until(() -> given.size() == 3);
            listener.close();
            assertFalse(given.getLast().isVoid());
        }
    }

    @Test
    void aDatagramListenerIsClosedOnce() {
        try (Sites sites = new Sites()) {
            DatagramListener first = DatagramListener.open(sites.b.adapter, sites.b.at(PORT), 5, 1, PrivateData.NONE);
            first.close();
            DatagramListener second = DatagramListener.open(sites.b.adapter, sites.b.at(PORT), 5, 1, PrivateData.NONE);
            first.close();
            assertEquals(
                    5,
                    sites.get(Connector.resolveAsync(sites.a.adapter, sites.b.at(PORT), ConnectorOptions.DEFAULT))
                            .queuePair());
            second.close();
        }
    }

    @Test
    void privateDataAreNeverCut() {
        try (Sites sites = new Sites()) {
            var queuePair = sites.a.queuePair();
            var service = ConnectorOptions.DEFAULT.withServiceId(ServiceId.tcp(PORT));
            for (ConnectorOptions options : new ConnectorOptions[] {ConnectorOptions.DEFAULT, service}) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Connector.connectAsync(
                                sites.a.adapter,
                                sites.b.at(PORT),
                                queuePair,
                                options.withPrivateData(PrivateData.of(new byte[57]))));
            }
            assertThrows(
                    IllegalArgumentException.class,
                    () -> ConnectorOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[513])));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Connector.resolveAsync(
                            sites.a.adapter,
                            sites.b.at(PORT),
                            ConnectorOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[181]))));
            DatagramListener listener =
                    DatagramListener.open(sites.b.adapter, sites.b.at(PORT), 5, 1, PrivateData.NONE);
            sites.get(Connector.resolveAsync(
                    sites.a.adapter,
                    sites.b.at(PORT),
                    ConnectorOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[180]))));
            listener.close();
            assertEquals(0, sites.a.remembered());
        }
    }

    @Test
    void anAcceptanceWithTooMuchPrivateDataLeavesTheRequestOpen() {
        try (Sites sites = new Sites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(
                    sites.a.adapter, sites.b.at(PORT), sites.a.queuePair(), ConnectorOptions.DEFAULT);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            var queuePair = sites.b.queuePair();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> request.accept(
                            queuePair, AcceptOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[197]))));
            request.accept(queuePair, AcceptOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[196])));
            sites.get(connecting);
        }
    }

    @Test
    void endlessLimitsAreLong() {
        try (Sites sites = new Sites()) {
            var endless = ConnectorOptions.DEFAULT
                    .withTimeLimit(Duration.ofSeconds(Long.MAX_VALUE))
                    .withRetries(1, 0);
            InetSocketAddress nobody = new InetSocketAddress("10.0.0.77", PORT);
            var resolving = Connector.resolveAsync(sites.a.adapter, nobody, endless);
            var connecting = Connector.connectAsync(sites.a.adapter, nobody, sites.a.queuePair(), endless);
            sites.until(() -> connecting.isDone() && resolving.isDone());
            assertEquals(
                    ConnectFailedException.Kind.TIMED_OUT, failure(connecting).kind());
            assertEquals(
                    ConnectFailedException.Kind.TIMED_OUT, failure(resolving).kind());
        }
    }
}
