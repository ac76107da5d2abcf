package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.verbena.time.Seed;

/** Memory to transfer from and to, and what came of it. */
final class Pages implements AutoCloseable {
    static final int PAGE = PageStore.PAGE;

    private final Arena arena = Arena.ofShared();
    final MemorySegment memory;
    final AtomicInteger ended = new AtomicInteger();

    Pages(int pages) {
        memory = arena.allocate((long) pages * PAGE, PAGE);
    }

    /** Every page different, and different for each value. */
    void fill(long value) {
        Seed seed = new Seed(value);
        for (long at = 0; at < memory.byteSize(); at += Long.BYTES) {
            memory.set(java.lang.foreign.ValueLayout.JAVA_LONG, at, seed.nextLong());
        }
    }

    void clear() {
        memory.fill((byte) 0);
    }

    MemorySegment page(int page) {
        return memory.asSlice((long) page * PAGE, PAGE);
    }

    /** Of these pages, in this order. */
    Transfer transfer(Transfer.Kind kind, long firstSlot, int... pages) {
        long[] positions =
                IntStream.of(pages).mapToLong(page -> (long) page * PAGE).toArray();
        return new Transfer(kind, firstSlot, memory, positions, _ -> ended.incrementAndGet());
    }

    Transfer read(long firstSlot, int... pages) {
        return transfer(Transfer.Kind.READ, firstSlot, pages);
    }

    Transfer write(long firstSlot, int... pages) {
        return transfer(Transfer.Kind.WRITE, firstSlot, pages);
    }

    static List<Outcome> outcomes(Transfer transfer) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int page = 0; page < transfer.pages(); page++) {
            outcomes.add(transfer.outcome(page));
        }
        return outcomes;
    }

    static void assertAll(Outcome outcome, Transfer transfer) {
        assertEquals(
                LongStream.range(0, transfer.pages()).mapToObj(_ -> outcome).toList(),
                outcomes(transfer),
                transfer.toString());
    }

    @Override
    public void close() {
        arena.close();
    }
}
