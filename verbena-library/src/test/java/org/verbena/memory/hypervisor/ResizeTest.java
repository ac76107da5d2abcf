package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Pinned;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** Machine memory that becomes less and more while it is in use. */
final class ResizeTest {
    private static final int PAGE = MachineMemory.FRAME;
    private static final long MIB = 1 << 20;

    private final SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(5));
    private final Hypervisor hypervisor =
            Hypervisor.open(HypervisorOptions.of(2 * MIB).withMemoryMax(4 * MIB).withStore(store));

    @AfterEach
    void close() {
        store.inject(StoreFaults.NONE);
        hypervisor.close();
    }

    private static void stamp(ManagedMemory memory) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(8);
            for (long page = 0; page < memory.length() / PAGE; page++) {
                number.set(ValueLayout.JAVA_LONG, 0, page + 1);
                memory.write(page * PAGE + 8, number);
            }
        }
    }

    private static void check(ManagedMemory memory) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(8);
            for (long page = 0; page < memory.length() / PAGE; page++) {
                memory.read(page * PAGE + 8, number);
                assertEquals(page + 1, number.get(ValueLayout.JAVA_LONG, 0));
            }
        }
    }

    @Test
    void lessThenMoreThenAsBeforeAndNoByteIsLost() {
        try (ManagedMemory memory = hypervisor.host().allocate(4 * MIB)) {
            stamp(memory);
            for (long bytes : new long[] {MIB, 4 * MIB, MIB + 65536, 2 * MIB}) {
                hypervisor.resize(bytes);
                MemoryFigures figures = hypervisor.figures();
                assertEquals(bytes / PAGE, figures.frames());
                assertEquals((4 * MIB - bytes) / PAGE, figures.framesOut());
                check(memory);
                assertTrue(hypervisor.machine().framesUsed() <= bytes / PAGE);
            }
            stamp(memory);
            check(memory);
        }
        store.await(() -> store.underWay() == 0);
        assertEquals(2 * MIB / PAGE, hypervisor.framesFree());
    }

    @Test
    void whatCannotBeIsRefusedWithNumbers() {
        assertThrows(IllegalArgumentException.class, () -> hypervisor.resize(MIB - 1));
        assertThrows(IllegalArgumentException.class, () -> hypervisor.resize(4 * MIB + 65536));
        try (ManagedMemory wired = hypervisor.machine().allocate(MIB + MIB / 2)) {
            var refused = assertThrows(IllegalStateException.class, () -> hypervisor.resize(MIB + MIB / 2));
            assertTrue(refused.toString().contains("384 are wired"), refused.toString());
            assertEquals(512, hypervisor.figures().frames());
            assertEquals(384, hypervisor.figures().framesWired());
            assertEquals(MIB + MIB / 2, wired.length());
        }
        try (ManagedMemory memory = hypervisor.host().allocate(MIB);
                Pinned _ = memory.pin(0, 128 * PAGE, Pinned.Mode.WRITE)) {
            var refused = assertThrows(IllegalStateException.class, () -> hypervisor.resize(MIB));
            assertTrue(refused.toString().contains("128 pages pinned"), refused.toString());
        }
        hypervisor.resize(MIB);
    }

    @Test
    void aFullStoreMakesItFailAndNothingChanges() {
        try (ManagedMemory memory = hypervisor.host().allocate(2 * MIB - 64 * PAGE)) {
            stamp(memory);
            store.inject(StoreFaults.NONE.room(store.slotsUsed()));
            var refused = assertThrows(IllegalStateException.class, () -> hypervisor.resize(MIB));
            assertTrue(refused.toString().contains("page store"), refused.toString());
            assertEquals(512, hypervisor.figures().frames());
            store.inject(StoreFaults.NONE);
            hypervisor.resize(MIB);
            check(memory);
        }
    }

    @Test
    void wiredMemoryTakesFramesFromPages() {
        try (ManagedMemory memory = hypervisor.host().allocate(4 * MIB)) {
            stamp(memory);
            try (ManagedMemory wired = hypervisor.machine().allocate(MIB)) {
                stamp(wired);
                check(memory);
                check(wired);
                var refused = assertThrows(
                        IllegalStateException.class, () -> hypervisor.machine().allocate(MIB - 31 * PAGE));
                assertTrue(refused.toString().contains("256 are wired"), refused.toString());
            }
            assertEquals(0, hypervisor.figures().framesWired());
            check(memory);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsKeptAboutPagesIsLittle(Hypervisor.Policy policy) {
        try (Hypervisor small = Hypervisor.open(HypervisorOptions.of(64 * MIB)
                        .withStore(new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1)))
                        .withPolicy(policy));
                ManagedMemory memory = small.host().allocate(64 * MIB)) {
            for (long offset = 0; offset < memory.length(); offset += 512L * PAGE) {
                memory.write(offset, MemorySegment.ofArray(new byte[1]));
            }
            long pages = memory.length() / PAGE;
            double each = (double) (memory.metadataBytes() + small.figures().metadataBytes()) / pages;
            assertTrue(each <= 24, each + " bytes for a page, with " + policy);
        }
    }
}
