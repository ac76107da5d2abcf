package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.PageSize;
import org.verbena.memory.Pinned;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.time.Seed;

final class MachineMemoryTest {
    private static final int EXTENT = 65536;

    private final MachineMemory machine = new MachineMemory(64 * EXTENT);

    @AfterEach
    void noFrameIsLost() {
        assertEquals(0, machine.framesUsed());
        machine.close();
        machine.close();
    }

    @Test
    void framesAreAccountedFor() {
        assertEquals(1024, machine.frames());
        ManagedMemory one = machine.allocate(1);
        ManagedMemory many = machine.allocate(EXTENT + 4097);
        assertEquals(1 + 18, machine.framesUsed());
        one.close();
        one.close();
        assertEquals(18, machine.framesUsed());
        many.close();
    }

    @Test
    void tooMuchIsRefusedWithTheFiguresAndNothingIsLost() {
        ManagedMemory half = machine.allocate(32 * EXTENT);
        IllegalStateException refusal =
                assertThrows(IllegalStateException.class, () -> machine.allocate(32 * EXTENT + 1));
        assertTrue(refusal.toString().contains("2097153 bytes wanted, 2097152 of 4194304 free"), refusal.toString());
        assertEquals(512, machine.framesUsed());
        machine.allocate(32 * EXTENT).close();
        half.close();
        assertThrows(IllegalStateException.class, () -> machine.allocate(Long.MAX_VALUE), "no frame is taken for it");
        assertThrows(IllegalStateException.class, () -> machine.allocateContiguous(Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> machine.allocate(0));
        assertThrows(IllegalArgumentException.class, () -> new MachineMemory(EXTENT - 1));
        assertThrows(IllegalArgumentException.class, () -> new MachineMemory(Long.MAX_VALUE));
    }

    @Test
    void memoryComesInExtentsWherePossible() {
        try (ManagedMemory memory = machine.allocate(5 * EXTENT + 100)) {
            assertEquals(PageSize.KIB_64, FrameMemory.of(memory).table().pageSize());
            assertEquals(6, FrameMemory.of(memory).table().pages());
        }
    }

    @Test
    void fragmentsServeToTheLastFrame() {
        List<ManagedMemory> singles = new ArrayList<>();
        for (int i = 0; i < 1024; i++) {
            singles.add(machine.allocate(4096));
        }
        for (int i = 0; i < 1024; i += 2) {
            singles.get(i).close();
        }
        assertThrows(IllegalStateException.class, () -> machine.allocateContiguous(2 * 4096));
        ManagedMemory fragments = machine.allocate(512 * 4096);
        assertEquals(PageSize.KIB_4, FrameMemory.of(fragments).table().pageSize());
        assertEquals(0, machine.framesFree());
        fragments.close();
        singles.forEach(ManagedMemory::close);
    }

    @Test
    void contiguousMemoryIsInOnePieceAndWastesNoFrame() {
        try (ManagedMemory memory = machine.allocateContiguous(10 * EXTENT + 1)) {
            assertEquals(memory.length(), memory.contiguousFrom(0));
            assertEquals(161, machine.framesUsed());
        }
    }

    @Test
    void frameAccountingHoldsForAnyHistory() {
        for (int value = 0; value < 10; value++) {
            anyHistory(new Seed(value));
        }
    }

    private void anyHistory(Seed seed) {
        List<ManagedMemory> memories = new ArrayList<>();
        long used = 0;
        for (int step = 0; step < 300; step++) {
            long bytes = 1L + seed.nextInt(6 * EXTENT);
            long frames = (bytes + 4095) / 4096;
            if (seed.nextInt(3) > 0 && frames <= machine.framesFree()) {
                memories.add(machine.allocate(bytes));
                used += frames;
            } else if (!memories.isEmpty()) {
                ManagedMemory memory = memories.remove(seed.nextInt(memories.size()));
                used -= (memory.length() + 4095) / 4096;
                memory.close();
            }
            assertEquals(used, machine.framesUsed());
        }
        memories.forEach(ManagedMemory::close);
    }

    @Test
    void newMemoryIsZeroWhateverItsFramesHeldBefore() {
        MemorySegment bytes = Arena.ofAuto().allocate(3 * EXTENT);
        bytes.fill((byte) 9);
        try (ManagedMemory before = machine.allocate(3 * EXTENT)) {
            before.write(0, bytes);
        }
        try (ManagedMemory after = machine.allocate(3 * EXTENT)) {
            after.read(0, bytes);
        }
        assertEquals(-1, bytes.mismatch(Arena.ofAuto().allocate(3 * EXTENT)));
    }

    @Test
    void useAfterCloseAndOutOfBoundsAreExceptions() {
        MemorySegment bytes = Arena.ofAuto().allocate(10);
        ManagedMemory memory = machine.allocate(100);
        for (long offset : new long[] {-1, 91, 100, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> memory.read(offset, bytes));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.write(offset, bytes));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.pin(offset, 10, Pinned.Mode.READ));
        }
        assertThrows(IllegalStateException.class, machine::close);
        memory.close();
        ProtectionTable table = Tables.table();
        ProtectionDomain domain = table.createDomain();
        assertThrows(IllegalStateException.class, () -> memory.read(0, bytes));
        assertThrows(IllegalStateException.class, () -> memory.pin(0, 10, Pinned.Mode.READ));
        assertThrows(IllegalStateException.class, () -> table.register(domain, memory, 0, Tables.ALL));
        domain.close();
    }

    @Test
    void aClosedMachineAllocatesNothing() {
        MachineMemory closed = new MachineMemory(EXTENT);
        closed.close();
        assertThrows(IllegalStateException.class, () -> closed.allocate(1));
    }
}
