package org.verbena.memory.registration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Registration;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.protection.Accessor;

/** Which buffers find which registration: the scenarios of the caches of other stacks among them. */
@Timeout(60)
final class BufferTableTest {
    private static final long PAGE = 4096;

    private final TableStand stand = new TableStand();
    private final BufferTable table = stand.table;

    private static MemorySegment pages(Arena arena, int pages) {
        return arena.allocate(pages * PAGE, PAGE);
    }

    // --- hits and misses

    @Test
    void theFirstUseRegistersAndTheSecondOneFinds() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = pages(arena, 1);
            int key = stand.use(buffer);
            assertEquals(key, stand.use(buffer));
            assertEquals(1, stand.misses());
            assertEquals(1, stand.hits());
            Registration entry = stand.only();
            assertEquals(buffer.address(), entry.address());
            assertEquals(PAGE, entry.length());
            assertEquals(2, entry.uses());
            assertEquals(Registration.Status.READY, entry.status());
            assertEquals(Set.of(Right.LOCAL_READ, Right.LOCAL_WRITE), entry.rights());
            assertTrue(entry.owner().startsWith("test, "), entry.owner());
        }
    }

    @Test
    void aSliceAndAnotherSegmentOfTheSameBytesFindTheEntry() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = pages(arena, 8);
            int key = stand.use(buffer);
            assertEquals(key, stand.use(buffer.asSlice(5000, 10)));
            assertEquals(key, stand.use(buffer.asSlice(0)));
            assertEquals(key, stand.use(buffer.asReadOnly()));
            assertEquals(key, stand.use(MemorySegment.ofBuffer(buffer.asByteBuffer())));
            assertEquals(1, stand.misses());
        }
    }

    @Test
    void smallBuffersOfOneArenaShareAnEntry() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment page = pages(arena, 1);
            int key = stand.use(page.asSlice(100, 64));
            assertEquals(key, stand.use(page.asSlice(3000, 64)));
            assertEquals(1, stand.misses());
            assertEquals(PAGE, stand.only().length());
        }
    }

    @Test
    void viewsOfADirectBufferFindTheEntryAndAnotherDirectBufferDoesNot() {
        ByteBuffer direct = ByteBuffer.allocateDirect(3 * 4096);
        int key = stand.use(MemorySegment.ofBuffer(direct));
        assertEquals(key, stand.use(MemorySegment.ofBuffer(direct.slice(100, 200))));
        assertEquals(key, stand.use(MemorySegment.ofBuffer(direct.duplicate())));
        assertEquals(1, stand.misses());
        assertNotEquals(key, stand.use(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(4096))));
        assertEquals(2, stand.misses());
    }

    @Test
    void aBufferOfAnotherArenaInTheSamePageIsAnotherEntry() {
        try (Arena one = Arena.ofShared();
                Arena two = Arena.ofShared()) {
            MemorySegment page = pages(one, 1);
            // Memory of a second arena in the same page, as two small allocations have it.
            MemorySegment other = Buffers.extend(two.allocate(1), page.address() + 64, 64);
            int first = stand.use(page.asSlice(0, 64));
            int second = stand.use(other);
            assertNotEquals(first, second);
            assertEquals(first, stand.use(page.asSlice(0, 64)));
            assertEquals(second, stand.use(other));
            assertEquals(2, stand.misses());
        }
    }

    @Test
    void eachDomainHasItsOwnEntry() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = pages(arena, 1);
            ProtectionDomain other = stand.memory.createDomain();
            int key = stand.use(buffer);
            int second = table.begin(other, buffer, true);
            stand.memory.endOperation(other, second);
            assertNotEquals(key, second);
            assertEquals(key, stand.use(buffer));
            assertEquals(2, table.list().size());
        }
    }

    // --- merging

    @Test
    void overlappingAndAdjacentBuffersBecomeOneEntry() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 10);
            stand.use(memory.asSlice(0, 3 * PAGE));
            stand.use(memory.asSlice(2 * PAGE, 2 * PAGE)); // overlaps
            stand.use(memory.asSlice(4 * PAGE, 2 * PAGE)); // adjoins
            stand.use(memory.asSlice(8 * PAGE, 2 * PAGE)); // apart
            assertEquals(2, table.list().size());
            stand.use(memory.asSlice(6 * PAGE, 2 * PAGE)); // fills the gap
            assertEquals(10 * PAGE, stand.only().length());
            assertEquals(memory.address(), stand.only().address());
            assertEquals(4, table.counts().merges());
            assertEquals(10 * PAGE, table.counts().pinnedBytes());
            stand.use(memory);
            assertEquals(5, stand.misses());
        }
    }

    @Test
    void anEntryInUseIsSupersededAndServesItsOperationToTheEnd() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 4);
            MemorySegment small = memory.asSlice(PAGE, PAGE);
            int key = stand.begin(small, true);
            int larger = stand.use(memory);
            assertNotEquals(key, larger);
            assertEquals(larger, stand.use(small));
            Accessor reader = Accessor.local(stand.domain, 1, Right.LOCAL_READ);
            assertEquals(Verdict.GRANTED, stand.memory.judge(reader, key, small.address(), PAGE));
            table.sweep();
            assertEquals(
                    Set.of(Registration.Status.READY, Registration.Status.SUPERSEDED),
                    Set.copyOf(table.list().stream().map(Registration::status).toList()));
            stand.end(key);
            assertEquals(1, table.sweep());
            assertEquals(Registration.Status.READY, stand.only().status());
            assertNotEquals(Verdict.GRANTED, stand.memory.judge(reader, key, small.address(), PAGE));
        }
    }

    @Test
    void aBufferThatOverlapsTwoEntriesInUseReplacesBoth() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 20);
            MemorySegment first = memory.asSlice(0, 6 * PAGE);
            MemorySegment second = memory.asSlice(8 * PAGE, 12 * PAGE);
            int one = stand.begin(first, true);
            assertEquals(one, stand.use(first));
            int two = stand.begin(second, true);
            int all = stand.use(memory.asSlice(2 * PAGE, 14 * PAGE));
            assertEquals(all, stand.use(first));
            assertEquals(all, stand.use(second));
            Accessor writer = Accessor.local(stand.domain, 1, Right.LOCAL_WRITE);
            assertEquals(Verdict.GRANTED, stand.memory.judge(writer, one, first.address(), 6 * PAGE));
            assertEquals(Verdict.GRANTED, stand.memory.judge(writer, two, second.address(), 12 * PAGE));
            assertEquals(3, table.list().size());
            stand.end(one);
            stand.end(two);
            assertEquals(2, table.sweep());
            assertEquals(20 * PAGE, stand.only().length());
        }
    }

    @Test
    void aWritableBufferThatOverlapsAReadOnlyEntryInUseGetsItsOwnPagesOnly() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 18);
            MemorySegment readOnly = memory.asSlice(0, 14 * PAGE).asReadOnly();
            int reading = stand.begin(readOnly, false);
            MemorySegment writable = memory.asSlice(10 * PAGE, 8 * PAGE);
            int writing = stand.begin(writable, true);
            assertNotEquals(reading, writing);
            Accessor writer = Accessor.local(stand.domain, 1, Right.LOCAL_WRITE);
            assertEquals(Verdict.GRANTED, stand.memory.judge(writer, writing, writable.address(), 8 * PAGE));
            assertEquals(Verdict.OUT_OF_BOUNDS, stand.memory.judge(writer, writing, memory.address(), 8));
            assertEquals(Verdict.NO_RIGHT, stand.memory.judge(writer, reading, memory.address(), 8));
            assertEquals(reading, stand.use(readOnly));
            stand.end(reading);
            stand.end(writing);
        }
    }

    @Test
    void aReadOnlyBufferThatOverlapsAWritableEntryLeavesItAsItIs() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 18);
            MemorySegment writable = memory.asSlice(0, 14 * PAGE);
            int writing = stand.begin(writable, true);
            int reading = stand.use(memory.asSlice(10 * PAGE, 8 * PAGE).asReadOnly());
            assertNotEquals(writing, reading);
            assertEquals(
                    Set.of(Right.LOCAL_READ),
                    stand.at(memory.address() + 10 * PAGE).rights());
            assertEquals(writing, stand.begin(writable, true));
            stand.end(writing);
            stand.end(writing);
            assertEquals(2, table.list().size());
        }
    }

    @Test
    void aReadOnlyBufferThatContainsAWritableEntryLeavesItAsItIs() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 8);
            int writing = stand.begin(memory.asSlice(2 * PAGE, PAGE), true);
            stand.end(writing);
            stand.use(memory.asReadOnly());
            assertEquals(2, table.list().size());
            assertEquals(writing, stand.begin(memory.asSlice(2 * PAGE, PAGE), true));
            stand.end(writing);
        }
    }

    @Test
    void threadsThatUseOverlappingPartsOfABufferShareAnEntry() throws InterruptedException {
        int threads = 6;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 30);
            Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                long from = i % 2 * 10L * PAGE;
                all.add(Thread.ofPlatform().start(() -> {
                    try {
                        useOften(memory.asSlice(from, 20 * PAGE));
                    } catch (Throwable e) {
                        failures.add(e);
                    }
                }));
            }
            for (Thread thread : all) {
                thread.join();
            }
            assertEquals(List.of(), List.copyOf(failures));
            table.sweep();
            assertEquals(30 * PAGE, stand.only().length());
            assertEquals(0, stand.only().operations());
            assertTrue(stand.misses() <= 2, stand.misses() + " misses");
        }
    }

    private void useOften(MemorySegment buffer) {
        Accessor writer = Accessor.local(stand.domain, 1, Right.LOCAL_WRITE);
        for (int i = 0; i < 5_000; i++) {
            int key = stand.begin(buffer, true);
            assertEquals(Verdict.GRANTED, stand.memory.judge(writer, key, buffer.address(), buffer.byteSize()));
            stand.end(key);
        }
    }

    @Test
    void aReadOnlyEntryIsReplacedWhenTheWritableBufferComes() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = pages(arena, 2);
            int readOnly = stand.use(buffer.asReadOnly());
            assertEquals(Set.of(Right.LOCAL_READ), stand.only().rights());
            int writable = stand.begin(buffer, true);
            stand.end(writable);
            assertNotEquals(readOnly, writable);
            assertEquals(
                    Set.of(Right.LOCAL_READ, Right.LOCAL_WRITE), stand.only().rights());
            assertEquals(writable, stand.use(buffer.asReadOnly()));
        }
    }

    @Test
    void anEntryWithMoreRightsDoesNotGrowOverBytesThatWereNamedReadOnly() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 4);
            stand.use(memory.asSlice(0, 2 * PAGE).asReadOnly());
            int writable = stand.begin(memory.asSlice(2 * PAGE, 2 * PAGE), true);
            stand.end(writable);
            assertEquals(2, table.list().size());
            Accessor writer = Accessor.local(stand.domain, 1, Right.LOCAL_WRITE);
            assertEquals(Verdict.OUT_OF_BOUNDS, stand.memory.judge(writer, writable, memory.address(), 8));
        }
    }

    @Test
    void noEntryGivesPeersAnyRight() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = pages(arena, 1);
            int key = stand.use(buffer);
            for (Right right : List.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC)) {
                Accessor peer = Accessor.remote(stand.domain, 1, right);
                assertEquals(Verdict.NO_RIGHT, stand.memory.judge(peer, key, buffer.address(), 8));
            }
        }
    }

    @Test
    void withoutNativeAccessAnEntryHasTheBoundsOfItsBuffer() {
        var exact = new TableStand(RegistrationOptions.DEFAULT, 4096, new CountedLocks(0), false);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment page = pages(arena, 1);
            MemorySegment buffer = page.asSlice(100, 64);
            int key = exact.use(buffer);
            assertEquals(key, exact.use(buffer.asSlice(8, 8)));
            assertEquals(64, exact.only().length());
            exact.use(page.asSlice(50, 200));
            assertEquals(200, exact.only().length());
        }
    }

    // --- buffers that are refused

    @Test
    void aReadOnlyBufferIsNeverWrittenToAlsoIfItsEntryIsWritable() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = pages(arena, 1);
            stand.use(buffer);
            var refused = assertThrows(IllegalArgumentException.class, () -> stand.begin(buffer.asReadOnly(), true));
            assertTrue(String.valueOf(refused.getMessage()).contains("read-only"), refused.getMessage());
        }
    }

    @Test
    void buffersOnTheHeapAndOfConfinedArenasAreRefusedWithTheRemedy() {
        var heap = assertThrows(IllegalArgumentException.class, () -> stand.use(MemorySegment.ofArray(new byte[10])));
        assertTrue(String.valueOf(heap.getMessage()).contains("heap"), heap.getMessage());
        assertTrue(String.valueOf(heap.getMessage()).contains("Adapter.arena()"), heap.getMessage());
        try (Arena confined = Arena.ofConfined()) {
            var refused = assertThrows(IllegalArgumentException.class, () -> stand.use(confined.allocate(10)));
            assertTrue(String.valueOf(refused.getMessage()).contains("confined"), refused.getMessage());
        }
        assertEquals(0, table.list().size());
    }

    @Test
    void aBufferWhoseArenaIsClosedIsRefusedAlsoIfItWasRegistered() {
        Arena arena = Arena.ofShared();
        MemorySegment buffer = pages(arena, 1);
        stand.use(buffer);
        arena.close();
        var refused = assertThrows(IllegalStateException.class, () -> stand.use(buffer));
        assertTrue(String.valueOf(refused.getMessage()).contains("closed"), refused.getMessage());
    }

    // --- special memory

    @Test
    void aSegmentAboveFourGibibytesIsRegisteredWithoutBeingTouched() {
        long bytes = 5L << 30;
        try (Arena arena = Arena.ofShared()) {
            // Address space that is reserved by a mapping of the tests' own page store would be real memory: a sparse
            // range of a scope is not.
            MemorySegment sparse = Buffers.extend(arena.allocate(1), 0x1000_0000_0000L, bytes);
            int key = stand.use(sparse);
            assertEquals(bytes, stand.only().length());
            assertEquals(key, stand.use(sparse.asSlice(bytes - 100, 100)));
            assertEquals(key, stand.use(sparse.asSlice(3L << 30, 1L << 30)));
            assertEquals(1, stand.misses());
            table.clear();
            assertEquals(0, table.nodes());
        }
    }

    @Test
    void aMappedFileIsABuffer(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("data"), new byte[10_000]);
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 10_000, arena);
            int key = stand.use(mapped);
            assertEquals(Set.of(Right.LOCAL_READ), stand.only().rights());
            try (Arena other = Arena.ofShared()) {
                MemorySegment target = other.allocate(10);
                Accessor reader = Accessor.local(stand.domain, 1, Right.LOCAL_READ);
                assertEquals(
                        Verdict.GRANTED, stand.memory.gather(reader, key, mapped.address() + 9_000, target, 0, 10));
            }
            assertThrows(IllegalArgumentException.class, () -> stand.begin(mapped, true));
        }
    }

    // --- a scope that ends

    @Test
    void memoryAtTheSameAddressFromAnotherArenaIsAMiss() {
        assertTrue(reusedAfter(64 * PAGE) > 0, "the allocator never gave the address of a mapping again");
        assertTrue(reusedAfter(PAGE / 2) > 0, "the allocator never gave the address of a small buffer again");
    }

    /** Allocates, frees and allocates again; how many times the address was the same. */
    private int reusedAfter(long bytes) {
        int reused = 0;
        for (int i = 0; i < 200; i++) {
            Arena first = Arena.ofShared();
            MemorySegment before = first.allocate(bytes, 16);
            int key = stand.use(before);
            long address = before.address();
            first.close();
            try (Arena second = Arena.ofShared()) {
                MemorySegment after = second.allocate(bytes, 16);
                after.set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
                long misses = stand.misses();
                assertNotEquals(key, stand.use(after));
                assertEquals(misses + 1, stand.misses());
                reused += after.address() == address ? 1 : 0;
            }
        }
        return reused;
    }

    @Test
    void aSweepFindsEntriesOfScopesThatHaveEndedAndReleasesTheirPins() {
        Arena arena = Arena.ofShared();
        MemorySegment buffer = pages(arena, 4);
        stand.use(buffer);
        assertEquals(4 * PAGE, table.counts().pinnedBytes());
        assertEquals(0, table.sweep());
        arena.close();
        assertEquals(Registration.Status.STALE, stand.only().status());
        assertEquals(1, table.sweep());
        assertEquals(0, table.counts().pinnedBytes());
        assertEquals(1, table.counts().stale());
        assertEquals(0, table.nodes());
    }

    @Test
    void anEntryOfAnEndedScopeStaysUntilItsOperationHasEndedAndGrantsNothing() {
        Arena arena = Arena.ofShared();
        MemorySegment buffer = pages(arena, 1);
        int key = stand.begin(buffer, true);
        arena.close();
        assertEquals(0, table.sweep());
        assertEquals(Registration.Status.STALE, stand.only().status());
        assertEquals(1, stand.only().operations());
        assertEquals(0, table.counts().pinnedBytes());
        try (Arena other = Arena.ofShared()) {
            Accessor writer = Accessor.local(stand.domain, 1, Right.LOCAL_WRITE);
            Verdict verdict = stand.memory.place(writer, key, buffer.address(), other.allocate(8), 0, 8);
            assertEquals(Verdict.BACKING_CLOSED, verdict);
        }
        stand.end(key);
        assertEquals(1, table.sweep());
        assertEquals(0, table.list().size());
    }

    @Test
    void memoryThatIsFreedInUseAndAllocatedAgainHasTwoEntriesUntilTheOldOperationEnds() {
        Arena first = Arena.ofShared();
        MemorySegment before = pages(first, 4);
        int old = stand.begin(before, true);
        first.close();
        try (Arena second = Arena.ofShared()) {
            // The same addresses, as an allocator gives them.
            MemorySegment after = Buffers.extend(second.allocate(1), before.address(), before.byteSize());
            int key = stand.use(after);
            assertNotEquals(old, key);
            assertEquals(key, stand.use(after));
            assertEquals(2, table.list().size());
            Accessor writer = Accessor.local(stand.domain, 1, Right.LOCAL_WRITE);
            assertEquals(
                    Verdict.BACKING_CLOSED,
                    stand.memory.place(writer, old, before.address(), second.allocate(8), 0, 8));
            stand.end(old);
            assertEquals(1, table.sweep());
            assertEquals(key, stand.use(after));
            int _ = table.clear(); // the memory is not the arena's
        }
    }

    @Test
    void closingAScopeEndsItsEntriesAndTellsWhatIsUnderWay() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 8);
            stand.use(memory.asSlice(0, PAGE));
            int key = stand.begin(memory.asSlice(4 * PAGE, PAGE), true);
            boolean[] idle = new boolean[1];
            assertEquals(1, table.closeScope(arena.scope(), () -> idle[0] = true));
            idle[0] = false; // it was told when the other entry ended
            assertEquals(Registration.Status.CLOSING, stand.only().status());
            assertThrows(IllegalStateException.class, () -> stand.use(memory));
            assertThrows(IllegalStateException.class, () -> stand.use(memory.asSlice(4 * PAGE, PAGE)));
            assertFalse(idle[0]);
            stand.end(key);
            assertTrue(idle[0]);
            assertEquals(0, table.closeScope(arena.scope(), () -> {}));
            assertEquals(0, table.list().size());
            table.forgetScope(arena.scope());
            stand.use(memory);
        }
    }

    @Test
    void aScopeThatIsNotClosedAfterAllCanBeUsedAgain() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = pages(arena, 1);
            int key = stand.begin(buffer, true);
            assertEquals(1, table.closeScope(arena.scope(), () -> {}));
            table.forgetScope(arena.scope());
            assertEquals(key, stand.use(buffer));
            assertEquals(Registration.Status.READY, stand.only().status());
            stand.end(key);
        }
    }

    @Test
    void aDomainCanBeClosedThoughBuffersAreRegisteredInIt() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = pages(arena, 1);
            int key = stand.begin(buffer, true);
            assertThrows(IllegalStateException.class, stand.domain::close);
            stand.end(key);
            stand.domain.close();
            assertEquals(0, table.list().size());
        }
    }

    @Test
    void aClosedTableTakesNothingAndLetsNothingTouchMemory() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = pages(arena, 4);
            stand.use(memory.asSlice(0, PAGE));
            MemorySegment used = memory.asSlice(2 * PAGE, PAGE);
            int key = stand.begin(used, true);
            table.close();
            assertThrows(IllegalStateException.class, () -> stand.use(memory));
            Accessor writer = Accessor.local(stand.domain, 1, Right.LOCAL_WRITE);
            assertNotEquals(Verdict.GRANTED, stand.memory.judge(writer, key, used.address(), 8));
            assertFalse(table.isDone());
            stand.end(key);
            table.sweep();
            assertTrue(table.isDone());
        }
    }
}
