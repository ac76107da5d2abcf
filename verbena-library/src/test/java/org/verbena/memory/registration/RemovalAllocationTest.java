package org.verbena.memory.registration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.memory.RegistrationOptions;

/** The ways in which entries end allocate nothing: also a process that has no memory left can give back registrations. */
@Timeout(60)
final class RemovalAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long PAGE = 4096;
    private static final int ENTRIES = 200;
    private static final int ROUNDS = 200;
    private static final int ATTEMPTS = 6;
    /** Bytes that a compilation or a class loaded late may cost in all, far below one byte an entry. */
    private static final long SLACK = 8_000;

    /** Entries with indexes and keys above those that {@code Integer} keeps ready. */
    private final TableStand stand = new TableStand(
            RegistrationOptions.DEFAULT.withIdleLimit(Duration.ofSeconds(1), Duration.ofSeconds(1)),
            1 << 16,
            PageLock.ofSystem(),
            true);

    private static void nothing() {}

    /** Removes entries of an arena; returns their number. */
    private interface Ending {
        int end(Arena arena);
    }

    private long bytesOf(Consumer<Arena> before, Ending ending) {
        long allocated = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Arena arena = Arena.ofShared();
            MemorySegment memory = arena.allocate(2L * ENTRIES * PAGE, PAGE);
            for (int i = 0; i < ENTRIES; i++) {
                stand.use(memory.asSlice(2L * i * PAGE, 100));
            }
            before.accept(arena);
            long then = THREADS.getCurrentThreadAllocatedBytes();
            int ended = ending.end(arena);
            allocated += THREADS.getCurrentThreadAllocatedBytes() - then;
            assertEquals(ENTRIES, ended);
            stand.table.forgetScope(arena.scope());
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
        return allocated;
    }

    private void allocatesNothing(Consumer<Arena> before, Ending ending) {
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && best >= SLACK; attempt++) {
            best = Math.min(best, bytesOf(before, ending));
        }
        long allocated = best;
        assertTrue(allocated < SLACK, () -> allocated + " bytes for " + (long) ROUNDS * ENTRIES + " entries");
    }

    @Test
    void aSweepOfEntriesWhoseScopeHasEnded() {
        allocatesNothing(Arena::close, _ -> stand.table.sweep());
    }

    @Test
    void aSweepOfIdleEntries() {
        allocatesNothing(
                _ -> {
                    assertEquals(0, stand.table.sweep(), "notes the use");
                    stand.clock.advance(2 * TableStand.SECOND_NS);
                },
                _ -> stand.table.sweep());
    }

    @Test
    void anEviction() {
        allocatesNothing(_ -> {}, _ -> stand.table.clear());
    }

    @Test
    void theCloseOfAScope() {
        allocatesNothing(_ -> {}, arena -> {
            int before = stand.table.size();
            assertEquals(0, stand.table.closeScope(arena.scope(), RemovalAllocationTest::nothing));
            return before - stand.table.size();
        });
    }
}
