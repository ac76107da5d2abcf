package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;

/** Memory on the heap that a request receives or reads into: copied through a buffer of the adapter when the consumer asks for it. */
@Timeout(60)
@OverEachWire
final class HeapTargetTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final Pair pair;

    HeapTargetTest(Wire wire) {
        pair = new Pair(wire);
    }

    private static byte[] pattern(int bytes, int seed) {
        byte[] all = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            all[i] = (byte) (i * 31 + seed);
        }
        return all;
    }

    private void assertDone(Node node, long id) {
        List<Completion> all = node.drain();
        assertEquals(1, all.size(), all.toString());
        assertEquals(id, all.getFirst().id());
        assertEquals(Status.SUCCESS, all.getFirst().status());
    }

    private void sendTo(Node node, long id, byte[] data) {
        assertTrue(pair.a.queuePair.post(new WorkRequest.Send(1, Payload.copied(data), SendOptions.SIGNALLED)));
        pair.run();
        assertDone(pair.a, 1);
        assertDone(node, id);
    }

    @Test
    void aReceiveFillsAnArrayAndLeavesTheBytesAfterTheMessage() {
        try (pair) {
            byte[] into = pattern(9000, 1);
            byte[] expected = into.clone();
            assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(2, LocalSegment.copied(into))));
            byte[] sent = pattern(5000, 2);
            sendTo(pair.b, 2, sent);
            System.arraycopy(sent, 0, expected, 0, sent.length);
            assertArrayEquals(expected, into);
        }
    }

    @Test
    void oneBufferServesOneArrayAfterTheOther() {
        try (pair) {
            byte[][] into = new byte[5][100];
            for (int i = 0; i < into.length; i++) {
                assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(i, LocalSegment.copied(into[i]))));
                sendTo(pair.b, i, pattern(100, i));
            }
            for (int i = 0; i < into.length; i++) {
                assertArrayEquals(pattern(100, i), into[i]);
            }
        }
    }

    @Test
    void readsAndAtomicsFillArrays() {
        try (pair) {
            MemorySegment.copy(MemorySegment.ofArray(pattern(3000, 3)), 0, pair.b.memory, 0, 3000);
            byte[] into = new byte[3000];
            assertTrue(pair.a.queuePair.post(new WorkRequest.Read(1, LocalSegment.copied(into), pair.b.remote(0))));
            pair.run();
            assertDone(pair.a, 1);
            assertArrayEquals(pattern(3000, 3), into);
            pair.b.memory.set(LONG, 8192, 40);
            long[] original = new long[3];
            LocalSegment middle =
                    LocalSegment.copied(MemorySegment.ofArray(original).asSlice(8, 8));
            assertTrue(pair.a.queuePair.post(
                    new WorkRequest.FetchAdd(2, middle, pair.b.remote(8192), 2, SendOptions.SIGNALLED)));
            pair.run();
            assertDone(pair.a, 2);
            assertArrayEquals(new long[] {0, 40, 0}, original);
        }
    }

    @Test
    void aListMixesTheHeapWithBuffersAndRegionsInBothDirections() {
        try (pair;
                Arena arena = Arena.ofShared()) {
            byte[] all = pattern(300, 4);
            MemorySegment buffer = arena.allocate(100);
            MemorySegment.copy(MemorySegment.ofArray(all), 100, buffer, 0, 100);
            MemorySegment.copy(MemorySegment.ofArray(all), 200, pair.a.memory, 0, 100);
            byte[] one = new byte[150];
            MemorySegment two = arena.allocate(50);
            byte[] three = new byte[100];
            assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(
                    2, LocalSegment.copied(one), LocalSegment.of(two), LocalSegment.copied(three))));
            LocalSegment first = LocalSegment.copied(
                    MemorySegment.ofArray(all).asSlice(0, 100).asReadOnly());
            assertTrue(pair.a.queuePair.post(
                    new WorkRequest.Send(1, first, LocalSegment.of(buffer), pair.a.segment(0, 100))));
            pair.run();
            assertDone(pair.a, 1);
            assertDone(pair.b, 2);
            assertArrayEquals(Arrays.copyOfRange(all, 0, 150), one);
            assertArrayEquals(Arrays.copyOfRange(all, 150, 200), two.toArray(ValueLayout.JAVA_BYTE));
            assertArrayEquals(Arrays.copyOfRange(all, 200, 300), three);
        }
    }

    @Test
    void anUnsignalledReadIsThereWhenTheNextCompletionIs() {
        try (pair) {
            pair.b.memory.fill((byte) 5);
            byte[] into = new byte[64];
            assertTrue(pair.a.queuePair.post(new WorkRequest.Read(
                    1, List.of(LocalSegment.copied(into)), pair.b.remote(0), SendOptions.UNSIGNALLED)));
            assertTrue(pair.a.queuePair.post(new WorkRequest.Write(2, pair.a.segment(0, 8), pair.b.remote(0))));
            pair.run();
            assertDone(pair.a, 2);
            assertEquals(5, into[63]);
        }
    }

    @Test
    void aReceiveOfASharedQueueFillsAnArray() {
        try (pair) {
            Adapter adapter = pair.b.adapter;
            SharedReceiveQueue shared = adapter.createSharedReceiveQueue(4, 2);
            QueuePair theirs = adapter.createQueuePair(
                    QueuePairOptions.of(pair.b.completions).withSharedReceives(shared));
            QueuePair mine = pair.a.adapter.createQueuePair(QueuePairOptions.of(pair.a.completions));
            Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
            byte[] into = new byte[64];
            assertTrue(shared.post(new WorkRequest.Receive(2, LocalSegment.copied(into))));
            assertTrue(mine.post(new WorkRequest.Send(1, LocalSegment.copied(pattern(64, 6)))));
            pair.run();
            assertDone(pair.b, 2);
            assertArrayEquals(pattern(64, 6), into);
        }
    }

    @Test
    void aReceiveThatIsFlushedLeavesTheArrayAsItWas() {
        try (pair) {
            byte[] into = pattern(64, 7);
            assertTrue(pair.a.queuePair.post(new WorkRequest.Receive(1, LocalSegment.copied(into))));
            pair.a.queuePair.abort();
            assertEquals(Status.FLUSHED, pair.a.drain().getFirst().status());
            assertArrayEquals(pattern(64, 7), into);
        }
    }

    @Test
    void aPostReturnsFalseWhileAllBuffersForTargetsAreInUseAndSendsGoOn() {
        try (pair) {
            QueuePair receiver = pair.b.adapter.createQueuePair(QueuePairOptions.of(pair.b.domain, pair.b.completions)
                    .withCapacity(64, 64)
                    .withSegmentsMax(4));
            receiver.initialize(Set.of());
            byte[] large = new byte[1 << 20];
            var request = new WorkRequest.Receive(1, LocalSegment.copied(large));
            int posted = 0;
            while (receiver.post(request)) {
                posted++;
            }
            assertEquals(16, posted);
            // Its first segment has a registration of its own; none of it is in use after the refusal.
            MemorySegment buffer = Arena.ofAuto().allocate(4096);
            assertFalse(receiver.post(new WorkRequest.Receive(2, LocalSegment.of(buffer), LocalSegment.copied(large))));
            assertEquals(0, pair.b.adapter.registrations().list().getFirst().operations());
            assertTrue(pair.b.queuePair.post(
                    new WorkRequest.Write(3, Payload.copied(large), pair.a.remote(0), SendOptions.SIGNALLED)));
            receiver.abort();
            pair.b.drain();
            assertTrue(pair.b.queuePair.post(request));
        }
    }

    @Test
    void memoryThatCannotBeATargetIsRefused() {
        try (pair;
                Arena arena = Arena.ofShared()) {
            MemorySegment readOnly = MemorySegment.ofArray(new byte[8]).asReadOnly();
            var receive = new WorkRequest.Receive(1, LocalSegment.copied(readOnly));
            var refused = assertThrows(IllegalArgumentException.class, () -> pair.a.queuePair.post(receive));
            assertTrue(String.valueOf(refused.getMessage()).contains("read-only"), refused.getMessage());
            var large = new WorkRequest.Receive(1, LocalSegment.copied(new byte[(16 << 20) + 1]));
            assertThrows(IllegalArgumentException.class, () -> pair.a.queuePair.post(large));
            MemorySegment found = arena.allocate(8);
            var notHeap = assertThrows(IllegalArgumentException.class, () -> LocalSegment.copied(found));
            assertTrue(String.valueOf(notHeap.getMessage()).contains("LocalSegment.of"), notHeap.getMessage());
        }
    }

    @Test
    void theBytesAreThereBeforeTheCompletionInEveryRunMode() throws InterruptedException {
        pair.close();
        for (AdapterOptions.Run run :
                List.of(AdapterOptions.Run.SHARED, AdapterOptions.Run.THREAD, AdapterOptions.Run.INLINE)) {
            AdapterOptions options = AdapterOptions.DEFAULT.withRun(run);
            try (Adapter one = pair.wires.openLive(options.withRun(AdapterOptions.Run.SHARED));
                    Adapter two = pair.wires.openLive(options)) {
                Node a = new Node(one, 4096);
                Node b = new Node(two, 4096);
                Node.connect(a, b, ConnectionOptions.DEFAULT);
                byte[] into = new byte[20_000];
                byte[] from = new byte[20_000];
                var receive = new WorkRequest.Receive(2, LocalSegment.copied(into));
                var send = new WorkRequest.Send(1, LocalSegment.copied(from));
                for (int round = 1; round <= 500; round++) {
                    Arrays.fill(from, (byte) round);
                    assertTrue(b.queuePair.post(receive));
                    assertTrue(a.queuePair.post(send));
                    Completion received = b.completions.poll(Duration.ofSeconds(10));
                    assertEquals(Status.SUCCESS, received == null ? null : received.status());
                    assertEquals((byte) round, into[0], run + ", round " + round);
                    assertEquals((byte) round, into[19_999], run + ", round " + round);
                    Completion sent = null;
                    while (sent == null) {
                        assertNull(b.completions.poll()); // drives the adapter that has no thread
                        sent = a.completions.poll(Duration.ofMillis(1));
                    }
                    assertEquals(Status.SUCCESS, sent.status());
                }
            }
        }
    }

    /** The copy of a long message takes a while, in which a thread that polls all the time would see a completion that comes too early. */
    @Test
    void aThreadThatPollsAllTheTimeFindsLongMessagesWhole() throws InterruptedException {
        assumeFalse(Wires.isOnFabric(), "a fabric carries 80 MB too slowly while three threads spin");
        pair.close();
        int bytes = 4 << 20;
        AdapterOptions options = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.THREAD);
        try (Adapter one = pair.wires.openLive(options);
                Adapter two = pair.wires.openLive(options)) {
            Node a = new Node(one, bytes);
            Node b = new Node(two, 4096);
            Node.connect(a, b, ConnectionOptions.DEFAULT);
            byte[] into = new byte[bytes];
            var receive = new WorkRequest.Receive(2, LocalSegment.copied(into));
            for (int round = 1; round <= 20; round++) {
                a.memory.fill((byte) round);
                assertTrue(b.queuePair.post(receive));
                assertTrue(a.queuePair.post(new WorkRequest.Send(1, a.segment(0, bytes))));
                Completion received = b.completions.poll();
                while (received == null) {
                    Thread.onSpinWait();
                    received = b.completions.poll();
                }
                assertEquals((byte) round, into[bytes - 1], "round " + round);
                assertEquals(Status.SUCCESS, received.status());
                Completion sent = a.completions.poll(Duration.ofSeconds(10));
                assertEquals(Status.SUCCESS, sent == null ? null : sent.status());
            }
        }
    }
}
