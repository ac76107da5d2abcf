package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.Region;

/** Foreign memory whose arena its owner closes while it is registered: an error for its users, none for the engine. */
@Timeout(60)
@OverEachWire
final class ClosedMemoryTest {
    private final Wire wire;

    ClosedMemoryTest(Wire wire) {
        this.wire = wire;
    }

    private static Region register(Node node, Arena arena) {
        return node.adapter.register(node.domain, arena.allocate(1 << 16, 4096), EnumSet.allOf(Right.class));
    }

    private static void engineIsAlive(Pair pair) {
        QueuePair mine = pair.a.adapter.createQueuePair(QueuePairOptions.of(pair.a.domain, pair.a.completions));
        QueuePair theirs = pair.b.adapter.createQueuePair(QueuePairOptions.of(pair.b.domain, pair.b.completions));
        Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        mine.post(new WorkRequest.Write(99, pair.a.segment(0, 8), pair.b.remote(0)));
        pair.run();
        assertEquals(List.of(99L), pair.a.drain().stream().map(Completion::id).toList());
    }

    @Test
    void asSourceOfASend() {
        try (var pair = new Pair(wire)) {
            Arena arena = Arena.ofShared();
            Region region = register(pair.a, arena);
            arena.close();
            pair.a.queuePair.post(new WorkRequest.Write(1, LocalSegment.of(region), pair.b.remote(0)));
            pair.run();
            Completion completion = pair.a.drain().getFirst();
            assertEquals(Status.LOCAL_PROTECTION_ERROR, completion.status());
            assertEquals(Verdict.BACKING_CLOSED, completion.detail());
            engineIsAlive(pair);
        }
    }

    @Test
    void asTargetOfAWriteAndSourceOfARead() {
        for (boolean read : new boolean[] {false, true}) {
            try (var pair = new Pair(wire)) {
                Arena arena = Arena.ofShared();
                Region region = register(pair.b, arena);
                RemoteMemory remote = RemoteMemory.of(region);
                arena.close();
                pair.a.queuePair.post(
                        read
                                ? new WorkRequest.Read(1, pair.a.segment(0, 100), remote)
                                : new WorkRequest.Write(1, pair.a.segment(0, 100), remote));
                pair.run();
                assertEquals(
                        read ? Status.REMOTE_ACCESS_ERROR : pair.refused(Status.REMOTE_ACCESS_ERROR),
                        pair.a.drain().getFirst().status());
                assertEquals(QueuePairState.ERROR, pair.a.queuePair.state());
                engineIsAlive(pair);
            }
        }
    }

    @Test
    void asTargetOfAReceive() {
        try (var pair = new Pair(wire)) {
            Arena arena = Arena.ofShared();
            Region region = register(pair.b, arena);
            pair.b.queuePair.post(new WorkRequest.Receive(2, LocalSegment.of(region)));
            arena.close();
            pair.a.queuePair.post(new WorkRequest.Send(1, pair.a.segment(0, 100)));
            pair.run();
            assertEquals(
                    pair.refused(Status.REMOTE_OPERATIONAL_ERROR),
                    pair.a.drain().getFirst().status());
            assertEquals(QueuePairState.ERROR, pair.a.queuePair.state());
            assertEquals(
                    Status.LOCAL_PROTECTION_ERROR, pair.b.drain().getFirst().status());
            engineIsAlive(pair);
        }
    }

    /** A region of which one half is in the arena. */
    private static Region registerHalf(Node node, Arena arena) {
        List<MemorySegment> halves = List.of(Arena.ofAuto().allocate(1 << 15, 4096), arena.allocate(1 << 15, 4096));
        return node.adapter.register(node.domain, halves, 0, EnumSet.allOf(Right.class));
    }

    /** The engine's thread copies while another one closes: both must get out of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void underTraffic(boolean scattered) throws InterruptedException {
        var network = new InProcessNetwork();
        for (int round = 0; round < 20; round++) {
            try (var left = Adapter.open(network.open(), AdapterOptions.DEFAULT);
                    var right = Adapter.open(network.open(), AdapterOptions.DEFAULT)) {
                Node a = new Node(left, 1 << 16, 64);
                Node b = new Node(right, 1 << 16, 64);
                Node.connect(a, b, Node.PATIENT);
                Arena arena = Arena.ofShared();
                Region region = scattered ? registerHalf(a, arena) : register(a, arena);
                var request = new WorkRequest.Write(1, LocalSegment.of(region), b.remote(0));
                Completion last = null;
                for (int i = 0; last == null || last.status().success(); i++) {
                    a.queuePair.post(request);
                    if (i == 20 + round) {
                        close(arena);
                    }
                    last = a.completions.poll(Duration.ofSeconds(20));
                    assertNotNull(last);
                }
                assertEquals(Status.LOCAL_PROTECTION_ERROR, last.status());
            }
        }
    }

    /** A shared arena is not closed while a thread is inside one of its segments: its owner tries again. */
    private static void close(Arena arena) {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException busy) {
                Thread.onSpinWait();
            }
        }
    }
}
