package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.Wires;
import org.verbena.link.Endpoint;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.mad.Mad;

/** Data at connect between two adapters, in virtual time. */
@Timeout(60)
@OverSwitches
final class DataAtConnectTest {
    private static final int PORT = 7174;
    private static final long SECOND_NS = 1_000_000_000;
    private static final PrivateData LONGEST = bytes(Connection.DATA_MAX_BYTES);
    private static final PrivateData SHORT = bytes(300);

    private Sites sites = new Sites();

    @AfterEach
    void close() {
        sites.close();
    }

    static PrivateData bytes(int length) {
        Seed seed = new Seed(length);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) seed.nextInt();
        }
        return PrivateData.of(bytes);
    }

    private static ConnectorOptions asking(@Nullable PrivateData data) {
        return ConnectorOptions.DEFAULT.withData(data);
    }

    private static AcceptOptions accepting(@Nullable PrivateData data) {
        return AcceptOptions.DEFAULT.withData(data);
    }

    /** Both ends of an attempt. */
    private record Attempt(CompletableFuture<Connection> here, Connection there) {}

    private Attempt attempt(InetSocketAddress to, ConnectorOptions asking, AcceptOptions accepting) {
        try (Listener listener = Listener.open(sites.b.adapter, to, ListenerOptions.DEFAULT)) {
            var here = Connector.connectAsync(sites.a.adapter, to, sites.a.queuePair(), asking);
            Connection there = sites.get(listener.acceptAsync()).accept(sites.b.queuePair(), accepting);
            return new Attempt(here, there);
        }
    }

    private Attempt attempt(@Nullable PrivateData clients, @Nullable PrivateData servers) {
        return attempt(sites.b.at(PORT), asking(clients), accepting(servers));
    }

    private ConnectFailedException failure(CompletableFuture<?> future) {
        sites.until(future::isDone);
        CompletionException wrapped = assertThrows(CompletionException.class, future::join);
        return assertInstanceOf(ConnectFailedException.class, wrapped.getCause());
    }

    private static void assertSays(Exception e, String words) {
        assertTrue(String.valueOf(e.getMessage()).contains(words), e.getMessage());
    }

    // --- exchanged

    @Test
    void bothEndsHaveTheDataWhenTheConnectionIsEstablished() {
        Attempt attempt = attempt(LONGEST, SHORT);
        CompletableFuture<PrivateData> atOnce = attempt.here.thenApply(Connection::peerData);
        CompletableFuture<PrivateData> there = attempt.there.whenEstablished().thenApply(Connection::peerData);
        assertEquals(PrivateData.NONE, attempt.there.peerData());
        assertEquals(Connection.State.CONNECTING, attempt.there.state());
        assertEquals(SHORT, sites.get(atOnce));
        assertEquals(LONGEST, sites.get(there));
        Connection here = sites.get(attempt.here);
        var _ = here.disconnect();
        sites.get(attempt.there.whenDisconnected());
        assertEquals(SHORT, here.peerData(), "kept after the end");
        sites.pass(10 * SECOND_NS);
        assertEquals(0, sites.a.remembered());
        assertEquals(0, sites.b.remembered());
    }

    @Test
    void privateDataAndMessagesAreNotTouched() {
        Attempt attempt = attempt(
                sites.b.at(PORT),
                asking(SHORT).withPrivateData(PrivateData.of((byte) 1)),
                accepting(SHORT).withPrivateData(PrivateData.of((byte) 2)));
        Connection here = sites.get(attempt.here);
        Connection there = sites.get(attempt.there.whenEstablished());
        assertEquals(PrivateData.of((byte) 2), here.privateData().trimmed());
        assertEquals(PrivateData.of((byte) 1), there.privateData().trimmed());
        QueuePair receiver = there.queuePair();
        assertTrue(receiver.post(new WorkRequest.Receive(3, LocalSegment.of(sites.b.region, 0, 64))));
        assertTrue(here.queuePair().post(new WorkRequest.Send(4, LocalSegment.of(sites.a.region, 0, 8))));
        assertEquals(Status.SUCCESS, completion(sites.a).status());
        Completion received = completion(sites.b);
        assertEquals(3, received.id());
        assertEquals(8, received.byteLength());
    }

    private Completion completion(Site site) {
        List<Completion> found = new ArrayList<>();
        sites.until(() -> {
            Completion next = site.completions.poll();
            return next != null && found.add(next);
        });
        return found.getFirst();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.2})
    void lossIsMended(double rate) {
        for (int run = 0; run < 20; run++) {
            sites.close();
            sites = new Sites(new Seed(run), new LinkFaults(rate, rate, rate, 0));
            Attempt attempt = attempt(
                    sites.b.at(PORT),
                    asking(bytes(20_000)).withTimeLimit(Duration.ofMinutes(10)).withRetries(15, 15),
                    accepting(LONGEST));
            assertEquals(LONGEST, sites.get(attempt.here).peerData());
            assertEquals(
                    bytes(20_000), sites.get(attempt.there.whenEstablished()).peerData());
        }
    }

    @Test
    void itWorksOverIpv6AndBetweenDifferentUdpPorts() {
        sites.close();
        sites = new Sites(List.of(Endpoint.of("fd00::1", 4791)), List.of(Endpoint.of("fd00::2", 5000)));
        Attempt attempt = attempt(sites.b.at(PORT), asking(SHORT).withPeerPort(5000), accepting(LONGEST));
        assertEquals(LONGEST, sites.get(attempt.here).peerData());
        assertEquals(SHORT, sites.get(attempt.there.whenEstablished()).peerData());
    }

    @Test
    void twoEndsThatConnectToEachOtherExchangeDataToo() {
        ConnectorOptions options = asking(SHORT).withPeerToPeer(true);
        var here = Connector.connectAsync(sites.a.adapter, sites.b.at(PORT), sites.a.queuePair(), options);
        var there = Connector.connectAsync(
                sites.b.adapter, sites.a.at(PORT), sites.b.queuePair(), options.withData(LONGEST));
        assertEquals(LONGEST, sites.get(here).peerData());
        assertEquals(SHORT, sites.get(there).peerData());
    }

    /** A Linux peer must see nothing of an option that is not used. */
    @Test
    void withoutTheOptionNoDatagramIsAdded() {
        Attempt attempt = attempt(null, null);
        sites.get(attempt.here);
        Connection there = sites.get(attempt.there.whenEstablished());
        sites.pass(60 * SECOND_NS);
        assertEquals(2, sites.a.adapter.counters().value(Counter.SENT_MADS), "REQ and RTU");
        assertEquals(1, sites.b.adapter.counters().value(Counter.SENT_MADS), "REP");
        assertEquals(PrivateData.NONE, there.peerData());
    }

    // --- failed

    @Test
    void aPeerWithoutTheOptionIsNamedWithTheRemedy() {
        Attempt asked = attempt(SHORT, null);
        ConnectFailedException e = failure(asked.here);
        assertEquals(ConnectFailedException.Kind.REFUSED, e.kind());
        assertSays(e, sites.b.at(PORT) + " does not take data at connect");
        assertSays(e, "Both ends need withData");
        sites.get(asked.there.whenDisconnected());
        Attempt accepted = attempt(null, SHORT);
        assertSays(failure(accepted.there.whenEstablished()), "Both ends need withData");
        assertEquals(QueuePairState.ERROR, accepted.there.queuePair().state());
        Connection here = sites.get(accepted.here);
        sites.get(here.whenDisconnected());
    }

    @Test
    void aPeerThatDoesNotAnswerIsNamedWithWhatWasTried() {
        Attempt attempt = attempt(SHORT, SHORT);
        sleepAfterTheReply();
        long startNs = sites.clock.nowNs();
        ConnectFailedException e = failure(attempt.here);
        long tookNs = sites.clock.nowNs() - startNs;
        assertTrue(tookNs > 13 * SECOND_NS && tookNs < 16 * SECOND_NS, tookNs + " ns");
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, e.kind());
        assertSays(e, sites.b.at(PORT) + " in time: the peer has 0 of 2 pieces");
        assertSays(
                e, "the peer has 0 of 2 pieces of this end's data, this end has none of the peer's; 34 pieces sent to");
        assertSays(e, "UDP port 4791 of " + sites.b.at(PORT).getAddress().getHostAddress() + " in 1");
        assertSays(e, "Only Verbena knows data at connect");
    }

    /** The server does nothing any more when its reply has left. */
    private void sleepAfterTheReply() {
        sites.until(() -> sites.b.adapter.counters().value(Counter.SENT_MADS) > 0);
        sites.asleep = sites.b;
    }

    @Test
    void theTimeLimitCoversTheExchange() {
        Attempt attempt =
                attempt(sites.b.at(PORT), asking(SHORT).withTimeLimit(Duration.ofSeconds(3)), accepting(SHORT));
        sleepAfterTheReply();
        long startNs = sites.clock.nowNs();
        assertSays(failure(attempt.here), "the data at connect were not exchanged");
        long tookNs = sites.clock.nowNs() - startNs;
        assertTrue(tookNs > 2 * SECOND_NS && tookNs <= 3 * SECOND_NS + 1_000_000, tookNs + " ns");
    }

    @Test
    void aPeerThatDisconnectsMeanwhileEndsTheAttempt() {
        Attempt attempt = attempt(LONGEST, LONGEST);
        sites.until(() -> sites.b.adapter.counters().value(Counter.RECEIVED_MADS) > 10);
        assertFalse(attempt.here.isDone());
        attempt.there.close();
        ConnectFailedException e = failure(attempt.here);
        assertSays(e, sites.b.at(PORT) + " ended the connection before the data at connect were exchanged");
        assertSays(failure(attempt.there.whenEstablished()), "closed");
        sites.pass(20 * SECOND_NS);
        assertEquals(0, sites.a.remembered());
        assertEquals(0, sites.b.remembered());
    }

    @Test
    void cancellingTheAttemptEndsTheExchange() {
        Attempt attempt = attempt(LONGEST, LONGEST);
        sites.until(() -> sites.b.adapter.counters().value(Counter.RECEIVED_MADS) > 10);
        assertTrue(attempt.here.cancel(false));
        assertSays(failure(attempt.there.whenEstablished()), "ended the connection");
        sites.pass(20 * SECOND_NS);
        assertEquals(0, sites.a.remembered());
    }

    @Test
    void anAdapterThatClosesEndsTheExchange() {
        Attempt attempt = attempt(LONGEST, LONGEST);
        sites.until(() -> sites.b.adapter.counters().value(Counter.RECEIVED_MADS) > 10);
        sites.b.adapter.close();
        assertEquals(
                ConnectFailedException.Kind.CLOSED,
                failure(attempt.there.whenEstablished()).kind());
        sites.asleep = sites.b;
        assertSays(failure(attempt.here), "ended the connection");
    }

    @Test
    void dataThatAreTooLongAreRefusedAtTheCall() {
        PrivateData tooLong = bytes(Connection.DATA_MAX_BYTES + 1);
        var asked = assertThrows(IllegalArgumentException.class, () -> asking(tooLong));
        assertSays(asked, "at most 65536 bytes expected; found 65537");
        assertThrows(IllegalArgumentException.class, () -> accepting(tooLong));
        assertThrows(
                IllegalArgumentException.class,
                () -> Connector.resolveAsync(sites.a.adapter, sites.b.at(PORT), asking(SHORT)));
    }

    @Test
    void theOptionsKeepTheDataWhenOthersChange() {
        assertSame(SHORT, asking(SHORT).withSourcePort(9).data());
        AcceptOptions accepting =
                accepting(SHORT).withPrivateData(PrivateData.NONE).withMemory(null);
        assertSame(SHORT, accepting.withConnection(accepting.connection()).data());
        assertTrue(asking(LONGEST).toString().length() < 2_000, "not all bytes are printed");
    }

    @Test
    void anotherHandlerOfTheClassIsNamed() {
        sites.a.adapter.management().serve(Mad.CLASS_DATA, () -> (_, _, _) -> {});
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> Agent.of(sites.a.adapter));
        assertSays(e, "management class 68");
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void dataAtConnectAreExchangedOverUdp(AdapterOptions.Run run) throws Exception {
        PrivateData clients = bytes(Connection.DATA_MAX_BYTES);
        PrivateData servers = bytes(1_000);
        Wires wires = new Wires(Wire.ROCE);
        AdapterOptions options = AdapterOptions.DEFAULT.withRun(run);
        try (Site client = new Site(wires.openBySockets(options));
                Site server = new Site(wires.openBySockets(options));
                ExecutorService threads = Executors.newSingleThreadExecutor();
                Listener listener = Listener.open(server.adapter, server.at(0), ListenerOptions.DEFAULT)) {
            Future<PrivateData> accepting = threads.submit(() -> {
                ConnectionRequest request = listener.accept(Duration.ofSeconds(50));
                assertNotNull(request);
                return request.accept(server.queuePair(), AcceptOptions.DEFAULT.withData(servers))
                        .awaitEstablished(Duration.ofSeconds(50))
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
}
