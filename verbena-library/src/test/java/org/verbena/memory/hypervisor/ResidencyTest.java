package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.PageState;
import org.verbena.memory.Pinned;
import org.verbena.memory.Residency;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

final class ResidencyTest {
    private static final long MIB = 1 << 20;
    private static final int PAGE = MachineMemory.FRAME;

    @Test
    void pagesAreSeenWhereTheyAre() {
        SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(1));
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(MIB).withStore(store));
                ManagedMemory memory = hypervisor.host().allocate(4 * MIB - 1);
                Arena arena = Arena.ofConfined()) {
            assertEquals(1024, memory.residency().pages());
            assertEquals(1024, memory.residency().count(PageState.ZERO));
            memory.write(0, arena.allocate(PAGE));
            assertEquals(PageState.DIRTY, memory.residency().state(0));
            try (Pinned _ = memory.pin(0, PAGE, Pinned.Mode.READ)) {
                assertEquals(PageState.PINNED, memory.residency().state(0));
            }
            memory.write(0, arena.allocate(2 * MIB));
            Residency now = memory.residency();
            assertEquals(512, now.count(PageState.ZERO));
            assertTrue(now.count(PageState.ABSENT) >= 256, now::toString);
            assertTrue(now.resident() > 0 && now.resident() <= 256, now::toString);
            assertEquals(PageState.ABSENT, now.state(0), now::toString);
            assertThrows(IndexOutOfBoundsException.class, () -> now.state(1024));
        }
    }

    @Test
    void wiredPagesStay() {
        try (MachineMemory machine = new MachineMemory(MIB);
                ManagedMemory memory = machine.allocate(2 * PAGE)) {
            assertEquals(2, memory.residency().count(PageState.PINNED));
        }
    }
}
