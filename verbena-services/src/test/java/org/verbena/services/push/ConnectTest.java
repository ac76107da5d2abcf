package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.PrivateData;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.services.push.wire.Hello;
import org.verbena.services.push.wire.HelloReply;
import org.verbena.services.push.wire.Refusal;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.Service;

/** How service connections come into being, and how they do not. */
final class ConnectTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long COOKIE = 4711;

    /** A layer that listens, and a peer without one. */
    private static final class Door implements AutoCloseable {
        final Stand stand = new Stand();
        final Stand.Node node = stand.node();
        final RawPeer peer = new RawPeer(stand, stand.node(), Service.RC);
        final List<ServiceConnection> accepted = new ArrayList<>();
        final Recorder user = new Recorder();
        final InetSocketAddress at = node.layer.listen(node.at(700), ServiceOptions.DEFAULT, made -> {
            accepted.add(made);
            return user;
        });

        /** The text of the rejection; null if the request was accepted. */
        @Nullable
        String ask(RawPeer from, int channel, PrivateData hello) {
            CompletableFuture<Connection> answer = from.ask(at, channel, hello);
            assertTrue(stand.runUntil(answer::isDone, LONG));
            if (!answer.isCompletedExceptionally()) {
                return null;
            }
            return answer.exceptionNow().getMessage();
        }

        void assertNothingLeft() {
            assertTrue(stand.runUntil(() -> node.layer.connectionCount() == 0, LONG));
            stand.run(Duration.ofSeconds(1));
            assertEquals(0, node.adapter.queuePairCount());
            accepted.forEach(made -> assertEquals(0, made.domain().entries()));
        }

        @Override
        public void close() {
            stand.close();
        }
    }

    private static Hello hello(int lowest, int highest, int channel, long cookie) {
        return new Hello(lowest, highest, channel, 0, Hello.USE_RDMA, 15, 4096, cookie, 0, 0, 0);
    }

    private static void assertRejected(Door door, Refusal refusal, @Nullable String text) {
        assertNotNull(text, "rejected");
        assertTrue(text.contains(refusal.reason()), text);
        assertEquals(Map.of(refusal.label(), 1L), door.node.layer.hellos().refusals());
        assertEquals(1, door.node.layer.rejectedCount());
    }

    @Test
    void privateDataWithoutTheMarkAreRejected() {
        try (Door door = new Door()) {
            assertRejected(door, Refusal.WRONG_MARK, door.ask(door.peer, 0, PrivateData.of(new byte[40])));
            door.assertNothingLeft();
        }
    }

    @Test
    void versionsThatTheLayerDoesNotSpeakAreRejected() {
        try (Door door = new Door()) {
            assertRejected(
                    door,
                    Refusal.NO_COMMON_VERSION,
                    door.ask(door.peer, 0, hello(2, 3, 0, COOKIE).privateData()));
            door.assertNothingLeft();
        }
    }

    @Test
    void aHelloThatContradictsItselfIsRejected() {
        try (Door door = new Door()) {
            Hello wrong = new Hello(1, 1, 0, 0, Hello.USE_RDMA, 15, 255, COOKIE, 0, 0, 0);
            assertRejected(door, Refusal.BAD_HELLO, door.ask(door.peer, 0, wrong.privateData()));
        }
    }

    @Test
    void aDataChannelBeforeItsControlChannelIsRejected() {
        try (Door door = new Door()) {
            assertRejected(
                    door,
                    Refusal.UNKNOWN_COOKIE,
                    door.ask(door.peer, 1, hello(1, 1, 1, COOKIE).privateData()));
            door.assertNothingLeft();
        }
    }

    @Test
    void aSecondDataChannelIsRejectedAndTheFirstGoesOn() {
        try (Door door = new Door()) {
            door.peer.connect(door.at, 0, 15);
            door.peer.send(0, door.peer.offer(0, 8, 256, 0));
            assertTrue(door.stand.runUntil(() -> door.user.opened == 1, LONG));
            RawPeer other = new RawPeer(door.stand, door.peer.node, Service.RC);
            assertRejected(
                    door,
                    Refusal.UNKNOWN_COOKIE,
                    door.ask(other, 1, hello(1, 1, 1, COOKIE).privateData()));
            assertTrue(door.accepted.getFirst().isOpen());
        }
    }

    @Test
    void theCookieOfAnotherAddressIsRejected() {
        try (Door door = new Door()) {
            assertNull(door.ask(door.peer, 0, hello(1, 1, 0, COOKIE).privateData()));
            RawPeer other = new RawPeer(door.stand, door.stand.node(), Service.RC);
            assertRejected(
                    door,
                    Refusal.UNKNOWN_COOKIE,
                    door.ask(other, 1, hello(1, 1, 1, COOKIE).privateData()));
            assertNull(door.ask(door.peer, 1, hello(1, 1, 1, COOKIE).privateData()), "the right address");
        }
    }

    @Test
    void aCookieThatIsInUseIsRejected() {
        try (Door door = new Door()) {
            assertNull(door.ask(door.peer, 0, hello(1, 1, 0, COOKIE).privateData()));
            RawPeer other = new RawPeer(door.stand, door.stand.node(), Service.RC);
            assertNotNull(door.ask(other, 0, hello(1, 1, 0, COOKIE).privateData()));
            assertEquals(1, door.node.layer.connectionCount());
        }
    }

    @Test
    void aConnectionThatIsNotFinishedEndsAtItsLimitAndGivesEverythingBack() {
        try (Door door = new Door()) {
            assertNull(door.ask(door.peer, 0, hello(1, 1, 0, COOKIE).privateData()));
            assertTrue(door.stand.runUntil(() -> door.accepted.size() == 1, LONG));
            long begunNs = door.stand.clock.nowNs();
            assertTrue(door.stand.runUntil(() -> door.user.closed != null, LONG));
            long tookNs = door.stand.clock.nowNs() - begunNs;
            Duration limit = ServiceOptions.DEFAULT.connectLimit();
            assertTrue(tookNs <= limit.toNanos() && tookNs > limit.toNanos() / 2, () -> tookNs + " ns");
            String reason = String.valueOf(door.user.closed);
            assertTrue(reason.contains("within"), reason);
            assertEquals(0, door.user.opened);
            door.assertNothingLeft();
        }
    }

    @Test
    void aConnectionWithoutTheOffersOfThePeerEndsAtItsLimit() {
        try (Door door = new Door()) {
            door.peer.connect(door.at, 0, 15);
            assertTrue(door.stand.runUntil(() -> door.user.closed != null, LONG));
            assertEquals(0, door.user.opened);
            door.assertNothingLeft();
        }
    }

    @Test
    void aConnectionBeyondTheLimitIsRejectedWithAReasonThatTheConnectorLearns() {
        try (Stand stand = new Stand()) {
            Stand.Node one = stand.node();
            Stand.Node two = stand.node(link -> link, 2);
            InetSocketAddress at = two.layer.listen(two.at(700), ServiceOptions.DEFAULT, made -> new Recorder());
            List<Recorder> users = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Recorder user = new Recorder();
                users.add(user);
                one.layer.connect(at, 0, ServiceOptions.DEFAULT, user);
                assertTrue(stand.runUntil(() -> user.opened == 1 || user.closed != null, LONG));
            }
            String reason = users.get(2).closed;
            assertNotNull(reason);
            assertTrue(reason.contains("all 2 service connections are in use"), reason);
            assertNull(users.get(1).closed);
            assertEquals(1, two.layer.rejectedCount());
            assertEquals(2, two.layer.connectionCount());
            assertThrows(
                    IllegalStateException.class,
                    () -> two.layer.connect(one.at(1), 0, ServiceOptions.DEFAULT, new Recorder()));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 4096, 0, UNKNOWN_COOKIE", "2, 4096, 4711, NO_COMMON_VERSION", "1, 255, 4711, BAD_HELLO"})
    void aReplyThatDoesNotFitEndsTheConnectionWithItsReason(int version, int bytes, long cookie, Refusal refusal) {
        try (Stand stand = new Stand()) {
            Stand.Node node = stand.node();
            Stand.Node other = stand.node();
            Recorder user = new Recorder();
            var domain = other.adapter.createProtectionDomain();
            var completions = other.adapter.createCompletionQueue(64);
            Listener.open(other.adapter, other.at(700), ListenerOptions.DEFAULT, request -> {
                long found = Hello.read(request.privateData()).cookie();
                QueuePair pair = other.adapter.createQueuePair(QueuePairOptions.of(domain, completions));
                HelloReply reply = new HelloReply(version, bytes, cookie == 0 ? found + 1 : found, 0, 0, 0);
                request.accept(pair, AcceptOptions.DEFAULT.withPrivateData(reply.privateData()));
            });
            ServiceConnection connection = node.layer.connect(other.at(700), 0, ServiceOptions.DEFAULT, user);
            assertTrue(stand.runUntil(() -> user.closed != null, LONG));
            assertTrue(("" + user.closed).contains(refusal.reason()), user.closed);
            assertEquals(Map.of(refusal.label(), 1L), connection.counters().refusals());
            assertEquals(0, node.adapter.queuePairCount());
            assertEquals(0, connection.domain().entries());
        }
    }

    @Test
    void anAcceptorThatThrowsEndsThatConnectionOnly() {
        try (Stand stand = new Stand()) {
            Stand.Node one = stand.node();
            Stand.Node two = stand.node();
            InetSocketAddress at = two.layer.listen(two.at(700), ServiceOptions.DEFAULT, made -> {
                throw new IllegalStateException("no");
            });
            Recorder user = new Recorder();
            one.layer.connect(at, 0, ServiceOptions.DEFAULT, user);
            assertTrue(stand.runUntil(() -> user.closed != null, LONG));
            assertEquals(0, two.layer.connectionCount());
            assertEquals(0, two.adapter.queuePairCount());
        }
    }

    @Test
    void aConnectionThatTheAdapterHasNoRoomForLeavesNothing() {
        try (Stand stand = new Stand()) {
            Stand.Node one = stand.node(link -> link, 1);
            InetSocketAddress at = new InetSocketAddress(one.adapter.endpoint().address(), 1);
            // One connection may reserve 2,048 completions.
            ServiceOptions large = ServiceOptions.DEFAULT.withQueue(10, 2000);
            for (int i = 0; i < 3; i++) {
                IllegalStateException refused = assertThrows(
                        IllegalStateException.class, () -> one.layer.connect(at, 0, large, new Recorder()));
                assertTrue(("" + refused.getMessage()).contains("allow fewer connections"), refused.getMessage());
                assertEquals(0, one.adapter.queuePairCount());
                assertEquals(0, one.layer.connectionCount());
            }
            ServiceConnection made =
                    one.layer.connect(at, 0, ServiceOptions.DEFAULT.withQueue(10, 1200), new Recorder());
            assertFalse(made.isClosed(), "what was reserved is free again");
        }
    }
}
