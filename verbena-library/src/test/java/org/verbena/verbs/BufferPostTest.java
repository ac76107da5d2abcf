package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Registration;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.RegistrationTable;
import org.verbena.trace.MetricRegistry;

/** Work requests that name native buffers which nobody has registered. */
@Timeout(60)
@OverEachWire
final class BufferPostTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final Pair pair;
    private final Arena arena;

    BufferPostTest(Wire wire) {
        pair = new Pair(wire);
        arena = pair.a.adapter.arena();
    }

    private MemorySegment filled(int bytes, int seed) {
        MemorySegment buffer = arena.allocate(bytes, 8);
        for (int i = 0; i < bytes; i++) {
            buffer.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + seed));
        }
        return buffer;
    }

    private Completion only(Node node) {
        List<Completion> all = node.drain();
        assertEquals(1, all.size(), all.toString());
        return all.getFirst();
    }

    private void assertDone(Node node, long id) {
        Completion completion = only(node);
        assertEquals(id, completion.id());
        assertEquals(Status.SUCCESS, completion.status());
    }

    // --- every request

    @Test
    void aSendGoesFromABufferIntoABuffer() {
        try (pair) {
            MemorySegment from = filled(10_000, 1);
            MemorySegment into = Arena.ofAuto().allocate(10_000);
            assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(2, into)));
            assertTrue(pair.a.queuePair.post(new WorkRequest.Send(1, from)));
            pair.run();
            assertDone(pair.a, 1);
            assertDone(pair.b, 2);
            assertEquals(-1, from.mismatch(into));
        }
    }

    @Test
    void directBuffersAreTakenFromPositionToLimit() {
        try (pair) {
            ByteBuffer from = ByteBuffer.allocateDirect(1000);
            from.putLong(100, 0x1234_5678_9abc_def0L).position(100).limit(108);
            ByteBuffer into = ByteBuffer.allocateDirect(100).position(50);
            assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(2, into)));
            assertTrue(pair.a.queuePair.post(new WorkRequest.Send(1, from)));
            pair.run();
            assertDone(pair.a, 1);
            assertEquals(8, only(pair.b).byteLength());
            assertEquals(0x1234_5678_9abc_def0L, into.getLong(50));
            assertEquals(100, from.position());
        }
    }

    @Test
    void writesReadsAndAtomicsTakeBuffers() {
        try (pair) {
            MemorySegment from = filled(5000, 2);
            MemorySegment back = arena.allocate(5000, 8);
            QueuePair queuePair = pair.a.queuePair;
            assertTrue(queuePair.post(new WorkRequest.Write(1, from, pair.b.remote(0))));
            assertTrue(queuePair.post(new WorkRequest.Read(2, back, pair.b.remote(0))));
            pair.run();
            assertEquals(
                    List.of(1L, 2L), pair.a.drain().stream().map(Completion::id).toList());
            assertEquals(-1, from.mismatch(back));
            pair.b.memory.set(LONG, 8192, 40);
            MemorySegment original = back.asSlice(0, 8);
            assertTrue(queuePair.post(new WorkRequest.FetchAdd(3, original, pair.b.remote(8192), 2)));
            pair.run();
            assertDone(pair.a, 3);
            assertEquals(40, original.get(LONG, 0));
            assertTrue(queuePair.post(new WorkRequest.CompareSwap(4, original, pair.b.remote(8192), 42, 7)));
            pair.run();
            assertDone(pair.a, 4);
            assertEquals(42, original.get(LONG, 0));
            assertEquals(7, pair.b.memory.get(LONG, 8192));
        }
    }

    @Test
    void aListMixesBuffersAndRegionsAndEmptyOnes() {
        try (pair) {
            MemorySegment from = filled(100, 3);
            pair.a.memory.fill((byte) 9);
            Payload data = Payload.of(
                    LocalSegment.of(from.asSlice(0, 50)),
                    pair.a.segment(0, 10),
                    LocalSegment.of(from.asSlice(0, 0)),
                    LocalSegment.of(from.asSlice(50)));
            assertTrue(pair.a.queuePair.post(new WorkRequest.Write(1, data, pair.b.remote(0), SendOptions.SIGNALLED)));
            pair.run();
            assertDone(pair.a, 1);
            MemorySegment there = pair.b.memory;
            assertEquals(-1, from.asSlice(0, 50).mismatch(there.asSlice(0, 50)));
            assertEquals(9, there.get(ValueLayout.JAVA_BYTE, 55));
            assertEquals(-1, from.asSlice(50).mismatch(there.asSlice(60, 50)));
        }
    }

    @Test
    void aPreparedRequestFindsItsBufferEachTime() {
        try (pair) {
            MemorySegment from = filled(64, 4);
            var request = new WorkRequest.Write(1, from, pair.b.remote(0));
            for (int i = 0; i < 100; i++) {
                assertTrue(pair.a.queuePair.post(request));
                pair.run();
                assertDone(pair.a, 1);
            }
            var counts = pair.a.adapter.registrations().counts();
            assertEquals(1, counts.misses());
            assertEquals(99, counts.hits());
            Registration entry = pair.a.adapter.registrations().list().getFirst();
            assertEquals(0, entry.operations());
            assertEquals(100, entry.uses());
        }
    }

    @Test
    void aBufferIsInUseFromThePostUntilTheCompletion() {
        try (pair) {
            RegistrationTable table = pair.a.adapter.registrations();
            assertTrue(pair.a.queuePair.post(new WorkRequest.Write(1, filled(64, 5), pair.b.remote(0))));
            assertEquals(1, table.list().getFirst().operations());
            assertEquals(0, table.clear());
            pair.run();
            assertEquals(0, table.list().getFirst().operations());
            assertEquals(1, table.clear());
        }
    }

    @Test
    void receivesThatAreFlushedOrForgottenAreNotInUse() {
        try (pair) {
            RegistrationTable table = pair.a.adapter.registrations();
            assertTrue(pair.a.queuePair.post(new WorkRequest.Receive(1, filled(64, 6))));
            pair.a.queuePair.abort();
            assertEquals(0, operations(table));
            pair.a.queuePair.reset();
            pair.a.queuePair.initialize(Set.of());
            assertTrue(pair.a.queuePair.post(new WorkRequest.Receive(2, filled(64, 7))));
            assertEquals(1, operations(table));
            pair.a.queuePair.reset();
            assertEquals(0, operations(table));
        }
    }

    private static int operations(RegistrationTable table) {
        return table.list().stream().mapToInt(Registration::operations).sum();
    }

    @Test
    void aSharedReceiveQueueRegistersInTheDefaultDomain() {
        try (pair) {
            Adapter adapter = pair.b.adapter;
            SharedReceiveQueue shared = adapter.createSharedReceiveQueue(4, 2);
            QueuePair theirs = adapter.createQueuePair(
                    QueuePairOptions.of(pair.b.completions).withSharedReceives(shared));
            QueuePair mine = pair.a.adapter.createQueuePair(QueuePairOptions.of(pair.a.completions));
            Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
            MemorySegment into = Arena.ofAuto().allocate(64);
            assertTrue(shared.post(new WorkRequest.Receive(2, into)));
            MemorySegment from = filled(64, 8);
            assertTrue(mine.post(new WorkRequest.Send(1, from)));
            pair.run();
            assertDone(pair.b, 2);
            assertEquals(-1, from.mismatch(into));
        }
    }

    // --- refusals

    @Test
    void aRefusedBufferPostsNothingAndCountsNothing() {
        try (pair) {
            MemorySegment good = filled(64, 9);
            var request = new WorkRequest.Receive(1, LocalSegment.of(good), LocalSegment.of(good.asReadOnly()));
            assertThrows(IllegalArgumentException.class, () -> pair.a.queuePair.post(request));
            assertEquals(0, pair.a.adapter.registrations().list().getFirst().operations());
            assertTrue(pair.a.queuePair.post(new WorkRequest.Write(2, good.asReadOnly(), pair.b.remote(0))));
            pair.run();
            assertDone(pair.a, 2);
        }
    }

    @Test
    void heapAndConfinedMemoryAreRefusedWhenTheRequestIsMade() {
        try (pair;
                Arena confined = Arena.ofConfined()) {
            MemorySegment heap = MemorySegment.ofArray(new byte[8]);
            assertThrows(IllegalArgumentException.class, () -> new WorkRequest.Send(1, heap));
            assertThrows(IllegalArgumentException.class, () -> new WorkRequest.Send(1, ByteBuffer.allocate(8)));
            MemorySegment own = confined.allocate(8);
            assertThrows(IllegalArgumentException.class, () -> new WorkRequest.Send(1, own));
        }
    }

    @Test
    void heapMemoryIsCopiedWhenTheConsumerAsksForIt() {
        try (pair) {
            byte[] data = new byte[100_000];
            for (int i = 0; i < data.length; i++) {
                data[i] = (byte) (i * 7);
            }
            MemorySegment there = pair.b.memory.asSlice(0, data.length);
            var request = new WorkRequest.Write(1, Payload.copied(data), pair.b.remote(0), SendOptions.SIGNALLED);
            for (int round = 0; round < 3; round++) {
                data[500] = (byte) round;
                assertTrue(pair.a.queuePair.post(request));
                data[500] = 99; // the copy was made at the post
                pair.run();
                assertDone(pair.a, 1);
                data[500] = (byte) round;
                assertEquals(-1, MemorySegment.ofArray(data).mismatch(there));
            }
        }
    }

    @Test
    void aPostReturnsFalseWhileAllBuffersForCopiesAreInUse() {
        try (pair) {
            var request = new WorkRequest.Write(
                    1, Payload.copied(new byte[1 << 20]), pair.b.remote(0), SendOptions.SIGNALLED);
            int posted = 0;
            while (pair.a.queuePair.post(request)) {
                posted++;
            }
            assertEquals(16, posted);
            pair.run();
            assertEquals(16, pair.a.drain().size());
            assertTrue(pair.a.queuePair.post(request));
            var large = new WorkRequest.Send(1, Payload.copied(new byte[(16 << 20) + 1]), SendOptions.SIGNALLED);
            assertThrows(IllegalArgumentException.class, () -> pair.a.queuePair.post(large));
        }
    }

    // --- memory that is freed

    @Test
    void aBufferThatIsFreedDuringItsWriteCompletesInErrorAndIsNotTouched() {
        try (pair) {
            Arena foreign = Arena.ofShared();
            MemorySegment from = foreign.allocate(1 << 20);
            assertTrue(pair.a.queuePair.post(new WorkRequest.Write(1, from, pair.b.remote(0))));
            pair.a.adapter.work(pair.clock.nowNs());
            foreign.close();
            pair.run();
            Completion completion = only(pair.a);
            assertEquals(Status.LOCAL_PROTECTION_ERROR, completion.status());
            assertEquals(Verdict.BACKING_CLOSED, completion.detail());
            assertEquals(1, pair.a.adapter.registrations().sweep());
        }
    }

    @Test
    void aBufferThatIsFreedUnderItsReceiveOrReadIsNotTouched() {
        try (pair) {
            Arena foreign = Arena.ofShared();
            MemorySegment into = foreign.allocate(4096);
            assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(2, into)));
            foreign.close();
            assertTrue(pair.a.queuePair.post(new WorkRequest.Send(1, filled(64, 1))));
            pair.run();
            assertEquals(
                    pair.refused(Status.REMOTE_OPERATIONAL_ERROR), only(pair.a).status());
            assertEquals(QueuePairState.ERROR, pair.a.queuePair.state());
            assertEquals(
                    Status.LOCAL_PROTECTION_ERROR, pair.b.drain().getFirst().status());
        }
    }

    @Test
    void theArenaOfTheAdapterIsNotClosedUnderAWriteAndCanBeClosedAfterIt() {
        try (pair) {
            assertTrue(pair.a.queuePair.post(new WorkRequest.Write(1, filled(64, 1), pair.b.remote(0))));
            var inUse = assertThrows(IllegalStateException.class, arena::close);
            assertTrue(String.valueOf(inUse.getMessage()).contains("1 work requests"), inUse.getMessage());
            assertTrue(arena.scope().isAlive());
            assertTrue(pair.a.queuePair.post(new WorkRequest.Write(2, filled(64, 1), pair.b.remote(0))));
            pair.run();
            assertEquals(2, pair.a.drain().size());
            arena.close();
            assertFalse(arena.scope().isAlive());
            assertEquals(List.of(), pair.a.adapter.registrations().list());
            arena.close();
        }
    }

    @Test
    void theAdapterClosesItsArenasAfterItsQueuePairs() {
        try (pair) {
            assertTrue(pair.a.queuePair.post(new WorkRequest.Receive(1, filled(64, 1))));
            SharedReceiveQueue shared = pair.a.adapter.createSharedReceiveQueue(4, 1);
            assertTrue(shared.post(new WorkRequest.Receive(2, filled(64, 2)))); // nothing ends it
        }
        assertFalse(arena.scope().isAlive());
        assertEquals(0, pair.a.adapter.registrations().counts().entries());
    }

    // --- tables

    @Test
    void aConsumerHasATableOfItsOwn() {
        try (pair) {
            RegistrationTable own = pair.a.adapter.createRegistrationTable(
                    "consumer", RegistrationOptions.DEFAULT.withBudget(2, 1 << 20));
            QueuePair mine = pair.a.adapter.createQueuePair(
                    QueuePairOptions.of(pair.a.domain, pair.a.completions).withRegistrations(own));
            mine.initialize(Set.of());
            assertTrue(mine.post(new WorkRequest.Receive(1, filled(64, 1))));
            assertEquals(1, own.list().size());
            assertEquals(0, pair.a.adapter.registrations().list().size());
            var inUse = assertThrows(IllegalStateException.class, arena::close);
            assertTrue(String.valueOf(inUse.getMessage()).contains("1 work requests"), inUse.getMessage());
            mine.close();
            arena.close();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.b.adapter.createQueuePair(QueuePairOptions.of(pair.b.domain, pair.b.completions)
                            .withRegistrations(own)));
        }
    }

    @Test
    void aClosedTableLeavesTheMetricsAndTheAdapterWhenItsLastRequestHasEnded() {
        var metrics = new MetricRegistry();
        var manual = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withMetrics(metrics);
        try (pair;
                Adapter adapter = pair.wires.open(pair.clock, manual)) {
            var node = new Node(adapter, 4096);
            RegistrationTable own = adapter.createRegistrationTable("consumer", RegistrationOptions.DEFAULT);
            QueuePairOptions options =
                    QueuePairOptions.of(node.domain, node.completions).withRegistrations(own);
            QueuePair mine = adapter.createQueuePair(options);
            mine.initialize(Set.of());
            assertTrue(mine.post(new WorkRequest.Receive(1, filled(64, 1))));
            assertEquals(1, tables(metrics, "consumer"));
            own.close();
            assertThrows(IllegalArgumentException.class, () -> adapter.createQueuePair(options));
            assertThrows(IllegalStateException.class, () -> mine.post(new WorkRequest.Receive(2, filled(64, 1))));
            assertEquals(1, tables(metrics, "consumer"), "a request still names its memory");
            mine.close();
            assertEquals(1, own.sweep());
            assertEquals(0, tables(metrics, "consumer"));
            adapter.createRegistrationTable("empty", RegistrationOptions.DEFAULT)
                    .close();
            assertEquals(0, tables(metrics, "empty"));
            assertEquals(1, tables(metrics, adapter.registrations().owner()));
        }
    }

    private static long tables(MetricRegistry metrics, String owner) {
        return metrics.snapshot().of("registrations").with("owner", owner).series().stream()
                .filter(series -> series.metric().name().equals("entries"))
                .count();
    }

    @Test
    void tablesThatAreMadeAndClosedLeaveNothingBehindInTheAdapter() {
        try (pair) {
            List<WeakReference<RegistrationTable>> tables = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                tables.add(madeAndClosed());
            }
            for (int i = 0; i < 50 && tables.stream().anyMatch(table -> table.get() != null); i++) {
                System.gc();
            }
            assertEquals(0, tables.stream().filter(table -> table.get() != null).count());
        }
    }

    private WeakReference<RegistrationTable> madeAndClosed() {
        RegistrationTable table = pair.a.adapter.createRegistrationTable("consumer", RegistrationOptions.DEFAULT);
        QueuePair mine = pair.a.adapter.createQueuePair(
                QueuePairOptions.of(pair.a.domain, pair.a.completions).withRegistrations(table));
        mine.initialize(Set.of());
        assertTrue(mine.post(new WorkRequest.Receive(1, filled(64, 1))));
        mine.close();
        table.close();
        return new WeakReference<>(table);
    }

    @Test
    void aDomainCanBeClosedAfterItsQueuePairs() {
        try (pair) {
            ProtectionDomain domain = pair.a.adapter.createProtectionDomain();
            QueuePair mine = pair.a.adapter.createQueuePair(QueuePairOptions.of(domain, pair.a.completions));
            mine.initialize(Set.of());
            assertTrue(mine.post(new WorkRequest.Receive(1, filled(64, 1))));
            mine.close();
            domain.close();
            assertEquals(0, pair.a.adapter.registrations().list().size());
        }
    }

    @Test
    void memoryThatCannotBePinnedIsReportedOnce() {
        var options = AdapterOptions.DEFAULT
                .withRun(AdapterOptions.Run.MANUAL)
                .withRegistrations(RegistrationOptions.DEFAULT.withPinnedBytesMax(4096));
        try (pair;
                Adapter adapter = pair.wires.open(pair.clock, options)) {
            var node = new Node(adapter, 4096);
            node.queuePair.initialize(Set.of());
            for (int i = 0; i < 3; i++) {
                assertTrue(node.queuePair.post(new WorkRequest.Receive(1, filled(100_000, 1))));
            }
            AsyncEvent event = adapter.events().poll();
            assertEquals(EventKind.MEMORY_NOT_PINNED, event == null ? null : event.kind());
            assertTrue(String.valueOf(event).contains("budget of the table 4096 bytes"), String.valueOf(event));
            assertEquals(null, adapter.events().poll());
        }
    }

    @Test
    void closeWaitsForOperationsInTheOtherRunModesAndAnInterruptStays() throws InterruptedException {
        pair.close();
        for (AdapterOptions.Run run :
                List.of(AdapterOptions.Run.SHARED, AdapterOptions.Run.THREAD, AdapterOptions.Run.INLINE)) {
            AdapterOptions options = AdapterOptions.DEFAULT.withRun(run);
            try (Adapter one = pair.wires.openLive(options);
                    Adapter two = pair.wires.openLive(options.withRun(AdapterOptions.Run.SHARED))) {
                Node a = new Node(one, 4096);
                Node b = new Node(two, 1 << 20);
                Node.connect(a, b, Node.PATIENT);
                AtomicReference<Throwable> thrown = new AtomicReference<>();
                Thread closer = Thread.ofPlatform().start(() -> {
                    try {
                        Arena memory = one.arena();
                        MemorySegment from = memory.allocate(1 << 20, 8);
                        from.set(LONG, (1 << 20) - 8, 77);
                        assertTrue(a.queuePair.post(new WorkRequest.Write(1, from, b.remote(0))));
                        Thread.currentThread().interrupt();
                        memory.close();
                        assertTrue(Thread.interrupted(), "the interrupt was lost");
                        assertFalse(memory.scope().isAlive());
                    } catch (Throwable e) {
                        thrown.set(e);
                    }
                });
                closer.join();
                assertEquals(null, thrown.get(), run + ": " + thrown.get());
                Completion completion = a.completions.poll(Duration.ofSeconds(5));
                assertEquals(Status.SUCCESS, completion == null ? null : completion.status());
                while (b.memory.get(LONG, (1 << 20) - 8) != 77) { // over iWARP it may be on its way
                    assertNull(a.completions.poll()); // drives an adapter that has no thread
                    assertNull(b.completions.poll());
                }
            }
        }
    }

    @Test
    void anInterruptWhileCloseWaitsStaysAndDoesNotEndTheWait() throws InterruptedException {
        pair.close();
        try (Adapter adapter = pair.wires.openLive(AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.THREAD))) {
            Node node = new Node(adapter, 4096);
            node.queuePair.initialize(Set.of());
            Arena memory = adapter.arena();
            assertTrue(node.queuePair.post(new WorkRequest.Receive(1, memory.allocate(64, 8))));
            AtomicReference<Object> outcome = new AtomicReference<>();
            Thread closer = Thread.ofPlatform().start(() -> {
                try {
                    memory.close();
                    outcome.set(Thread.interrupted() ? "closed and interrupted" : "closed, the interrupt was lost");
                } catch (Throwable e) {
                    outcome.set(e);
                }
            });
            while (closer.getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(20_000);
            }
            closer.interrupt();
            while (closer.isInterrupted()) { // until the wait has taken the interrupt
                LockSupport.parkNanos(20_000);
            }
            assertNull(outcome.get(), "close returned although a receive uses the memory");
            node.queuePair.abort();
            closer.join();
            assertEquals("closed and interrupted", outcome.get());
        }
    }
}
