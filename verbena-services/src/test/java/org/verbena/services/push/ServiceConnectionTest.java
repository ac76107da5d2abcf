package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.time.Seed;

final class ServiceConnectionTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    static Stream<ServiceOptions> kinds() {
        ServiceOptions base = ServiceOptions.DEFAULT
                .withPools(16 << 20, new PoolShape(64, 2048), new PoolShape(8, 70_000))
                .withMessageBytesMax(80_000);
        return Stream.of(
                base,
                base.withModel(TransferModel.PUSH_PULL),
                base.withModel(TransferModel.PULL_PULL),
                base.withDataChannel(DataChannel.RDMA, ChannelAttributes.UNACKNOWLEDGED),
                base.withDataChannel(DataChannel.SEND, ChannelAttributes.RELIABLE),
                base.withDataChannel(DataChannel.SEND, ChannelAttributes.UNACKNOWLEDGED),
                base.withDataChannel(DataChannel.SEND, ChannelAttributes.DATAGRAM),
                base.withDataChannel(DataChannel.NONE, ChannelAttributes.RELIABLE),
                base.withDataChannel(DataChannel.NONE, ChannelAttributes.RELIABLE)
                        .withControl(ChannelAttributes.UNACKNOWLEDGED));
    }

    /** Both ends of one service connection. */
    static final class Pair {
        final Stand stand;
        final Stand.Node one;
        final Stand.Node two;
        final Recorder first = new Recorder();
        final Recorder second = new Recorder();
        final ServiceConnection connector;

        @Nullable
        ServiceConnection acceptor;

        Pair(Stand stand, ServiceOptions options) {
            this(stand, stand.node(), stand.node(), options, options);
        }

        Pair(Stand stand, Stand.Node one, Stand.Node two, ServiceOptions options, ServiceOptions accepting) {
            this.stand = stand;
            this.one = one;
            this.two = two;
            var at = two.layer.listen(two.at(700), accepting, made -> {
                acceptor = made;
                return second;
            });
            connector = one.layer.connect(at, 0, options, first);
        }

        ServiceConnection acceptor() {
            ServiceConnection made = acceptor;
            if (made == null) {
                throw new AssertionError("no connection was accepted; the connector says " + first.closed);
            }
            return made;
        }

        Pair open() {
            assertTrue(
                    stand.runUntil(() -> first.opened > 0 && second.opened > 0, LONG),
                    () -> "not open: " + first.closed + ", " + second.closed);
            return this;
        }
    }

    static boolean push(Stand.Node from, ServiceConnection connection, byte[] data) {
        int slot = from.buffers.take(data.length);
        assertTrue(slot >= 0, "a buffer is free");
        MemorySegment.copy(
                MemorySegment.ofArray(data), 0, from.buffers.memory(), from.buffers.offset(slot), data.length);
        boolean taken = connection.push(slot, data.length);
        from.buffers.release(slot);
        return taken;
    }

    static byte[] random(Seed seed, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) seed.nextInt();
        }
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void dataArriveInOrderInBothDirections(ServiceOptions options) {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, options).open();
            Seed seed = new Seed(7);
            List<byte[]> there = new ArrayList<>();
            List<byte[]> back = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int most = Math.min(pair.connector.dataBytesMax(), i % 10 == 0 ? 70_000 : 2048);
                byte[] data = random(seed, 1 + seed.nextInt(most));
                byte[] answer = random(seed, 1 + seed.nextInt(most));
                there.add(data);
                back.add(answer);
                assertTrue(push(pair.one, pair.connector, data));
                assertTrue(push(pair.two, pair.acceptor(), answer));
                int sent = i + 1;
                assertTrue(
                        stand.runUntil(() -> pair.first.data.size() == sent && pair.second.data.size() == sent, LONG),
                        () -> pair.second.data.size() + " of " + sent + " there, " + pair.first.data.size()
                                + " back; " + pair.first.closed + "; " + pair.second.closed + "; "
                                + pair.connector.counters().lastRefusal() + "; "
                                + pair.acceptor().counters().lastRefusal());
            }
            for (int i = 0; i < there.size(); i++) {
                assertArrayEquals(there.get(i), pair.second.data.get(i), "datum " + i);
                assertArrayEquals(back.get(i), pair.first.data.get(i), "answer " + i);
            }
            assertEquals(0, pair.connector.counters().refused());
            assertEquals(0, pair.acceptor().counters().refused());
            assertNull(pair.first.closed);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aConnectionThatIsClosedGivesEverythingBack(ServiceOptions options) {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, options).open();
            for (int i = 0; i < 50; i++) {
                push(pair.one, pair.connector, new byte[] {(byte) i});
                push(pair.two, pair.acceptor(), new byte[] {(byte) i});
            }
            pair.connector.close("done");
            assertTrue(stand.runUntil(() -> pair.first.closed != null && pair.second.closed != null, LONG));
            assertEquals("done", pair.first.closed);
            assertEquals(0, pair.one.adapter.queuePairCount());
            assertEquals(0, pair.two.adapter.queuePairCount());
            assertEquals(pair.one.buffers.count(), pair.one.buffers.freeCount());
            assertEquals(pair.two.buffers.count(), pair.two.buffers.freeCount());
            assertEquals(
                    0,
                    pair.connector.counters().refused(),
                    () -> "" + pair.connector.counters().lastRefusal());
            assertEquals(
                    0,
                    pair.acceptor().counters().refused(),
                    () -> "" + pair.acceptor().counters().lastRefusal());
        }
    }

    @Test
    void requestsGetTheirReplies() {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, ServiceOptions.DEFAULT).open();
            MemorySegment text = MemorySegment.ofArray("hello".getBytes(StandardCharsets.US_ASCII));
            long context = pair.connector.request(0x123, text, 0, 5);
            long other = pair.acceptor().request(0x456, text, 1, 4);
            assertTrue(stand.runUntil(() -> pair.first.replies.size() == 1 && pair.second.replies.size() == 1, LONG));
            assertEquals(List.of(context + " " + 0x123 + " hello"), pair.first.replies);
            assertEquals(List.of(other + " " + 0x456 + " ello"), pair.second.replies);
        }
    }
}
