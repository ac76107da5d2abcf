package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.services.push.ServiceConnectionTest.Pair;

/** Lost data, lost channels and silent peers. */
final class LossTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final ServiceOptions UNACKNOWLEDGED =
            ServiceOptions.DEFAULT.withDataChannel(DataChannel.RDMA, ChannelAttributes.UNACKNOWLEDGED);

    /** Drops packets that a condition names. */
    private static final class Sieve extends ForwardingLink {
        Predicate<Packet> drops = packet -> false;
        int dropped;

        Sieve(Link inner) {
            super(inner);
        }

        @Override
        public void commit(Packet packet) {
            if (drops.test(packet)) {
                dropped++;
                inner.abandon(packet);
            } else {
                inner.commit(packet);
            }
        }

        static int target(Packet packet) {
            return packet.segment()
                            .get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), packet.offset() + 4L)
                    & 0xffffff;
        }
    }

    // --- unacknowledged channels

    @Test
    void lostTransfersAreFoundByTheOrderAndReturned() {
        try (Stand stand = new Stand()) {
            List<Sieve> sieves = new ArrayList<>();
            Stand.Node one = stand.node(
                    link -> {
                        sieves.add(new Sieve(link));
                        return sieves.getLast();
                    },
                    4);
            ServiceOptions options = UNACKNOWLEDGED.withPools(8 * 64, new PoolShape(8, 64));
            Pair pair = new Pair(stand, one, stand.node(), options, options).open();
            int data = number(pair.acceptor());
            for (int round = 0; round < 20; round++) {
                sieves.getFirst().drops = packet -> Sieve.target(packet) == data;
                ServiceConnectionTest.push(one, pair.connector, new byte[] {1});
                ServiceConnectionTest.push(one, pair.connector, new byte[] {2});
                stand.run(SHORT);
                sieves.getFirst().drops = packet -> false;
                int before = pair.second.data.size();
                assertTrue(ServiceConnectionTest.push(one, pair.connector, new byte[] {3}));
                assertTrue(stand.runUntil(() -> pair.second.data.size() > before, LONG));
                assertArrayEquals(new byte[] {3}, pair.second.data.getLast());
                stand.run(SHORT);
            }
            assertEquals(20, pair.second.data.size());
            assertEquals(40, BehaviourTest.value(pair.acceptor(), ServiceCounter.LOST));
            assertEquals(60, BehaviourTest.value(pair.acceptor(), ServiceCounter.ELEMENTS_RETURNED));
            assertEquals(0, BehaviourTest.value(pair.acceptor(), ServiceCounter.POOLS_FLUSHED));
        }
    }

    private static int number(ServiceConnection connection) {
        Channel channel = connection.data().channel();
        assertNotNull(channel);
        return channel.queuePair().number();
    }

    @Test
    void aPoolWhoseLastTransfersAreLostIsReplaced() {
        try (Stand stand = new Stand()) {
            List<Sieve> sieves = new ArrayList<>();
            Stand.Node one = stand.node(
                    link -> {
                        sieves.add(new Sieve(link));
                        return sieves.getLast();
                    },
                    4);
            ServiceOptions options = UNACKNOWLEDGED.withPools(8 * 64, new PoolShape(8, 64));
            Pair pair = new Pair(stand, one, stand.node(), options, options).open();
            int data = number(pair.acceptor());
            sieves.getFirst().drops = packet -> Sieve.target(packet) == data;
            for (int i = 0; i < 8; i++) {
                assertTrue(ServiceConnectionTest.push(one, pair.connector, new byte[] {1}));
            }
            stand.run(Duration.ofMillis(20));
            sieves.getFirst().drops = packet -> false;
            assertTrue(ServiceConnectionTest.push(one, pair.connector, new byte[] {2}), "queued");
            assertTrue(stand.runUntil(() -> pair.second.data.size() == 1, LONG), "the new pool has room");
            assertArrayEquals(new byte[] {2}, pair.second.data.getFirst());
            assertEquals(1, BehaviourTest.value(pair.acceptor(), ServiceCounter.POOLS_FLUSHED));
            for (int i = 0; i < 20; i++) {
                BehaviourTest.exchange(pair, 1, 60);
            }
            assertEquals(
                    0,
                    pair.connector.counters().refused()
                            + pair.acceptor().counters().refused());
        }
    }

    @Test
    void dataThatImmediateDataCannotIndicateAreDroppedOnAnUnacknowledgedChannel() {
        try (Stand stand = new Stand()) {
            ServiceOptions options = UNACKNOWLEDGED.withPools(64 << 20, new PoolShape(4, 70_000));
            Pair pair = new Pair(stand, options).open();
            ServiceConnectionTest.push(pair.one, pair.connector, new byte[65_537]);
            ServiceConnectionTest.push(pair.one, pair.connector, new byte[0]);
            assertEquals(2, BehaviourTest.value(pair.connector, ServiceCounter.DROPPED_NOT_INDICABLE));
            BehaviourTest.exchange(pair, 3, 65_536);
            assertEquals(3, pair.second.data.size());
        }
    }

    // --- silence

    @Test
    void aLostControlChannelEndsTheConnectionWhileDataFlow() {
        try (Stand stand = new Stand()) {
            List<Sieve> sieves = new ArrayList<>();
            Stand.Node one = stand.node(
                    link -> {
                        sieves.add(new Sieve(link));
                        return sieves.getLast();
                    },
                    4);
            Pair pair = new Pair(stand, one, stand.node(), ServiceOptions.DEFAULT, ServiceOptions.DEFAULT).open();
            int control = pair.acceptor().control().channel().queuePair().number();
            stand.run(Duration.ofMillis(1500));
            sieves.getFirst().drops = packet -> Sieve.target(packet) == control;
            long lostNs = stand.clock.nowNs();
            while (pair.second.closed == null && stand.clock.nowNs() - lostNs < 5_000_000_000L) {
                if (pair.connector.isOpen()) {
                    ServiceConnectionTest.push(one, pair.connector, new byte[] {1});
                }
                if (pair.acceptor().isOpen()) {
                    ServiceConnectionTest.push(pair.two, pair.acceptor(), new byte[] {1});
                }
                stand.run(Duration.ofMillis(20));
            }
            long tookNs = stand.clock.nowNs() - lostNs;
            assertNotNull(pair.second.closed);
            assertNotNull(pair.first.closed);
            assertTrue(pair.second.data.size() > 50, "data went on");
            assertTrue(tookNs <= 3_050_000_000L, () -> tookNs + " ns");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1900, 4000})
    void aPeerThatIsSilentForLongerThanTheLimitIsGone(long silentMs) {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, ServiceOptions.DEFAULT).open();
            stand.run(Duration.ofMillis(100));
            pair.two.frozen = true;
            long frozenNs = stand.clock.nowNs();
            stand.runUntil(() -> pair.first.closed != null, Duration.ofMillis(silentMs));
            long tookNs = stand.clock.nowNs() - frozenNs;
            pair.two.frozen = false;
            if (silentMs > 3000) {
                assertNotNull(pair.first.closed);
                assertTrue(tookNs <= 3_001_000_000L, () -> tookNs + " ns");
                assertEquals(0, pair.one.adapter.queuePairCount());
                assertTrue(stand.runUntil(() -> pair.second.closed != null, LONG), "the other end learns it");
                assertEquals(0, pair.two.adapter.queuePairCount());
            } else {
                assertNull(pair.first.closed);
                BehaviourTest.exchange(pair, 5, 100);
            }
        }
    }

    @Test
    void anEchoThatIsLostDoesNotEndAnUnacknowledgedControlChannel() {
        try (Stand stand = new Stand()) {
            List<Sieve> sieves = new ArrayList<>();
            Stand.Node one = stand.node(
                    link -> {
                        sieves.add(new Sieve(link));
                        return sieves.getLast();
                    },
                    4);
            ServiceOptions options = ServiceOptions.DEFAULT
                    .withDataChannel(DataChannel.NONE, ChannelAttributes.RELIABLE)
                    .withControl(ChannelAttributes.UNACKNOWLEDGED);
            Pair pair = new Pair(stand, one, stand.node(), options, options).open();
            int control = pair.acceptor().control().channel().queuePair().number();
            // Every second packet on the control channel is lost.
            Sieve sieve = sieves.getFirst();
            int[] seen = new int[1];
            sieve.drops = packet -> Sieve.target(packet) == control && seen[0]++ % 2 == 0;
            stand.run(Duration.ofSeconds(30));
            assertTrue(sieve.dropped > 5, () -> sieve.dropped + " dropped");
            assertNull(pair.first.closed);
            assertNull(pair.second.closed);
        }
    }
}
