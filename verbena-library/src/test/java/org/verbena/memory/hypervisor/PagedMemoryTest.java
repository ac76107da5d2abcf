package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.PageState;
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
        try (Hypervisor hypervisor = Hypervisor.open(
                        HypervisorOptions.of(MACHINE).withStore(store).withPolicy(policy));
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

    @Test
    void adviceSendsPagesOutAndBringsThemIn() {
        SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1));
        try (Hypervisor hypervisor = Hypervisor.open(
                        HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK));
                ManagedMemory memory = hypervisor.host().allocate(MACHINE / 4);
                Arena arena = Arena.ofConfined()) {
            memory.write(0, arena.allocate(memory.length()).fill((byte) 1));
            memory.advise(4096, 8192, Advice.PAGE_OUT);
            store.work(Long.MAX_VALUE - 1);
            assertEquals(0, memory.contiguousFrom(4096));
            assertEquals(0, memory.contiguousFrom(8192));
            assertTrue(memory.contiguousFrom(12288) > 0);
            memory.advise(4096, 4097, Advice.WILL_NEED);
            store.work(Long.MAX_VALUE - 1);
            assertTrue(memory.contiguousFrom(4096) > 0);
            assertTrue(memory.contiguousFrom(8192) > 0);
            assertEquals(2, hypervisor.counters().value(PagingCounter.PAGES_PREFETCHED));
        }
    }

    /** Far more than a turn of the pager looks at, or than a message has brought in ahead; the first pages are there already. */
    @Test
    void adviceIsHeededToTheEnd() {
        SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1));
        try (Hypervisor hypervisor = Hypervisor.open(
                        HypervisorOptions.of(16 * MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK));
                ManagedMemory memory = hypervisor.host().allocate(8 * MACHINE);
                Arena arena = Arena.ofConfined()) {
            memory.write(0, arena.allocate(memory.length()).fill((byte) 1));
            long half = memory.length() / 2 + 1024 * 1024;
            memory.advise(half, memory.length() - half, Advice.PAGE_OUT);
            store.work(Long.MAX_VALUE - 1);
            assertEquals(0, memory.contiguousFrom(half));
            memory.advise(0, memory.length(), Advice.WILL_NEED);
            store.work(Long.MAX_VALUE - 1);
            assertEquals(0, memory.residency().count(PageState.ABSENT));
            memory.advise(0, memory.length(), Advice.PAGE_OUT);
            store.work(Long.MAX_VALUE - 1);
            assertEquals(2048, memory.residency().count(PageState.ABSENT));
            memory.advise(0, memory.length(), Advice.WILL_NEED);
            store.work(Long.MAX_VALUE - 1);
            assertEquals(0, memory.residency().count(PageState.ABSENT));
        }
    }

    /** More than a store or a table has numbers for: refused, and nothing of it keeps the hypervisor from being closed. */
    @Test
    void whatCannotBeAllocatedHoldsNothing() {
        SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1));
        Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(MACHINE).withStore(store));
        assertThrows(IllegalStateException.class, () -> hypervisor.host().allocate(1L << 60));
        assertThrows(IllegalArgumentException.class, () -> hypervisor.host().allocate(1L << 40));
        Domain guest = hypervisor.createGuest(
                GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(_ -> {}));
        assertThrows(IllegalArgumentException.class, () -> guest.allocate(1L << 60));
        assertThrows(IllegalArgumentException.class, () -> guest.allocate(Long.MAX_VALUE));
        guest.close();
        hypervisor.close();
        assertThrows(IllegalStateException.class, () -> hypervisor.host().allocate(1), "closed");
    }

    /** A scan of more than there is must not drive out everything; with first in, first out nothing would be there. */
    @Test
    void aScanLeavesSomethingInPlace() {
        SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1));
        try (Hypervisor hypervisor =
                        Hypervisor.open(HypervisorOptions.of(MACHINE).withStore(store));
                ManagedMemory memory = hypervisor.host().allocate(MACHINE + MACHINE / 4);
                Arena arena = Arena.ofConfined()) {
            memory.write(0, arena.allocate(memory.length()).fill((byte) 1));
            MemorySegment word = arena.allocate(8);
            long before = hypervisor.counters().value(PagingCounter.PAGES_IN);
            long accesses = 0;
            for (int round = 0; round < 20; round++) {
                for (long offset = 0; offset < memory.length(); offset += 4096, accesses++) {
                    memory.read(offset, word);
                }
            }
            long misses = hypervisor.counters().value(PagingCounter.PAGES_IN) - before;
            assertTrue(misses < accesses * 2 / 3, misses + " of " + accesses + " were not there");
        }
    }
}
