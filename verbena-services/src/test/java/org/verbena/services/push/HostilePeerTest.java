package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.services.push.wire.Indication;
import org.verbena.services.push.wire.Refusal;
import org.verbena.time.Seed;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.Service;

/** A peer that speaks the protocol by hand and breaks its rules: each is refused for its reason, no memory changes, and the connection works on. */
final class HostilePeerTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final int ELEMENTS = 8;
    private static final int BYTES = 256;
    private static final int RELIABLE = 15;

    /** A messaging layer that has an open connection with a peer without one. */
    static final class Scene implements AutoCloseable {
        final Stand stand = new Stand();
        final Stand.Node node = stand.node();
        final RawPeer peer = new RawPeer(stand, stand.node(), Service.RC);
        final Recorder user = new Recorder();
        final boolean layerConnects;
        private final Seed seed = new Seed(3);

        @Nullable
        ServiceConnection made;

        Scene(boolean layerConnects, TransferModel model) {
            this.layerConnects = layerConnects;
            boolean offers = !layerConnects || model != TransferModel.PUSH_PULL;
            ServiceOptions options = ServiceOptions.DEFAULT
                    .withMessageBytesMax(2 * RawPeer.MESSAGE_BYTES)
                    .withModel(model)
                    .withPools(1 << 20, new PoolShape(ELEMENTS, BYTES));
            if (layerConnects) {
                peer.listen(700);
                made = node.layer.connect(peer.node.at(700), 0, options, user);
                stand.runUntil(
                        () -> peer.isConnected() && (!offers || !peer.of(1).isEmpty()), LONG);
            } else {
                var at = node.layer.listen(node.at(700), options, connection -> {
                    made = connection;
                    return user;
                });
                peer.connect(at, model.ordinal(), RELIABLE);
            }
            boolean pulled = !model.pushes(layerConnects);
            if (!pulled) {
                peer.send(0, peer.offer(0, ELEMENTS, BYTES, reference(0)));
            }
            if (!model.pushes(!layerConnects)) {
                peer.send(1, peer.offer(1, ELEMENTS, BYTES, reference(50)));
            }
            assertTrue(
                    stand.runUntil(
                            () -> user.opened == 1 && (!offers || !peer.of(1).isEmpty()), LONG),
                    () -> "open: " + user.closed);
        }

        ServiceConnection connection() {
            ServiceConnection connection = made;
            if (connection == null) {
                throw new AssertionError("no connection");
            }
            return connection;
        }

        /** A reference of the kind that the peer gives. */
        int reference(int index) {
            return index * 2 + (layerConnects ? 1 : 0);
        }

        /** The reference of the layer's pool. */
        int own() {
            return layerConnects ? 0 : 1;
        }

        /** Fills all elements of the layer's pool; nothing is indicated. */
        List<byte[]> fill() {
            List<byte[]> all = new ArrayList<>();
            RemoteMemory pool = peer.pool();
            for (int i = 0; i < ELEMENTS; i++) {
                byte[] data = ServiceConnectionTest.random(seed, BYTES);
                peer.write(new RemoteMemory(pool.address() + (long) i * BYTES, pool.key()), data);
                all.add(data);
            }
            peer.run(SHORT);
            return all;
        }

        /** Indicates all elements, and compares what is delivered; then the layer sends a datum. */
        void work(List<byte[]> expected) {
            user.data.clear();
            for (int i = 0; i < ELEMENTS; i++) {
                peer.write(peer.pool(), new byte[0], Indication.word(own(), i, BYTES));
            }
            assertTrue(
                    stand.runUntil(() -> user.data.size() == ELEMENTS, LONG),
                    () -> user.data.size() + " delivered, " + user.closed
                            + connection().counters());
            for (int i = 0; i < ELEMENTS; i++) {
                assertArrayEquals(expected.get(i), user.data.get(i), "element " + i);
            }
            peer.run(SHORT); // the update
            peer.immediates.clear();
            byte[] datum = ServiceConnectionTest.random(seed, 99);
            assertTrue(ServiceConnectionTest.push(node, connection(), datum));
            assertTrue(stand.runUntil(
                    () -> {
                        peer.poll();
                        return peer.immediates.size() == 1;
                    },
                    LONG));
            int word = peer.immediates.getFirst();
            assertEquals(reference(0), Indication.pool(word));
            long at = (long) Indication.element(word) * BYTES;
            assertArrayEquals(
                    datum,
                    peer.memory.asSlice(at, 99).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE),
                    "written into memory of the peer");
            peer.send(
                    0, RawPeer.message(3, 0, 12).putInt(reference(0)).putInt(1).putInt(Indication.element(word)));
            peer.run(SHORT);
            assertNull(user.closed);
        }

        @Override
        public void close() {
            stand.close();
        }
    }

    private static Arguments of(Refusal refusal, String what, BiConsumer<Scene, RawPeer> act) {
        return Arguments.of(refusal, what, act);
    }

    private static ByteBuffer version(ByteBuffer message, int version) {
        return message.putShort(2, (short) version);
    }

    static Stream<Arguments> breaches() {
        return Stream.of(
                of(Refusal.TOO_SHORT, "3 bytes on channel 0", (scene, peer) -> peer.send(0, new byte[3])),
                of(Refusal.TOO_SHORT, "11 bytes on channel 1", (scene, peer) -> peer.send(1, new byte[11])),
                of(
                        Refusal.WRONG_VERSION,
                        "version 2",
                        (scene, peer) -> peer.send(0, version(RawPeer.message(8, 1, 8), 2))),
                of(
                        Refusal.WRONG_VERSION,
                        "version 0",
                        (scene, peer) -> peer.send(1, version(RawPeer.message(7, 1, 12), 0))),
                of(Refusal.UNKNOWN_FUNCTION, "function 0", (scene, peer) -> peer.send(0, RawPeer.message(0, 1, 8))),
                of(Refusal.UNKNOWN_FUNCTION, "function 10", (scene, peer) -> peer.send(1, RawPeer.message(10, 1, 8))),
                of(Refusal.BAD_LENGTH, "a Get too long", (scene, peer) -> peer.send(0, RawPeer.message(2, 1, 9))),
                of(
                        Refusal.BAD_LENGTH,
                        "a request whose size is wrong",
                        (scene, peer) ->
                                peer.send(0, RawPeer.message(8, 1, 8).putInt(0).putInt(Integer.MAX_VALUE))),
                of(Refusal.BAD_LENGTH, "an indication cut", (scene, peer) -> peer.send(1, RawPeer.message(7, 1, 13))),
                of(
                        Refusal.BAD_COUNT,
                        "an update of nothing",
                        (scene, peer) -> peer.send(
                                0,
                                RawPeer.message(3, 1, 12)
                                        .putInt(scene.reference(0))
                                        .putInt(0))),
                of(
                        Refusal.BAD_COUNT,
                        "an update that counts too much",
                        (scene, peer) -> peer.send(
                                0,
                                RawPeer.message(3, 1, 12)
                                        .putInt(scene.reference(0))
                                        .putInt(-1))),
                of(
                        Refusal.UNKNOWN_POOL,
                        "an immediate indication",
                        (scene, peer) -> peer.write(peer.pool(), new byte[0], Indication.word(201, 0, 5))),
                of(
                        Refusal.UNKNOWN_POOL,
                        "an indication in a message",
                        (scene, peer) -> peer.send(
                                1,
                                RawPeer.message(7, 1, 12).putInt(-1).putInt(0).putInt(1))),
                of(
                        Refusal.UNKNOWN_POOL,
                        "an update",
                        (scene, peer) -> peer.send(
                                0,
                                RawPeer.message(3, 1, 12)
                                        .putInt(scene.reference(9))
                                        .putInt(1))),
                of(
                        Refusal.UNKNOWN_POOL,
                        "a flush",
                        (scene, peer) -> peer.send(
                                0, RawPeer.message(4, 1, 8).putInt(scene.own()).putInt(scene.reference(9)))),
                of(
                        Refusal.UNKNOWN_POOL,
                        "an offer of a reference of the other kind",
                        (scene, peer) -> peer.send(0, peer.offer(0, 1, 1, scene.own() + 20))),
                of(
                        Refusal.ELEMENT_OUT_OF_RANGE,
                        "immediate",
                        (scene, peer) ->
                                peer.write(peer.pool(), new byte[0], Indication.word(scene.own(), ELEMENTS, 5))),
                of(
                        Refusal.ELEMENT_OUT_OF_RANGE,
                        "in a message",
                        (scene, peer) -> peer.send(
                                1,
                                RawPeer.message(7, 1, 12)
                                        .putInt(scene.own())
                                        .putInt(-1)
                                        .putInt(1))),
                of(
                        Refusal.ELEMENT_OUT_OF_RANGE,
                        "an update",
                        (scene, peer) -> peer.send(
                                0,
                                RawPeer.message(3, 1, 12)
                                        .putInt(scene.reference(0))
                                        .putInt(1)
                                        .putInt(ELEMENTS))),
                of(
                        Refusal.ELEMENT_CONSUMED_TWICE,
                        "twice in a message",
                        (scene, peer) -> peer.send(
                                1,
                                RawPeer.message(7, 1, 24)
                                        .putInt(scene.own())
                                        .putInt(3)
                                        .putInt(1)
                                        .putInt(scene.own())
                                        .putInt(3)
                                        .putInt(1))),
                of(
                        Refusal.ELEMENT_NOT_CONSUMED,
                        "an update",
                        (scene, peer) -> peer.send(
                                0,
                                RawPeer.message(3, 1, 12)
                                        .putInt(scene.reference(0))
                                        .putInt(1)
                                        .putInt(5))),
                of(
                        Refusal.SIZE_TOO_LARGE,
                        "immediate",
                        (scene, peer) ->
                                peer.write(peer.pool(), new byte[0], Indication.word(scene.own(), 0, BYTES + 1))),
                of(
                        Refusal.SIZE_TOO_LARGE,
                        "in a message",
                        (scene, peer) -> peer.send(
                                1,
                                RawPeer.message(7, 1, 12)
                                        .putInt(scene.own())
                                        .putInt(0)
                                        .putInt(-1))),
                of(
                        Refusal.SIZE_TOO_LARGE,
                        "an echo that is longer than agreed",
                        (scene, peer) -> peer.send(
                                0,
                                RawPeer.message(8, 1, RawPeer.MESSAGE_BYTES)
                                        .putInt(0)
                                        .putInt(RawPeer.MESSAGE_BYTES - 8))),
                of(
                        Refusal.DUPLICATE_POOL,
                        "an offer of a pool that is there",
                        (scene, peer) -> peer.send(0, peer.offer(0, 1, 1, scene.reference(0)))),
                of(
                        Refusal.DUPLICATE_POOL,
                        "a reference twice in a message",
                        (scene, peer) -> peer.send(
                                0,
                                ByteBuffer.allocate(76)
                                        .put(peer.offer(0, 1, 1, scene.reference(7))
                                                .array())
                                        .put(
                                                peer.offer(0, 1, 1, scene.reference(7))
                                                        .array(),
                                                12,
                                                32))),
                of(
                        Refusal.BAD_SHAPE,
                        "no elements",
                        (scene, peer) -> peer.send(0, peer.offer(0, 0, 1, scene.reference(7)))),
                of(
                        Refusal.BAD_SHAPE,
                        "too large elements",
                        (scene, peer) -> peer.send(0, peer.offer(0, 1, 1 << 25, scene.reference(7)))),
                of(Refusal.BAD_SHAPE, "a Get of nothing", (scene, peer) -> peer.send(0, RawPeer.message(2, 1, 8))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "data on channel 0",
                        (scene, peer) -> peer.send(0, RawPeer.message(6, 1, 4))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "data on channel 1",
                        (scene, peer) -> peer.send(1, RawPeer.message(6, 1, 4))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "an indication on channel 0",
                        (scene, peer) -> peer.send(
                                0,
                                RawPeer.message(7, 1, 12)
                                        .putInt(scene.own())
                                        .putInt(0)
                                        .putInt(1))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "an update on channel 1",
                        (scene, peer) -> peer.send(
                                1,
                                RawPeer.message(3, 1, 12)
                                        .putInt(scene.reference(0))
                                        .putInt(1))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "a Get on channel 1",
                        (scene, peer) ->
                                peer.send(1, RawPeer.message(2, 1, 8).putInt(64).putInt(1))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "a request on channel 1",
                        (scene, peer) -> peer.send(1, RawPeer.message(8, 1, 8))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "a reply on channel 1",
                        (scene, peer) -> peer.send(1, RawPeer.message(9, 1, 8))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "a pool to read from",
                        (scene, peer) -> peer.send(0, peer.offer(1, 1, 1, scene.reference(7)))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "a pool to write into, on channel 1",
                        (scene, peer) -> peer.send(1, peer.offer(0, 1, 1, scene.reference(7)))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "a pool with another context",
                        (scene, peer) -> peer.send(0, peer.offer(9, 1, 1, scene.reference(7)))),
                of(
                        Refusal.UNEXPECTED_MESSAGE,
                        "immediate data on channel 0",
                        (scene, peer) -> peer.immediate(0, Indication.word(scene.own(), 0, 1))),
                of(
                        Refusal.UNKNOWN_CONTEXT,
                        "a reply to no request",
                        (scene, peer) -> peer.send(0, RawPeer.message(9, 1234, 8))),
                of(
                        Refusal.UNKNOWN_CONTEXT,
                        "a reply to no flush",
                        (scene, peer) -> peer.send(0, RawPeer.message(5, 1234, 0))),
                of(
                        Refusal.UNKNOWN_CONTEXT,
                        "a reply to no flush on channel 1",
                        (scene, peer) -> peer.send(1, RawPeer.message(5, 1234, 0))));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("breaches")
    void aBreachIsRefusedAndTheConnectionWorksOn(Refusal refusal, String what, BiConsumer<Scene, RawPeer> act) {
        for (boolean layerConnects : new boolean[] {false, true}) {
            try (Scene scene = new Scene(layerConnects, TransferModel.PUSH_PUSH)) {
                List<byte[]> filled = scene.fill();
                scene.work(filled);
                filled = scene.fill();
                act.accept(scene, scene.peer);
                scene.peer.run(SHORT);
                assertEquals(
                        Map.of(refusal.label(), 1L),
                        scene.connection().counters().refusals(),
                        () -> what + ": " + scene.connection().counters().lastRefusal());
                scene.work(filled);
                assertEquals(1, scene.connection().counters().refused());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("roles")
    void poolsOfThePeerHaveALimit(boolean layerConnects) {
        try (Scene scene = new Scene(layerConnects, TransferModel.PUSH_PUSH)) {
            for (int i = 1; i <= 40; i++) {
                scene.peer.send(0, scene.peer.offer(0, 1, 1, scene.reference(i)));
                scene.peer.run(SHORT);
            }
            assertEquals(
                    Map.of(Refusal.TOO_MANY_POOLS.label(), 40L - 30),
                    scene.connection().counters().refusals(),
                    "32 pools of both ends, with one of each that is there");
            scene.work(scene.fill());
        }
    }

    static Stream<Boolean> roles() {
        return Stream.of(false, true);
    }

    @ParameterizedTest
    @MethodSource("roles")
    void aPoolToReadFromThatIsLargerThanTheMemoryForReadsIsRefused(boolean layerConnects) {
        try (Scene scene = new Scene(layerConnects, TransferModel.PULL_PULL)) {
            scene.peer.send(1, scene.peer.offer(1, 1, BYTES + 1, scene.reference(7)));
            scene.peer.send(0, RawPeer.message(2, 1, 8).putInt(64).putInt(1));
            scene.peer.run(SHORT);
            assertEquals(
                    Map.of(Refusal.BAD_SHAPE.label(), 1L, Refusal.UNEXPECTED_MESSAGE.label(), 1L),
                    scene.connection().counters().refusals());
            assertNull(scene.user.closed);
        }
    }

    @ParameterizedTest
    @MethodSource("roles")
    void aPeerThatReturnsPartOfAnUpdateWrongReturnsNothing(boolean layerConnects) {
        try (Scene scene = new Scene(layerConnects, TransferModel.PUSH_PUSH)) {
            for (int i = 0; i < ELEMENTS; i++) {
                assertTrue(ServiceConnectionTest.push(scene.node, scene.connection(), new byte[] {1}));
            }
            scene.peer.run(SHORT);
            // Elements 0 and 1 are consumed; 1 stands there twice.
            scene.peer.send(
                    0,
                    RawPeer.message(3, 1, 20)
                            .putInt(scene.reference(0))
                            .putInt(3)
                            .putInt(0)
                            .putInt(1)
                            .putInt(1));
            scene.peer.run(SHORT);
            assertEquals(
                    Map.of(Refusal.ELEMENT_NOT_CONSUMED.label(), 1L),
                    scene.connection().counters().refusals());
            scene.peer.immediates.clear();
            assertTrue(ServiceConnectionTest.push(scene.node, scene.connection(), new byte[] {2}), "queued");
            scene.peer.run(SHORT);
            assertEquals(List.of(), scene.peer.immediates);
            assertEquals(1, scene.connection().queued());
            scene.peer.send(
                    0,
                    RawPeer.message(3, 1, 12)
                            .putInt(scene.reference(0))
                            .putInt(1)
                            .putInt(1));
            scene.peer.run(SHORT);
            assertEquals(List.of(Indication.word(scene.reference(0), 1, 1)), scene.peer.immediates);
        }
    }

    @ParameterizedTest
    @MethodSource("roles")
    void unknownOperationsOfTheLayerGetAStatusAndNoData(boolean layerConnects) {
        try (Scene scene = new Scene(layerConnects, TransferModel.PUSH_PUSH)) {
            scene.peer.send(0, RawPeer.message(8, 5, 11).putInt(0xff).putInt(3));
            scene.peer.send(0, RawPeer.message(8, 6, 11).putInt(0).putInt(3).put(new byte[] {1, 2, 3}));
            scene.peer.run(SHORT);
            List<ByteBuffer> replies = scene.peer.of(9);
            assertArrayEquals(
                    RawPeer.message(9, 5, 8).putInt(-1).putInt(0).array(),
                    replies.get(0).array());
            assertArrayEquals(
                    RawPeer.message(9, 6, 11)
                            .putInt(0)
                            .putInt(3)
                            .put(new byte[] {1, 2, 3})
                            .array(),
                    replies.get(1).array());
        }
    }
}
