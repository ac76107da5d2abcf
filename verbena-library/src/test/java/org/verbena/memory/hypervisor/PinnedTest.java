package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Pinned;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/** A consumer's own view of its memory, used as it should be and as it should not. */
final class PinnedTest {
    private static final int PAGE = MachineMemory.FRAME;
    private static final long MACHINE = 1 << 20;

    private final SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(11));
    private final Hypervisor hypervisor =
            Hypervisor.open(HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK));

    @AfterEach
    void close() {
        hypervisor.close();
    }

    /** Paged memory whose pages were written in turns, so that no two neighbours are in neighbouring frames. */
    private ManagedMemory scattered(int pages) {
        ManagedMemory memory = hypervisor.host().allocate((long) pages * PAGE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(PAGE);
            for (int i = 0; i < pages; i++) {
                int number = i % 2 == 0 ? i / 2 : pages - 1 - i / 2;
                page.fill((byte) (number + 1));
                memory.write((long) number * PAGE, page);
            }
        }
        return memory;
    }

    private static byte at(ManagedMemory memory, long offset) {
        try (Pinned pinned = memory.pin(offset, 1, Pinned.Mode.READ)) {
            return pinned.segment().get(ValueLayout.JAVA_BYTE, 0);
        }
    }

    @Test
    void onePieceIsTheMemoryItself() {
        try (ManagedMemory memory = hypervisor.host().allocate(10 * PAGE)) {
            try (Pinned pinned = memory.pin(PAGE + 8, 100, Pinned.Mode.WRITE)) {
                assertTrue(pinned.isInPlace());
                pinned.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 4711);
                MemorySegment copy = Arena.ofAuto().allocate(8);
                memory.read(PAGE + 8, copy);
                assertEquals(4711, copy.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
            }
        }
    }

    @Test
    void pagesTouchedInOrderLieInOrder() {
        try (ManagedMemory memory = hypervisor.host().allocate(16 * PAGE);
                Pinned pinned = memory.pin(0, 16 * PAGE, Pinned.Mode.OVERWRITE)) {
            assertTrue(pinned.pieces().size() <= 2, pinned.toString());
        }
    }

    @Test
    void severalPiecesAreInPlaceAndInOrder() {
        try (ManagedMemory memory = scattered(8)) {
            try (Pinned pinned = memory.pin(10, 8 * PAGE - 20, Pinned.Mode.WRITE)) {
                assertFalse(pinned.isInPlace());
                long bytes = 0;
                for (MemorySegment piece : pinned.pieces()) {
                    assertEquals((10 + bytes) / PAGE + 1, piece.get(ValueLayout.JAVA_BYTE, 0));
                    bytes += piece.byteSize();
                }
                assertEquals(8 * PAGE - 20, bytes);
                pinned.pieces().getLast().set(ValueLayout.JAVA_BYTE, 0, (byte) 77);
            }
            assertEquals(77, at(memory, 7 * PAGE));
        }
    }

    @Test
    void aCopyIsWrittenBackWhenItIsClosed() {
        try (ManagedMemory memory = scattered(8)) {
            try (Pinned pinned = memory.pin(PAGE - 2, PAGE + 4, Pinned.Mode.WRITE)) {
                MemorySegment segment = pinned.segment();
                assertEquals(1, segment.get(ValueLayout.JAVA_BYTE, 1));
                assertEquals(2, segment.get(ValueLayout.JAVA_BYTE, 2));
                assertEquals(3, segment.get(ValueLayout.JAVA_BYTE, PAGE + 2));
                segment.set(ValueLayout.JAVA_BYTE, 2, (byte) 99);
                assertEquals(2, at(memory, PAGE));
                assertThrows(IllegalStateException.class, pinned::pieces);
            }
            assertEquals(99, at(memory, PAGE));
            assertEquals(1, at(memory, PAGE - 1));
            assertEquals(3, at(memory, 2 * PAGE));
        }
    }

    @Test
    void forReadingNothingCanBeWritten() {
        try (ManagedMemory memory = scattered(4);
                Pinned one = memory.pin(0, 8, Pinned.Mode.READ);
                Pinned all = memory.pin(0, 4 * PAGE, Pinned.Mode.READ)) {
            assertThrows(IllegalArgumentException.class, () -> one.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
            assertThrows(IllegalArgumentException.class, () -> all.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
        }
    }

    @Test
    void aPinnedPageStaysAndTheRestGoes() {
        try (ManagedMemory memory = scattered(8)) {
            try (Pinned pinned = memory.pin(0, 1, Pinned.Mode.READ)) {
                MemorySegment segment = pinned.segment();
                memory.advise(0, memory.length(), Advice.PAGE_OUT);
                store.await(() -> store.underWay() == 0);
                assertEquals(7, hypervisor.counters().value(PagingCounter.EVICTIONS));
                assertEquals(1, segment.get(ValueLayout.JAVA_BYTE, 0));
            }
            assertEquals(8, at(memory, 7 * PAGE));
        }
    }

    @Test
    void whatIsOverwrittenIsNotBroughtIn() {
        try (ManagedMemory memory = scattered(4)) {
            memory.advise(0, memory.length(), Advice.PAGE_OUT);
            store.await(() -> store.underWay() == 0);
            long before = hypervisor.counters().value(PagingCounter.PAGES_IN);
            try (Pinned pinned = memory.pin(10, 3 * PAGE, Pinned.Mode.OVERWRITE)) {
                pinned.segment().fill((byte) 5);
            }
            assertEquals(2, hypervisor.counters().value(PagingCounter.PAGES_IN) - before, "the two at the ends");
            assertEquals(1, at(memory, 9));
            assertEquals(5, at(memory, PAGE));
            assertEquals(4, at(memory, 3 * PAGE + 10));
        }
    }

    @Test
    void useAfterCloseIsAnException() {
        try (ManagedMemory memory = scattered(4)) {
            Pinned pinned = memory.pin(0, 3 * PAGE, Pinned.Mode.WRITE);
            MemorySegment piece = pinned.pieces().getFirst();
            MemorySegment slice = piece.asSlice(8, 8);
            MemorySegment copy = pinned.segment();
            pinned.close();
            pinned.close();
            assertThrows(IllegalStateException.class, () -> piece.get(ValueLayout.JAVA_BYTE, 0));
            assertThrows(IllegalStateException.class, () -> slice.fill((byte) 1));
            assertThrows(IllegalStateException.class, () -> copy.get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(0, memory.uses());
            assertEquals(0, hypervisor.figures().pins());
        }
    }

    @Test
    void anotherThreadCanNeitherUseNorClose() throws InterruptedException {
        try (ManagedMemory memory = scattered(4);
                Pinned pinned = memory.pin(0, PAGE, Pinned.Mode.WRITE)) {
            MemorySegment segment = pinned.segment();
            AtomicReference<Throwable> use = new AtomicReference<>();
            AtomicReference<Throwable> close = new AtomicReference<>();
            Thread other = Thread.ofPlatform().start(() -> {
                use.set(assertThrows(RuntimeException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0)));
                close.set(assertThrows(RuntimeException.class, pinned::close));
            });
            other.join();
            assertInstanceOf(WrongThreadException.class, use.get());
            assertInstanceOf(WrongThreadException.class, close.get());
            assertEquals(1, segment.get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void pinnedMemoryIsNotClosed() {
        ManagedMemory memory = scattered(2);
        try (Pinned _ = memory.pin(0, 10, Pinned.Mode.READ)) {
            assertThrows(IllegalStateException.class, memory::close);
            assertThrows(IllegalStateException.class, hypervisor::close);
            assertEquals(1, memory.uses());
        }
        memory.close();
        assertThrows(IllegalStateException.class, () -> memory.pin(0, 10, Pinned.Mode.READ));
    }

    @Test
    void machineMemoryIsNotClosedUnderItsHypervisor() {
        assertThrows(IllegalStateException.class, hypervisor.machine()::close);
        try (ManagedMemory wired = hypervisor.machine().allocate(PAGE)) {
            assertThrows(IllegalStateException.class, hypervisor::close);
            assertEquals(PAGE, wired.length());
        }
    }

    @Test
    void anInterruptIsKeptAndEndsNoWait() {
        try (ManagedMemory memory = scattered(4)) {
            memory.advise(0, memory.length(), Advice.PAGE_OUT);
            store.await(() -> store.underWay() == 0);
            Thread.currentThread().interrupt();
            assertEquals(3, at(memory, 2 * PAGE));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void tooMuchPinnedIsRefusedWithNumbersAndHoldsNothing() {
        try (ManagedMemory memory = hypervisor.host().allocate(MACHINE)) {
            var refused =
                    assertThrows(IllegalStateException.class, () -> memory.pin(0, MACHINE / 2 + 1, Pinned.Mode.READ));
            assertTrue(refused.toString().contains("129"), refused.toString());
            assertThrows(IllegalArgumentException.class, () -> memory.pin(0, 0, Pinned.Mode.READ));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.pin(-1, 1, Pinned.Mode.READ));
            assertEquals(0, memory.uses());
            assertEquals(0, hypervisor.figures().pins());
        }
    }

    @Test
    void theLimitGrowsWithMachineMemory() {
        SimulatedPageStore other = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(11));
        try (Hypervisor growing = Hypervisor.open(
                        HypervisorOptions.of(MACHINE).withMemoryMax(4 * MACHINE).withStore(other));
                ManagedMemory memory = growing.host().allocate(1L << 38)) {
            assertThrows(IllegalStateException.class, () -> memory.pin(0, MACHINE, Pinned.Mode.READ));
            growing.resize(4 * MACHINE);
            try (Pinned pinned = memory.pin(0, MACHINE, Pinned.Mode.READ)) {
                assertEquals(MACHINE, pinned.length());
                long most = (1L << 38) - MACHINE;
                String message = String.valueOf(
                        assertThrows(IllegalStateException.class, () -> memory.pin(MACHINE, most, Pinned.Mode.READ))
                                .getMessage());
                assertTrue(message.contains("67108608 more"), message);
                assertThrows(IllegalStateException.class, () -> memory.pin(0, 1L << 38, Pinned.Mode.READ));
            }
        }
    }

    @Test
    void wiredMemoryIsPinnedTheSameWay() {
        try (ManagedMemory wired = hypervisor.machine().allocateContiguous(4 * PAGE);
                Pinned pinned = wired.pin(PAGE - 4, 8, Pinned.Mode.WRITE)) {
            assertTrue(pinned.isInPlace());
            pinned.segment().fill((byte) 3);
            assertEquals(3, at(wired, PAGE));
        }
    }
}
