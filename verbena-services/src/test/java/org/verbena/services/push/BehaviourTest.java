package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.services.push.ServiceConnectionTest.Pair;
import org.verbena.time.Seed;

/** What a service connection does at its limits. */
final class BehaviourTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(5);

    /** A user that does something when it gets data, a request or the news that the connection is open. */
    private static final class Actor implements ServiceHandler {
        final Recorder recorder = new Recorder();

        @Nullable
        Consumer<ServiceConnection> onData;

        @Nullable
        Consumer<ServiceConnection> onOpen;

        @Nullable
        Consumer<ServiceConnection> onRequest;

        @Nullable
        Consumer<ServiceConnection> onClosed;

        @Nullable
        ServiceConnection connection;

        private void act(@Nullable Consumer<ServiceConnection> what) {
            ServiceConnection of = connection;
            if (what != null && of != null) {
                what.accept(of);
            }
        }

        @Override
        public void onOpen() {
            recorder.onOpen();
            act(onOpen);
        }

        @Override
        public void onData(MemorySegment memory, long offset, int length) {
            recorder.onData(memory, offset, length);
            act(onData);
        }

        @Override
        public int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply) {
            act(onRequest);
            return 0;
        }

        @Override
        public void onReply(long context, int status, MemorySegment reply, long offset, int length) {
            recorder.onReply(context, status, reply, offset, length);
        }

        @Override
        public void onClosed(String reason) {
            recorder.onClosed(reason);
            act(onClosed);
        }
    }

    static long value(ServiceConnection connection, ServiceCounter counter) {
        return connection.counters().value(counter);
    }

    private static ServiceOptions pools(PoolShape... shapes) {
        return ServiceOptions.DEFAULT.withPools(64 << 20, shapes);
    }

    /** Sends data of this size until one was indicated by the element; their contents are compared. */
    static void exchange(Pair pair, int count, int size) {
        Seed seed = new Seed(size);
        for (int i = 0; i < count; i++) {
            byte[] data = ServiceConnectionTest.random(seed, size);
            int before = pair.second.data.size();
            assertTrue(ServiceConnectionTest.push(pair.one, pair.connector, data));
            assertTrue(pair.stand.runUntil(() -> pair.second.data.size() > before, LONG));
            assertArrayEquals(data, pair.second.data.getLast());
        }
    }

    // --- indications

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537})
    void aSizeThatFitsIn16BitsIsIndicatedByImmediateData(int size) {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, pools(new PoolShape(4, 70_000))).open();
            exchange(pair, 5, size);
            boolean fits = size > 0 && size <= 65_536;
            assertEquals(fits ? 5 : 0, value(pair.connector, ServiceCounter.INDICATED_BY_IMMEDIATE));
            assertEquals(fits ? 0 : 5, value(pair.connector, ServiceCounter.INDICATED_BY_MESSAGE));
            assertEquals(0, pair.acceptor().counters().refused());
        }
    }

    @Test
    void elementsFrom256OnAreIndicatedByMessages() {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, pools(new PoolShape(300, 64))).open();
            exchange(pair, 256, 64);
            assertEquals(256, value(pair.connector, ServiceCounter.INDICATED_BY_IMMEDIATE));
            exchange(pair, 44, 64);
            assertEquals(44, value(pair.connector, ServiceCounter.INDICATED_BY_MESSAGE));
            exchange(pair, 10, 64); // element 0 again
            assertEquals(266, value(pair.connector, ServiceCounter.INDICATED_BY_IMMEDIATE));
        }
    }

    @Test
    void poolReferencesFrom256OnAreIndicatedByMessages() {
        for (int index : new int[] {127, 128}) { // references 255 and 257
            try (HostilePeerTest.Scene scene = new HostilePeerTest.Scene(true, TransferModel.PUSH_PUSH)) {
                // A larger pool: the only one for data of 300 bytes.
                scene.peer.send(0, scene.peer.offer(0, 2, 300, scene.reference(index)));
                scene.peer.run(SHORT);
                assertTrue(ServiceConnectionTest.push(scene.node, scene.connection(), new byte[300]));
                scene.peer.run(SHORT);
                assertEquals(index == 127 ? 1 : 0, scene.peer.immediates.size());
                assertEquals(index == 127 ? 0 : 1, scene.peer.of(7).size());
                if (index == 128) {
                    assertEquals(257, scene.peer.of(7).getFirst().getInt(12));
                }
            }
        }
    }

    // --- what is queued and dropped

    @Test
    void dataWaitForABufferAndMoreThanTheQueueHoldsAreDropped() {
        try (Stand stand = new Stand()) {
            ServiceOptions options = ServiceOptions.DEFAULT
                    .withPools(4 * 64, new PoolShape(4, 64))
                    .withQueue(3, 100);
            Pair pair = new Pair(stand, options).open();
            pair.two.frozen = true;
            for (int i = 0; i < 10; i++) {
                assertEquals(
                        i < 7,
                        ServiceConnectionTest.push(pair.one, pair.connector, new byte[] {(byte) i}),
                        "push " + i);
            }
            assertEquals(3, pair.connector.queued());
            assertEquals(3, value(pair.connector, ServiceCounter.QUEUED));
            assertEquals(3, value(pair.connector, ServiceCounter.DROPPED_QUEUE_FULL));
            pair.two.frozen = false;
            assertTrue(stand.runUntil(() -> pair.second.data.size() == 7, LONG));
            for (int i = 0; i < 7; i++) {
                assertArrayEquals(new byte[] {(byte) i}, pair.second.data.get(i));
            }
            assertEquals(0, pair.connector.queued());
        }
    }

    @Test
    void moreDataUnderWayThanTheLimitAreDropped() {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, ServiceOptions.DEFAULT.withQueue(50, 5)).open();
            for (int i = 0; i < 9; i++) {
                assertEquals(i < 5, ServiceConnectionTest.push(pair.one, pair.connector, new byte[] {1}));
            }
            assertEquals(4, value(pair.connector, ServiceCounter.DROPPED_QUEUE_FULL));
            assertTrue(stand.runUntil(() -> pair.second.data.size() == 5, LONG));
            stand.run(SHORT);
            assertEquals(0, pair.connector.underWay());
        }
    }

    @Test
    void dataWithoutALargeEnoughBufferAndAfterTheEndAreDropped() {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, pools(new PoolShape(4, 100))).open();
            assertEquals(100, pair.connector.dataBytesMax());
            assertFalse(ServiceConnectionTest.push(pair.one, pair.connector, new byte[101]));
            assertEquals(1, value(pair.connector, ServiceCounter.DROPPED_TOO_LONG));
            pair.connector.close("done");
            assertFalse(ServiceConnectionTest.push(pair.one, pair.connector, new byte[1]));
            assertEquals(1, value(pair.connector, ServiceCounter.DROPPED_CLOSED));
            int slot = pair.one.buffers.take(10);
            assertThrows(IllegalArgumentException.class, () -> pair.connector.push(slot, -1));
            assertThrows(
                    IllegalArgumentException.class, () -> pair.connector.push(slot, pair.one.buffers.room(slot) + 1));
            pair.one.buffers.release(slot);
        }
    }

    // --- more pools

    @Test
    void aDrySenderGetsMoreBuffersUpToTheLimitAndTheyGoWhenTheyAreNotUsed() {
        try (Stand stand = new Stand()) {
            ServiceOptions options = ServiceOptions.DEFAULT
                    .withPools(3 * 8 * 64, new PoolShape(8, 64))
                    .withQueue(256, 512);
            Pair pair = new Pair(stand, options).open();
            // The acceptor takes data only at long intervals: its elements are consumed for long.
            for (int round = 0; round < 4; round++) {
                pair.two.frozen = true;
                for (int i = 0; i < 60; i++) {
                    assertTrue(ServiceConnectionTest.push(pair.one, pair.connector, new byte[] {(byte) i}));
                }
                stand.run(Duration.ofMillis(30));
                pair.two.frozen = false;
                int all = 60 * (round + 1);
                assertTrue(stand.runUntil(() -> pair.second.data.size() == all, LONG));
            }
            assertTrue(value(pair.connector, ServiceCounter.GETS_SENT) >= 3, "asked");
            assertEquals(2, value(pair.acceptor(), ServiceCounter.GETS_GRANTED), "as the limit permits");
            assertTrue(value(pair.acceptor(), ServiceCounter.GETS_IGNORED) >= 1, "beyond the limit");
            stand.run(Duration.ofSeconds(9));
            assertEquals(0, value(pair.acceptor(), ServiceCounter.POOLS_FLUSHED), "they stay for 10 s");
            stand.run(Duration.ofMillis(2500));
            assertEquals(2, value(pair.acceptor(), ServiceCounter.POOLS_FLUSHED), "and go");
            assertEquals(64, pair.connector.dataBytesMax());
            exchange(pair, 20, 64);
            assertEquals(0, pair.connector.counters().refused());
        }
    }

    @Test
    void elementsAreReturnedByTheQuarterOrAfterAMillisecond() {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, pools(new PoolShape(40, 64))).open();
            stand.run(SHORT);
            for (int i = 0; i < 10; i++) {
                ServiceConnectionTest.push(pair.one, pair.connector, new byte[] {1});
            }
            assertTrue(stand.runUntil(() -> pair.second.data.size() == 10, LONG));
            stand.run(Duration.ofNanos(100_000));
            assertEquals(1, value(pair.acceptor(), ServiceCounter.UPDATES_SENT), "a quarter, at once");
            assertEquals(10, value(pair.acceptor(), ServiceCounter.ELEMENTS_RETURNED));
            ServiceConnectionTest.push(pair.one, pair.connector, new byte[] {1});
            assertTrue(stand.runUntil(() -> pair.second.data.size() == 11, LONG));
            stand.run(Duration.ofNanos(900_000));
            assertEquals(1, value(pair.acceptor(), ServiceCounter.UPDATES_SENT), "one element waits");
            stand.run(Duration.ofNanos(200_000));
            assertEquals(2, value(pair.acceptor(), ServiceCounter.UPDATES_SENT), "for a millisecond");
        }
    }

    // --- users

    @Test
    void afterTheEndNothingIsDelivered() {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, ServiceOptions.DEFAULT).open();
            for (int i = 0; i < 200; i++) {
                ServiceConnectionTest.push(pair.one, pair.connector, new byte[] {1});
            }
            assertTrue(stand.runUntil(() -> pair.second.data.size() > 10, LONG));
            pair.acceptor().abort("enough");
            int got = pair.second.data.size();
            stand.run(Duration.ofSeconds(5));
            assertEquals(got, pair.second.data.size());
            assertNotNull(pair.first.closed);
            assertEquals(pair.one.buffers.count(), pair.one.buffers.freeCount());
        }
    }

    /** What a user does within a call. */
    enum Deed {
        CLOSE,
        ABORT,
        THROW
    }

    @ParameterizedTest
    @EnumSource(Deed.class)
    void aUserMayEndItsConnectionWithinAnyCall(Deed deed) {
        for (TransferModel model : TransferModel.values()) {
            for (int call = 0; call < 3; call++) {
                endWithin(deed, call, model);
            }
        }
    }

    private static void endWithin(Deed deed, int call, TransferModel model) {
        Consumer<ServiceConnection> act = connection -> {
            switch (deed) {
                case CLOSE -> connection.close("deed");
                case ABORT -> connection.abort("deed");
                case THROW -> throw new IllegalStateException("deed");
            }
        };
        try (Stand stand = new Stand()) {
            Stand.Node one = stand.node();
            Stand.Node two = stand.node();
            Actor actor = new Actor();
            if (call == 0) {
                actor.onData = act;
            } else if (call == 1) {
                actor.onOpen = act;
            } else {
                actor.onRequest = act;
            }
            actor.onClosed = connection -> {
                throw new IllegalStateException("thrown by onClosed");
            };
            ServiceOptions options = ServiceOptions.DEFAULT.withModel(model);
            var at = two.layer.listen(two.at(700), options, made -> {
                actor.connection = made;
                return actor;
            });
            Recorder bystander = new Recorder();
            var other = two.layer.listen(two.at(701), options, made -> new Recorder());
            one.layer.connect(other, 0, options, bystander);
            Recorder user = new Recorder();
            ServiceConnection connection = one.layer.connect(at, 0, options, user);
            stand.runUntil(() -> user.opened == 1 || user.closed != null, LONG);
            if (connection.isOpen()) {
                for (int i = 0; i < 20; i++) {
                    ServiceConnectionTest.push(one, connection, new byte[] {1});
                }
                connection.request(0x100, MemorySegment.ofArray(new byte[1]), 0, 1);
            }
            assertTrue(
                    stand.runUntil(() -> actor.recorder.closed != null && user.closed != null, LONG),
                    () -> deed + " within call " + call + ", " + model);
            assertTrue(("" + actor.recorder.closed).contains("deed"), actor.recorder.closed);
            assertEquals(1, one.layer.connectionCount());
            assertEquals(1, two.layer.connectionCount());
            assertNull(bystander.closed);
            assertEquals(one.buffers.count(), one.buffers.freeCount());
        }
    }

    @Test
    void aRequestBeyondEightWithoutAReplyIsNotSent() {
        try (Stand stand = new Stand()) {
            Pair pair = new Pair(stand, ServiceOptions.DEFAULT).open();
            MemorySegment bytes = MemorySegment.ofArray(new byte[4096]);
            for (int i = 0; i < 8; i++) {
                assertTrue(pair.connector.request(0x100, bytes, 0, 3) != 0);
            }
            assertEquals(0, pair.connector.request(0x100, bytes, 0, 3));
            assertTrue(stand.runUntil(() -> pair.first.replies.size() == 8, LONG));
            assertTrue(pair.connector.request(0x100, bytes, 0, pair.connector.requestBytesMax()) != 0);
            assertTrue(stand.runUntil(() -> pair.first.replies.size() == 9, LONG));
            assertThrows(IllegalArgumentException.class, () -> pair.connector.request(0xff, bytes, 0, 3));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.connector.request(0x100, bytes, 0, pair.connector.requestBytesMax() + 1));
        }
    }

    @Test
    void theShorterOfTwoLongestMessagesCounts() {
        ServiceOptions base = ServiceOptions.DEFAULT.withDataChannel(DataChannel.SEND, ChannelAttributes.RELIABLE);
        for (boolean connectorIsSmall : new boolean[] {false, true}) {
            try (Stand stand = new Stand()) {
                ServiceOptions small = base.withMessageBytesMax(256);
                ServiceOptions large = base.withMessageBytesMax(8000);
                Pair pair = new Pair(
                                stand,
                                stand.node(),
                                stand.node(),
                                connectorIsSmall ? small : large,
                                connectorIsSmall ? large : small)
                        .open();
                assertEquals(256 - 16, pair.connector.dataBytesMax());
                assertEquals(256 - 16, pair.acceptor().dataBytesMax());
                assertEquals(256 - 20, pair.acceptor().requestBytesMax());
                exchange(pair, 4, 240);
            }
        }
    }

    @Test
    void eightPoolsAreOfferedInMessagesThatThePeerTakes() {
        try (Stand stand = new Stand()) {
            PoolShape[] shapes = new PoolShape[8];
            for (int i = 0; i < 8; i++) {
                shapes[i] = new PoolShape(2, 100 * (i + 1));
            }
            Pair pair = new Pair(stand, pools(shapes).withMessageBytesMax(256)).open();
            assertTrue(stand.runUntil(() -> pair.connector.dataBytesMax() == 800, LONG));
            exchange(pair, 4, 800);
            assertNull(pair.second.closed);
        }
    }

    @Test
    void oneBusyConnectionDoesNotKeepOthersFromBeingServed() {
        try (Stand stand = new Stand()) {
            Stand.Node one = stand.node(link -> link, 64);
            Stand.Node two = stand.node(link -> link, 64);
            List<Recorder> got = new ArrayList<>();
            List<ServiceConnection> made = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                Recorder recorder = new Recorder();
                got.add(recorder);
                var at = two.layer.listen(two.at(700 + i), ServiceOptions.DEFAULT, accepted -> recorder);
                made.add(one.layer.connect(at, 0, ServiceOptions.DEFAULT, new Recorder()));
            }
            assertTrue(stand.runUntil(
                    () -> made.stream().allMatch(ServiceConnection::isOpen)
                            && got.stream().allMatch(recorder -> recorder.opened == 1),
                    LONG));
            // The busy one has 256 data in the pools of the receiver before the others send one each.
            two.frozen = true;
            for (int i = 0; i < 256; i++) {
                ServiceConnectionTest.push(one, made.getFirst(), new byte[] {1});
            }
            for (int i = 1; i < 64; i++) {
                ServiceConnectionTest.push(one, made.get(i), new byte[] {2});
            }
            stand.run(Duration.ofMillis(2));
            two.frozen = false;
            assertTrue(stand.runUntil(
                    () -> got.stream().skip(1).allMatch(recorder -> recorder.data.size() == 1), LONG));
            int busy = got.getFirst().data.size();
            assertTrue(busy <= 192, () -> busy + " data of the busy connection went first");
            assertTrue(stand.runUntil(() -> got.getFirst().data.size() == 256, LONG));
        }
    }
}
