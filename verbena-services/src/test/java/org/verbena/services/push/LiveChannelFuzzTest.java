package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.verbena.verbs.RemoteMemory;

/** Any messages of a peer on both channels of an open service connection, from either end, beside a connection that must go on. */
final class LiveChannelFuzzTest {
    private static final int INPUT_MAX = 4096;
    private static final int MESSAGE_MAX = 400;

    @FuzzTest
    void noMessagesHarmTheEndThatAccepts(byte[] input) {
        if (input.length > 0 && input.length <= INPUT_MAX) {
            attack(input, false);
        }
    }

    @FuzzTest
    void noMessagesHarmTheEndThatConnects(byte[] input) {
        if (input.length > 0 && input.length <= INPUT_MAX) {
            attack(input, true);
        }
    }

    /** The first byte of the input names the model. Then each step has a byte that says what it is, a byte for its length, and its bytes. */
    private static void attack(byte[] input, boolean layerConnects) {
        TransferModel model = TransferModel.values()[(input[0] & 0xff) % 3];
        try (HostilePeerTest.Scene scene = new HostilePeerTest.Scene(layerConnects, model)) {
            Neighbour neighbour = new Neighbour(scene);
            int at = 1;
            while (at + 2 <= input.length && scene.user.closed == null) {
                int kind = input[at] & 0xff;
                int length = Math.min(Math.min(input[at + 1] & 0xff, MESSAGE_MAX), input.length - at - 2);
                byte[] bytes = Arrays.copyOfRange(input, at + 2, at + 2 + length);
                at += 2 + length;
                step(scene, kind, bytes);
            }
            scene.peer.run(Duration.ofMillis(5));
            neighbour.check();
            scene.peer.disconnect();
            assertTrue(scene.stand.runUntil(() -> scene.user.closed != null, Duration.ofSeconds(20)), "its end");
            assertEquals(0, scene.connection().domain().entries(), "left behind");
            assertEquals(scene.node.buffers.count(), scene.node.buffers.freeCount());
            neighbour.check();
        }
    }

    private static void step(HostilePeerTest.Scene scene, int kind, byte[] bytes) {
        RawPeer peer = scene.peer;
        ByteBuffer padded = ByteBuffer.wrap(Arrays.copyOf(bytes, Math.max(bytes.length, 8)));
        switch (kind % 10) {
            case 0, 1 -> peer.send(kind % 10, bytes.length == 0 ? new byte[1] : bytes);
            case 2, 3 -> peer.send(kind % 10 - 2, message(bytes)); // a message with the right header
            case 4 -> peer.immediate(1, padded.getInt(0));
            case 5 -> peer.immediate(0, bytes, padded.getInt(0));
            case 6 -> {
                if (!peer.of(1).isEmpty()) {
                    RemoteMemory pool = peer.pool();
                    int offset = padded.getShort(0) & 0x7ff;
                    byte[] data = Arrays.copyOf(bytes, Math.min(bytes.length, 2048 - offset));
                    peer.write(new RemoteMemory(pool.address() + offset, pool.key()), data, padded.getInt(4));
                }
            }
            case 7 -> peer.run(Duration.ofNanos((padded.getInt(0) & 0x7fff_ffffL) % 50_000_000));
            case 8 -> {
                if (scene.connection().isOpen()) {
                    ServiceConnectionTest.push(scene.node, scene.connection(), bytes);
                }
            }
            default -> {
                if ((kind & 0x80) != 0) {
                    scene.connection().close("closed");
                }
            }
        }
    }

    private static byte[] message(byte[] bytes) {
        byte[] message = bytes.length < 12 ? Arrays.copyOf(bytes, 12) : bytes.clone();
        message[0] = 0;
        message[1] = (byte) ((message[1] & 0xff) % 11);
        message[2] = 0;
        message[3] = 1;
        return message;
    }

    /** A healthy connection of the same layer. */
    private static final class Neighbour {
        private final HostilePeerTest.Scene scene;
        private final Recorder here = new Recorder();
        private final Recorder there = new Recorder();
        private final ServiceConnection connection;
        private final Stand.Node other;
        private int sent;

        Neighbour(HostilePeerTest.Scene scene) {
            this.scene = scene;
            other = scene.stand.node();
            var at = scene.node.layer.listen(scene.node.at(900), ServiceOptions.DEFAULT, made -> here);
            connection = other.layer.connect(at, 0, ServiceOptions.DEFAULT, there);
            assertTrue(scene.stand.runUntil(() -> here.opened == 1 && there.opened == 1, Duration.ofSeconds(20)));
        }

        void check() {
            sent++;
            assertTrue(ServiceConnectionTest.push(other, connection, new byte[] {(byte) sent}));
            assertTrue(scene.stand.runUntil(() -> here.data.size() == sent, Duration.ofSeconds(2)), "the neighbour");
            assertNull(here.closed);
            assertEquals(0, connection.counters().refused());
        }
    }
}
