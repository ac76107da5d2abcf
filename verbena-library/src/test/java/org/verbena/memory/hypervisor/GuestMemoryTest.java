package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Pinned;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/** Two guests with four times their physical memory each, on a machine that has half of that between them. */
final class GuestMemoryTest {
    private static final int PAGE = 4096;
    private static final long MACHINE = 1 << 20;
    private static final long PHYSICAL = MACHINE;
    private static final long GUEST = 4 * PHYSICAL;

    private final VirtualClock clock = new VirtualClock();
    private final Seed seed = new Seed(11);
    private final SimulatedPageStore store = new SimulatedPageStore(clock, ServiceTime.DISK, seed);

    @ParameterizedTest
    @EnumSource(Hypervisor.Policy.class)
    void overcommitAtBothLevelsReadsAsWritten(Hypervisor.Policy policy) {
        GuestOptions options = GuestOptions.ofPhysical(PHYSICAL).withPolicy(policy);
        try (Hypervisor hypervisor = Hypervisor.open(
                        HypervisorOptions.of(MACHINE).withStore(store).withPolicy(policy));
                Domain first = hypervisor.createGuest(options);
                Domain second = hypervisor.createGuest(options);
                Arena arena = Arena.ofConfined()) {
            List<ManagedMemory> memories = List.of(
                    first.allocate(GUEST - 77),
                    second.allocate(GUEST),
                    hypervisor.host().allocate(MACHINE));
            List<MemorySegment> shadows = new ArrayList<>();
            memories.forEach(memory -> shadows.add(arena.allocate(memory.length())));
            MemorySegment piece = arena.allocate(20_000);
            for (int step = 0; step < 30_000; step++) {
                int which = (int) Math.floorMod(seed.nextLong(), 20L) % 3;
                ManagedMemory memory = memories.get(which);
                MemorySegment shadow = shadows.get(which);
                long length = 1L + Math.floorMod(seed.nextLong(), step % 10 == 0 ? 20_000 : 3000);
                long offset = Math.floorMod(seed.nextLong(), memory.length() - length + 1);
                MemorySegment part = piece.asSlice(0, length);
                if (seed.nextLong() % 2 == 0) {
                    part.fill((byte) seed.nextLong());
                    memory.write(offset, part);
                    shadow.asSlice(offset, length).copyFrom(part);
                } else {
                    memory.read(offset, part);
                    assertEquals(-1, part.mismatch(shadow.asSlice(offset, length)), "step " + step + " of " + which);
                }
            }
            for (Domain guest : List.of(first, second)) {
                assertTrue(guest.faults().stageOne() > 1000, guest.faults().toString());
                assertTrue(guest.faults().stageTwo() > 1000, guest.faults().toString());
                assertTrue(guest.counters().value(PagingCounter.EVICTIONS) > 1000);
            }
            assertTrue(hypervisor.host().faults().stageOne() > 100);
            assertEquals(0, hypervisor.host().faults().stageTwo());
            memories.getLast().close();
        }
    }

    @Test
    void noGuestSeesAnotherGuestsBytes() {
        try (Hypervisor hypervisor = Hypervisor.open(
                        HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK));
                Arena arena = Arena.ofConfined()) {
            List<Domain> guests = new ArrayList<>();
            List<ManagedMemory> memories = new ArrayList<>();
            int pages = (int) (GUEST / PAGE);
            for (int i = 0; i < 3; i++) {
                Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
                guests.add(guest);
                memories.add(guest.allocate(GUEST));
            }
            long[][] versions = new long[3][pages];
            MemorySegment page = arena.allocate(PAGE, 8);
            for (int step = 0; step < 20_000; step++) {
                int which = Math.floorMod(seed.nextLong(), 3);
                int number = Math.floorMod(seed.nextLong(), pages);
                if (seed.nextLong() % 2 == 0) {
                    versions[which][number]++;
                    for (int at = 0; at < PAGE; at += 8) {
                        page.set(ValueLayout.JAVA_LONG, at, stamp(guests.get(which), number, versions[which][number]));
                    }
                    memories.get(which).write((long) number * PAGE, page);
                } else {
                    memories.get(which).read((long) number * PAGE, page);
                    long expected = versions[which][number] == 0
                            ? 0
                            : stamp(guests.get(which), number, versions[which][number]);
                    for (int at = 0; at < PAGE; at += 8) {
                        assertEquals(expected, page.get(ValueLayout.JAVA_LONG, at), "step " + step + " at " + at);
                    }
                }
                if (step % 5000 == 4999) { // a guest ends, and another takes its place
                    int gone = Math.floorMod(seed.nextLong(), 3);
                    guests.get(gone).close();
                    guests.set(gone, hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL)));
                    memories.set(gone, guests.get(gone).allocate(GUEST));
                    versions[gone] = new long[pages];
                }
            }
            guests.forEach(Domain::close);
            store.await(() -> store.underWay() == 0);
            assertEquals(0, store.slotsUsed());
        }
    }

    private static long stamp(Domain guest, int page, long version) {
        return ((long) guest.id() << 56) | ((long) page << 32) | version;
    }

    @Test
    void closingAGuestGivesBackAllItHad() {
        try (Hypervisor hypervisor = Hypervisor.open(
                        HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK));
                Arena arena = Arena.ofConfined()) {
            int free = hypervisor.framesFree();
            Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
            ManagedMemory memory = guest.allocate(GUEST);
            memory.write(0, arena.allocate(GUEST));
            assertTrue(hypervisor.framesFree() < free / 2);
            assertTrue(store.slotsUsed() > 0);
            guest.close();
            store.await(() -> store.underWay() == 0);
            assertEquals(free, hypervisor.framesFree());
            assertEquals(0, store.slotsUsed());
            assertThrows(IllegalStateException.class, () -> memory.read(0, arena.allocate(1)));
            assertThrows(IllegalStateException.class, () -> guest.allocate(1));
            assertTrue(hypervisor.domain(guest.id()).isEmpty());
            guest.close();
            memory.close();
        }
    }

    @Test
    void aConsumersPinOutlivesItsGuestAndKeepsTheHypervisorOpen() {
        Hypervisor hypervisor =
                Hypervisor.open(HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK));
        Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
        ManagedMemory memory = guest.allocate(GUEST);
        try (Pinned pinned = memory.pin(0, PAGE, Pinned.Mode.WRITE)) {
            MemorySegment view = pinned.segment();
            view.fill((byte) 7);
            guest.close();
            assertEquals(7, view.get(ValueLayout.JAVA_BYTE, 5));
            assertThrows(IllegalStateException.class, hypervisor::close);
        }
        hypervisor.close();
    }

    @Test
    void theHostIsNoGuest() {
        try (Hypervisor hypervisor =
                Hypervisor.open(HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK))) {
            Domain host = hypervisor.host();
            assertTrue(host.isHost());
            assertThrows(IllegalStateException.class, host::close);
            assertThrows(IllegalStateException.class, host::physical);
            Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
            assertEquals(1, guest.id());
            assertFalse(guest.isHost());
            assertEquals(List.of(host, guest), hypervisor.domains());
            assertThrows(IllegalStateException.class, hypervisor::close);
            guest.close();
            assertEquals(List.of(host), hypervisor.domains());
        }
    }
}
