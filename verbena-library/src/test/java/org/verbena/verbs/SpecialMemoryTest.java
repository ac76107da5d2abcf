package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.RegistrationTable;

/** Buffers of every kind of memory that Java has, and threads in every state: each works, or gives a clear error. */
@Timeout(120)
@OverEachWire
final class SpecialMemoryTest {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int COLLECTIONS_MAX = 50;

    private final Pair pair;
    private final RegistrationTable table;

    SpecialMemoryTest(Wire wire) {
        pair = new Pair(wire);
        table = pair.a.adapter.registrations();
    }

    private void assertDone(Node node, long id) {
        List<Completion> all = node.drain();
        assertEquals(1, all.size(), all.toString());
        assertEquals(id, all.getFirst().id());
        assertEquals(Status.SUCCESS, all.getFirst().status());
    }

    private void write(long id, MemorySegment from) {
        assertTrue(pair.a.queuePair.post(new WorkRequest.Write(id, from, pair.b.remote(0))));
        pair.run();
        assertDone(pair.a, id);
    }

    private void send(long id, MemorySegment from) {
        assertTrue(pair.a.queuePair.post(new WorkRequest.Send(id, from)));
        pair.run();
        assertDone(pair.a, id);
    }

    /** Runs on a thread of its own; its exception comes back. */
    private static void elsewhere(Runnable action) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread.ofPlatform()
                .start(() -> {
                    try {
                        action.run();
                    } catch (Throwable e) {
                        thrown.set(e);
                    }
                })
                .join();
        if (thrown.get() != null) {
            throw new AssertionError(thrown.get());
        }
    }

    // --- automatic arenas

    /** Posts a write of a buffer that the caller cannot reach. */
    private WeakReference<MemorySegment.Scope> postLost(int number, boolean direct) {
        MemorySegment buffer = direct
                ? MemorySegment.ofBuffer(ByteBuffer.allocateDirect(20_000))
                : Arena.ofAuto().allocate(20_000);
        buffer.fill((byte) number);
        assertTrue(pair.a.queuePair.post(new WorkRequest.Write(number, buffer, pair.b.remote(0))));
        return new WeakReference<>(buffer.scope());
    }

    @Test
    void anAutomaticBufferThatTheConsumerHasLostIsAliveUntilItsRequestHasEnded() {
        try (pair) {
            for (int i = 1; i <= 20; i++) {
                postLost(i, i % 2 == 0);
                System.gc();
                assertEquals(i == 1 ? 0 : table.counts().entries() - 1, table.clear(), "the one in use stays");
                pair.run();
                assertDone(pair.a, i);
                assertEquals((byte) i, pair.b.memory.get(BYTE, 0));
                assertEquals((byte) i, pair.b.memory.get(BYTE, 19_999));
            }
        }
    }

    @Test
    void anAutomaticBufferIsCollectedAfterItsEntryIsGone() {
        try (pair) {
            WeakReference<MemorySegment.Scope> scope = postLost(1, false);
            pair.run();
            assertDone(pair.a, 1);
            System.gc();
            assertNotNull(scope.get(), "a registered buffer stays");
            assertEquals(1, table.clear());
            for (int i = 0; i < COLLECTIONS_MAX && scope.get() != null; i++) {
                // The ring still has the request, as an address and not as an object.
                System.gc();
            }
            assertNull(scope.get(), "nothing holds the buffer, and it is not collected");
        }
    }

    @Test
    void theBudgetOfBytesBoundsAutomaticBuffersThatAreLost() {
        var options = AdapterOptions.DEFAULT
                .withRun(AdapterOptions.Run.MANUAL)
                .withRegistrations(RegistrationOptions.DEFAULT.withBudget(1000, 16 << 20));
        try (pair;
                Adapter adapter = pair.wires.open(pair.clock, options)) {
            Node node = new Node(adapter, 4096);
            List<WeakReference<MemorySegment.Scope>> scopes = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                node.queuePair.initialize(Set.of());
                MemorySegment buffer = Arena.ofAuto().allocate(1 << 20);
                assertTrue(node.queuePair.post(new WorkRequest.Receive(i, buffer)));
                scopes.add(new WeakReference<>(buffer.scope()));
                node.queuePair.reset();
                assertTrue(adapter.registrations().counts().bytes() <= 16 << 20);
            }
            for (int i = 0; i < COLLECTIONS_MAX && alive(scopes) > 17; i++) {
                System.gc();
            }
            assertTrue(alive(scopes) <= 17, alive(scopes) + " buffers of 1 MiB are alive");
        }
    }

    private static long alive(List<WeakReference<MemorySegment.Scope>> scopes) {
        return scopes.stream().filter(scope -> scope.get() != null).count();
    }

    // --- threads

    @Test
    void anInterruptedThreadPostsKnownAndNewBuffersAndStaysInterrupted() throws InterruptedException {
        try (pair) {
            MemorySegment known = Arena.ofAuto().allocate(64);
            write(1, known);
            elsewhere(() -> {
                Thread.currentThread().interrupt();
                write(2, known);
                write(3, Arena.ofAuto().allocate(10_000));
                write(4, MemorySegment.ofBuffer(ByteBuffer.allocateDirect(100)));
                assertEquals(0, table.sweep());
                assertEquals(3, table.clear());
                assertTrue(Thread.currentThread().isInterrupted(), "the interrupt was lost");
            });
        }
    }

    @Test
    void aConfinedArenaIsRefusedByItsOwnThreadAndByAnother() throws InterruptedException {
        try (pair;
                Arena confined = Arena.ofConfined()) {
            MemorySegment buffer = confined.allocate(100);
            Runnable refused = () -> {
                var found = assertThrows(IllegalArgumentException.class, () -> new WorkRequest.Send(1, buffer));
                assertTrue(String.valueOf(found.getMessage()).contains("confined"), found.getMessage());
            };
            refused.run();
            elsewhere(refused);
        }
    }

    @Test
    void aConfinedBufferIsCopiedByItsOwnThreadOnlyAndAPostThatFailsHoldsNothing() throws InterruptedException {
        try (pair;
                Arena confined = Arena.ofConfined()) {
            MemorySegment buffer = confined.allocate(1 << 20).fill((byte) 3);
            var request = new WorkRequest.Write(1, Payload.copied(buffer), pair.b.remote(0), SendOptions.SIGNALLED);
            elsewhere(() -> {
                for (int i = 0; i < 40; i++) { // more than there are buffers for copies
                    assertThrows(WrongThreadException.class, () -> pair.a.queuePair.post(request));
                }
            });
            assertTrue(pair.a.queuePair.post(request));
            pair.run();
            assertDone(pair.a, 1);
            assertEquals(3, pair.b.memory.get(BYTE, (1 << 20) - 1));
        }
    }

    // --- slices

    @Test
    void slicesAtOddAddressesGetTheirBytesAndNoOthers() {
        try (pair) {
            MemorySegment from = Arena.ofAuto().allocate(20_000);
            MemorySegment into = Arena.ofAuto().allocate(20_000);
            for (int i = 0; i < 20_000; i++) {
                from.set(BYTE, i, (byte) (i * 7));
            }
            int[][] slices = {{1, 1}, {4095, 2}, {4097, 8191}, {13, 4083}, {19_999, 1}, {3, 12_345}};
            for (int[] slice : slices) {
                into.fill((byte) 99);
                MemorySegment part = into.asSlice(slice[0], slice[1]);
                assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(2, part)));
                send(1, from.asSlice(slice[0], slice[1]).asReadOnly());
                assertDone(pair.b, 2);
                byte[] expected = new byte[20_000];
                Arrays.fill(expected, (byte) 99);
                MemorySegment.copy(from, slice[0], MemorySegment.ofArray(expected), slice[0], slice[1]);
                assertEquals(-1, MemorySegment.ofArray(expected).mismatch(into), Arrays.toString(slice));
            }
        }
    }

    // --- files

    @Test
    void aMappedFileIsSentFromAndReceivedInto(@TempDir Path directory) throws IOException {
        byte[] data = new byte[50_000];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 13);
        }
        Path source = Files.write(directory.resolve("source"), data);
        Path target = directory.resolve("target");
        try (pair;
                Arena arena = Arena.ofShared();
                FileChannel out = FileChannel.open(
                        target, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            MemorySegment from = readOnly(source, arena);
            MemorySegment into = out.map(FileChannel.MapMode.READ_WRITE, 0, data.length, arena);
            assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(2, into)));
            send(1, from);
            assertDone(pair.b, 2);
            into.force();
            assertEquals(-1, Arrays.mismatch(data, Files.readAllBytes(target)));
            var receive = new WorkRequest.Receive(3, from);
            assertThrows(IllegalArgumentException.class, () -> pair.a.queuePair.post(receive));
        }
    }

    /** A mapping does not need its channel. */
    private static MemorySegment readOnly(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    @Test
    void messagesGoIntoABufferOfSixGibibytesThatIsMostlyUntouched(@TempDir Path directory) throws IOException {
        long part = 2L << 30;
        try (pair;
                Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        directory.resolve("sparse"),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.SPARSE)) {
            MemorySegment all = mapped(file, 3 * part, arena);
            for (int i = 0; i < 3; i++) {
                assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(i, all.asSlice(i * part, part))));
            }
            assertTrue(pair.b.adapter.registrations().list().stream().anyMatch(entry -> entry.length() == 3 * part));
            MemorySegment from = Arena.ofAuto().allocate(9000);
            for (int i = 0; i < 3; i++) {
                from.set(LONG, 8992, 1000 + i);
                send(10, from);
                assertDone(pair.b, i);
                assertEquals(1000 + i, all.get(LONG, i * part + 8992));
            }
            // A request that begins below 4 GiB and ends above.
            MemorySegment across = all.asSlice((4L << 30) - 4500, 9000).fill((byte) 5);
            assertTrue(pair.b.queuePair.post(new WorkRequest.Write(20, across, pair.a.remote(0))));
            pair.run();
            assertDone(pair.b, 20);
            assertEquals(-1, across.mismatch(pair.a.memory.asSlice(0, 9000)));
        }
    }

    private static MemorySegment mapped(FileChannel file, long bytes, Arena arena) {
        try {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        } catch (IOException | RuntimeException refused) {
            assumeTrue(false, "the file system has no sparse files of " + bytes + " bytes: " + refused);
            throw new AssertionError(refused);
        }
    }

    // --- memory that comes again

    @Test
    void bytesAtAnAddressThatWasFreedAndAllocatedAgainAreTheNewOnes() {
        try (pair) {
            int reused = 0;
            for (int i = 0; i < 100; i++) {
                Arena first = Arena.ofShared();
                MemorySegment before = first.allocate(100_000).fill((byte) 1);
                write(i, before);
                first.close();
                try (Arena second = Arena.ofShared()) {
                    MemorySegment after = second.allocate(100_000).fill((byte) 2);
                    reused += after.address() == before.address() ? 1 : 0;
                    write(i, after);
                    assertEquals(2, pair.b.memory.get(BYTE, 99_999));
                }
            }
            assertTrue(reused > 0, "the allocator never gave the same address again");
            assertEquals(200, table.counts().misses());
        }
    }
}
