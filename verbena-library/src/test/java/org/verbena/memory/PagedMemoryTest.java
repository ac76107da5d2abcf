package org.verbena.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/** A consumer's reads and writes of more memory than there is, against a copy of its own. */
final class PagedMemoryTest {
    private static final long MACHINE = 1 << 20;

    @ParameterizedTest
    @EnumSource(Hypervisor.Policy.class)
    void eightTimesMachineMemoryReadsAsWritten(Hypervisor.Policy policy) {
        VirtualClock clock = new VirtualClock();
        Seed seed = new Seed(7);
        SimulatedPageStore store = new SimulatedPageStore(clock, ServiceTime.DISK, seed);
        try (Hypervisor hypervisor = Hypervisor.open(MACHINE, store, policy);
                ManagedMemory memory = hypervisor.host().allocate(8 * MACHINE - 123);
                Arena arena = Arena.ofConfined()) {
            MemorySegment shadow = arena.allocate(memory.length());
            MemorySegment piece = arena.allocate(20_000);
            for (int step = 0; step < 20_000; step++) {
                long length = 1L + Math.floorMod(seed.nextLong(), step % 10 == 0 ? 20_000 : 3000);
                long offset = Math.floorMod(seed.nextLong(), memory.length() - length + 1);
                MemorySegment part = piece.asSlice(0, length);
                if (seed.nextLong() % 2 == 0) {
                    part.fill((byte) seed.nextLong());
                    memory.write(offset, part);
                    shadow.asSlice(offset, length).copyFrom(part);
                } else {
                    memory.read(offset, part);
                    assertEquals(-1, part.mismatch(shadow.asSlice(offset, length)), "step " + step);
                }
            }
            assertTrue(hypervisor.counters().value(PagingCounter.EVICTIONS) > 1000);
            assertTrue(hypervisor.counters().value(PagingCounter.PAGES_IN) > 1000);
        }
    }
}
