package org.verbena.memory.registration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.memory.RegistrationOptions;

/** Entries that are removed without being asked for: over budget, idle, of a thread that has ended; and memory that cannot be pinned. */
@Timeout(60)
final class BudgetTest {
    private static final long PAGE = 4096;
    private static final RegistrationOptions DEFAULT = RegistrationOptions.DEFAULT;

    /** Buffers of a page with a page between them, so that they do not merge. */
    private static MemorySegment buffer(MemorySegment memory, int number) {
        return memory.asSlice(2 * PAGE * number, PAGE);
    }

    @Test
    void theNumberOfEntriesIsBounded() {
        var stand = new TableStand(DEFAULT.withBudget(10, 1L << 30));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(200 * PAGE, PAGE);
            for (int i = 0; i < 100; i++) {
                stand.use(buffer(memory, i));
                assertTrue(stand.table.counts().entries() <= 10);
            }
            assertEquals(90, stand.table.counts().evictions());
        }
    }

    @Test
    void theBytesOfAllEntriesAreBoundedAndTheNewOneStays() {
        var stand = new TableStand(DEFAULT.withBudget(1000, 16 * PAGE));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(200 * PAGE, PAGE);
            for (int i = 0; i < 40; i++) {
                int key = stand.use(buffer(memory, i));
                assertEquals(key, stand.use(buffer(memory, i)));
                assertTrue(stand.table.counts().bytes() <= 16 * PAGE);
            }
            int large = stand.use(memory.asSlice(100 * PAGE, 50 * PAGE));
            assertEquals(large, stand.use(memory.asSlice(100 * PAGE, 50 * PAGE)));
            assertEquals(1, stand.table.counts().entries());
        }
    }

    @Test
    void aLongEntryGoesBeforeShortOnesThatAreLittleOlderIfBytesAreShort() {
        var stand = new TableStand(DEFAULT.withBudget(1000, 16 * PAGE));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100 * PAGE, PAGE);
            int[] keys = new int[4];
            for (int i = 0; i < 4; i++) {
                keys[i] = stand.use(buffer(memory, i));
            }
            stand.use(memory.asSlice(50 * PAGE, 12 * PAGE));
            stand.use(buffer(memory, 40));
            assertEquals(5 * PAGE, stand.table.counts().bytes());
            for (int i = 0; i < 4; i++) {
                assertEquals(keys[i], stand.use(buffer(memory, i)));
            }
        }
    }

    @Test
    void bytesOfEntriesInUseMayGoBeyondTheBudgetUntilTheyAreFree() {
        var stand = new TableStand(DEFAULT.withBudget(1000, 4 * PAGE));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100 * PAGE, PAGE);
            int[] keys = new int[8];
            for (int i = 0; i < 8; i++) {
                keys[i] = stand.begin(buffer(memory, i), true);
            }
            assertEquals(8 * PAGE, stand.table.counts().bytes());
            for (int i = 0; i < 8; i++) {
                assertEquals(keys[i], stand.use(buffer(memory, i)));
                stand.end(keys[i]);
            }
            stand.use(buffer(memory, 20));
            assertEquals(4 * PAGE, stand.table.counts().bytes());
        }
    }

    @Test
    void theEntryThatWasNotUsedForLongestGoesFirst() {
        var stand = new TableStand(DEFAULT.withBudget(4, 1L << 30));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(20 * PAGE, PAGE);
            int[] keys = new int[4];
            for (int i = 0; i < 4; i++) {
                keys[i] = stand.use(buffer(memory, i));
            }
            stand.use(buffer(memory, 0));
            stand.use(buffer(memory, 5));
            assertEquals(keys[0], stand.use(buffer(memory, 0)));
            long misses = stand.misses();
            assertNotEquals(keys[1], stand.use(buffer(memory, 1)));
            assertEquals(misses + 1, stand.misses());
        }
    }

    @Test
    void anEntryInUseIsNeverEvicted() {
        var stand = new TableStand(DEFAULT.withBudget(2, 1L << 30));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(80 * PAGE, PAGE);
            int[] keys = new int[5];
            for (int i = 0; i < 5; i++) {
                keys[i] = stand.begin(buffer(memory, i), true);
            }
            assertEquals(5, stand.table.counts().entries());
            stand.clock.advance(3600 * TableStand.SECOND_NS);
            assertEquals(0, stand.table.sweep());
            assertEquals(0, stand.table.clear());
            for (int i = 0; i < 5; i++) {
                assertEquals(keys[i], stand.use(buffer(memory, i)));
                stand.end(keys[i]);
            }
            stand.use(buffer(memory, 10));
            assertEquals(2, stand.table.counts().entries());
        }
    }

    @Test
    void aFreeEntryIsEvictedThoughOlderOnesAreInUse() {
        var stand = new TableStand(DEFAULT.withBudget(4, 1L << 30));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(80 * PAGE, PAGE);
            int old = stand.begin(buffer(memory, 0), true);
            int older = stand.begin(buffer(memory, 1), true);
            for (int i = 2; i < 20; i++) {
                stand.use(buffer(memory, i));
                assertTrue(stand.table.counts().entries() <= 4, stand.table.counts() + " at " + i);
            }
            stand.end(old);
            stand.end(older);
        }
    }

    @Test
    void missesFindEntriesOfScopesThatHaveEndedElsewhere() {
        var stand = new TableStand(DEFAULT);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(80 * PAGE, PAGE);
            Arena[] others = new Arena[100];
            for (int i = 0; i < others.length; i++) {
                others[i] = Arena.ofShared();
                stand.use(others[i].allocate(PAGE, PAGE));
            }
            for (Arena other : others) {
                other.close();
            }
            for (int i = 0; i < 30; i++) {
                stand.use(buffer(memory, i));
            }
            assertEquals(30, stand.table.counts().entries());
            assertEquals(100, stand.table.counts().stale());
        }
    }

    @Test
    void anEntryThatIsIdleForLongerThanTheLimitIsRemoved() {
        var stand = new TableStand(DEFAULT.withIdleLimit(Duration.ofSeconds(10), Duration.ofSeconds(1)));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(20 * PAGE, PAGE);
            stand.use(buffer(memory, 0));
            int kept = stand.use(buffer(memory, 1));
            stand.clock.advance(6 * TableStand.SECOND_NS);
            assertEquals(0, stand.table.sweep());
            stand.use(buffer(memory, 1));
            stand.clock.advance(5 * TableStand.SECOND_NS);
            assertEquals(1, stand.table.sweep());
            assertEquals(kept, stand.use(buffer(memory, 1)));
            stand.clock.advance(11 * TableStand.SECOND_NS);
            assertEquals(0, stand.table.sweep(), "the sweep notes the use");
            stand.clock.advance(11 * TableStand.SECOND_NS);
            assertEquals(1, stand.table.sweep());
            assertEquals(2, stand.table.counts().evictions());
        }
    }

    @Test
    void anEntryWhoseThreadHasEndedIsRemovedSooner() throws InterruptedException {
        var stand = new TableStand(DEFAULT.withIdleLimit(Duration.ofHours(1), Duration.ofSeconds(1)));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(20 * PAGE, PAGE);
            Thread thread = Thread.ofPlatform().name("client").start(() -> stand.use(buffer(memory, 0)));
            thread.join();
            stand.use(buffer(memory, 1));
            assertTrue(
                    stand.table.list().stream().anyMatch(entry -> entry.owner().equals("test, client (ended)")),
                    stand.table.list().toString());
            stand.clock.advance(2 * TableStand.SECOND_NS);
            assertEquals(1, stand.table.sweep());
            assertEquals(buffer(memory, 1).address(), stand.only().address());
        }
    }

    // --- pins

    @Test
    void memoryThatTheSystemRefusesToPinIsRegisteredAndOneMessageSaysSo() {
        var stand = new TableStand(DEFAULT, 4096, new CountedLocks(2 * PAGE), true);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(40 * PAGE, PAGE);
            for (int i = 0; i < 10; i++) {
                int key = stand.use(buffer(memory, i));
                assertEquals(key, stand.use(buffer(memory, i)));
            }
            assertEquals(2 * PAGE, stand.table.counts().pinnedBytes());
            assertEquals(2 * PAGE, stand.table.counts().pinnedLimit());
            assertEquals(8, stand.table.counts().pinRefusals());
            assertEquals(1, stand.messages.size());
            String message = stand.messages.getFirst();
            for (String part :
                    new String[] {"Limit 8192 bytes", "pinned by this table 8192 bytes", "of test", "ulimit -l"}) {
                assertTrue(message.contains(part), part + " expected in: " + message);
            }
        }
    }

    @Test
    void aRefusalIsRememberedUntilItsTimeIsOverOrAPinIsReleased() {
        var locks = new CountedLocks(2 * PAGE);
        var stand = new TableStand(DEFAULT.withFailureMemory(Duration.ofSeconds(1)), 4096, locks, true);
        try (Arena arena = Arena.ofShared();
                Arena other = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(40 * PAGE, PAGE);
            stand.use(memory.asSlice(0, 2 * PAGE));
            stand.use(buffer(memory, 5));
            int locked = locks.calls();
            stand.use(buffer(memory, 6));
            assertEquals(locked, locks.calls(), "the system was asked again");
            stand.clock.advance(2 * TableStand.SECOND_NS);
            stand.use(buffer(memory, 7));
            assertEquals(locked + 1, locks.calls());
            stand.table.clear();
            stand.use(other.allocate(2 * PAGE, PAGE));
            assertEquals(2 * PAGE, stand.table.counts().pinnedBytes());
        }
    }

    @Test
    void pinnedEntriesAreEvictedWhenTheBudgetOfPinnedBytesIsUsedUp() {
        var stand = new TableStand(DEFAULT.withPinnedBytesMax(8 * PAGE));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(80 * PAGE, PAGE);
            for (int i = 0; i < 30; i++) {
                stand.use(buffer(memory, i));
                assertTrue(stand.table.counts().pinnedBytes() <= 8 * PAGE);
            }
            assertTrue(stand.at(buffer(memory, 29).address()).pinned());
            assertEquals(0, stand.messages.size());
        }
    }

    @Test
    void pagesThatTwoArenasShareStayPinnedUntilBothAreGone() {
        var locks = new CountedLocks(1 << 20);
        var stand = new TableStand(DEFAULT, 4096, locks, true);
        Arena one = Arena.ofShared();
        try (Arena two = Arena.ofShared()) {
            MemorySegment page = one.allocate(PAGE, PAGE);
            MemorySegment other = Buffers.extend(two.allocate(1), page.address() + 64, 64);
            stand.use(page.asSlice(0, 64));
            stand.use(other);
            one.close();
            assertEquals(1, stand.table.sweep());
            assertTrue(locks.isLocked(page.address()));
            stand.table.clear();
            assertEquals(0, locks.locked());
        }
    }

    // --- failures

    @Test
    void aRegistrationThatFailsLeavesTheEntriesThatItWouldHaveMerged() {
        var stand = new TableStand(DEFAULT, 2, new CountedLocks(1 << 20), true);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(10 * PAGE, PAGE);
            int first = stand.begin(memory.asSlice(0, 2 * PAGE), true);
            int second = stand.begin(memory.asSlice(4 * PAGE, 2 * PAGE), true);
            assertThrows(IllegalStateException.class, () -> stand.use(memory.asSlice(PAGE, 4 * PAGE)));
            assertEquals(4 * PAGE, stand.table.counts().pinnedBytes());
            assertEquals(first, stand.use(memory.asSlice(0, 2 * PAGE)));
            assertEquals(second, stand.use(memory.asSlice(4 * PAGE, 2 * PAGE)));
            stand.end(first);
            stand.end(second);
            stand.clock.advance(2 * TableStand.SECOND_NS);
            stand.use(memory.asSlice(PAGE, 4 * PAGE)); // gives the two back first
            assertEquals(1, stand.table.counts().entries());
        }
    }

    @Test
    void aFullAdapterIsToldOnceAndRememberedForAWhile() {
        var stand =
                new TableStand(DEFAULT.withFailureMemory(Duration.ofSeconds(1)), 3, new CountedLocks(1 << 20), true);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(40 * PAGE, PAGE);
            int first = stand.begin(buffer(memory, 0), true);
            stand.begin(buffer(memory, 1), true);
            stand.begin(buffer(memory, 2), true);
            assertThrows(IllegalStateException.class, () -> stand.use(buffer(memory, 3)));
            stand.end(first);
            var remembered = assertThrows(IllegalStateException.class, () -> stand.use(buffer(memory, 3)));
            assertTrue(String.valueOf(remembered.getMessage()).contains("a moment ago"), remembered.getMessage());
            assertEquals(2, stand.table.counts().failures());
            stand.clock.advance(2 * TableStand.SECOND_NS);
            stand.use(buffer(memory, 3)); // evicts the entry that is not in use any more
            assertEquals(1, stand.table.counts().evictions());
        }
    }

    @Test
    void buffersThatAreRegisteredAndFreedLeaveNothingBehind() {
        int cycles = 20_000; // RealMemoryTest has more of them
        var stand = new TableStand(DEFAULT);
        int entriesMost = 0;
        for (int i = 0; i < cycles; i++) {
            try (Arena arena = Arena.ofShared()) {
                stand.use(arena.allocate(PAGE + (i % 7) * 1000L));
            }
            entriesMost = Math.max(entriesMost, stand.table.counts().entries());
        }
        assertTrue(entriesMost <= 16, entriesMost + " entries at once");
        stand.table.sweep();
        assertEquals(0, stand.table.counts().entries());
        assertEquals(0, stand.table.counts().pinnedBytes());
        assertEquals(0, stand.table.nodes());
        assertEquals(cycles, stand.table.counts().stale());
    }
}
