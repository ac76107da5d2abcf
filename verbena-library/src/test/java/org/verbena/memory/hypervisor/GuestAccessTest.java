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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.PageState;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.Binding;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.StoreFaults;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.memory.translation.FrameMemory;

/** Accesses under keys to memory of guests, through both stages. */
final class GuestAccessTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final long PHYSICAL = GuestStand.MACHINE;
    private static final long GUEST = 4 * PHYSICAL;

    @Test
    void overcommitAtBothLevelsReadsAsWritten() {
        try (GuestStand stand = new GuestStand(3);
                Domain first = stand.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
                Domain second = stand.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL))) {
            List<ManagedMemory> memories = List.of(first.allocate(GUEST), second.allocate(GUEST));
            List<Region> regions = memories.stream().map(stand::register).toList();
            List<MemorySegment> shadows = new ArrayList<>();
            memories.forEach(memory -> shadows.add(stand.arena.allocate(memory.length(), 8)));
            AtomicResult before = new AtomicResult();
            for (int step = 0; step < 20_000; step++) {
                int which = Math.floorMod(stand.seed.nextLong(), 2);
                Region region = regions.get(which);
                MemorySegment shadow = shadows.get(which);
                int length = 1 + Math.floorMod(stand.seed.nextLong(), 3 * PAGE);
                long address = Math.floorMod(stand.seed.nextLong(), GUEST - length);
                switch (Math.floorMod(stand.seed.nextLong(), 3)) {
                    case 0 -> {
                        stand.wire.fill((byte) stand.seed.nextLong());
                        assertEquals(Verdict.GRANTED, stand.place(region, address, length));
                        MemorySegment.copy(stand.wire, 0, shadow, address, length);
                    }
                    case 1 -> {
                        assertEquals(Verdict.GRANTED, stand.gather(region, address, length));
                        MemorySegment read = stand.wire.asSlice(0, length);
                        assertEquals(-1, read.mismatch(shadow.asSlice(address, length)), "step " + step);
                    }
                    default -> {
                        long aligned = address & -8;
                        assertEquals(Verdict.GRANTED, stand.fetchAdd(region, aligned, step, before));
                        long expected = shadow.get(ValueLayout.JAVA_LONG, aligned);
                        assertEquals(expected, before.original(), "step " + step);
                        shadow.set(ValueLayout.JAVA_LONG, aligned, expected + step);
                    }
                }
            }
            assertTrue(first.faults().stageOne() > 1000, first.faults().toString());
            assertTrue(first.faults().stageTwo() > 1000, first.faults().toString());
            stand.settle();
            memories.forEach(GuestStand::assertNoPins);
            regions.forEach(Region::close);
            memories.forEach(ManagedMemory::close);
        }
    }

    @Test
    void theEntryNamesTheDomainOfItsMemory() {
        try (GuestStand stand = new GuestStand(4);
                Domain guest = stand.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
                ManagedMemory own = stand.hypervisor.host().allocate(PAGE);
                Region ofHost = stand.register(own);
                Region foreign =
                        stand.table.register(stand.domain, Arena.ofAuto().allocate(PAGE), Tables.ALL)) {
            ManagedMemory memory = guest.allocate(PAGE);
            Region region = stand.register(memory);
            assertEquals(guest.id(), region.memoryDomain());
            assertEquals(FrameMemory.HOST, ofHost.memoryDomain());
            assertEquals(FrameMemory.HOST, foreign.memoryDomain());
            assertEquals(guest, stand.hypervisor.domain(region.memoryDomain()).orElseThrow());
            assertTrue(String.valueOf(stand.table.entry(region.key())).contains("guest domain " + guest.id()));
            region.close();
        }
    }

    /** Beyond the window a page is none of the peer's business, whatever length its message claims to have. */
    @Test
    void aMessageLongerThanItsWindowOverwritesNothingBeyond() {
        try (GuestStand stand = new GuestStand(4);
                ManagedMemory memory = stand.hypervisor.host().allocate(4 * PAGE);
                Region region = stand.register(memory)) {
            memory.write(0, stand.wire.fill((byte) 9));
            memory.advise(0, 4 * PAGE, Advice.PAGE_OUT);
            stand.settle();
            Window window = stand.table.createWindow(stand.domain, Window.Type.TYPE_1);
            Binding binding = new Binding(
                    MemoryKey.of(MemoryKey.index(window.key()), 77),
                    region.key(),
                    PAGE,
                    PAGE / 2,
                    Set.of(Right.REMOTE_WRITE));
            assertEquals(
                    Verdict.GRANTED,
                    stand.table.bind(Accessor.local(stand.domain, 7, Right.BIND_WINDOW), window.key(), binding));
            Accessor peer = stand.who(Right.REMOTE_WRITE);
            assertEquals(
                    Verdict.NOT_RESIDENT, stand.table.place(peer, window.key(), PAGE, stand.wire, 0, 100, 3 * PAGE));
            memory.read(PAGE + PAGE / 2, stand.wire.asSlice(0, 8).fill((byte) 1));
            assertEquals(9, stand.wire.get(ValueLayout.JAVA_BYTE, 0));
            window.close();
        }
    }

    /** The first page of the write fails, the second would be overwritten whole: nothing was written, so nothing is lost. */
    @Test
    void aFaultThatIsGivenUpDestroysNothing() {
        try (GuestStand stand = new GuestStand(4);
                Domain guest = stand.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL))) {
            keepsWhatItHeld(stand, stand.hypervisor.host());
            keepsWhatItHeld(stand, guest);
        }
    }

    private static void keepsWhatItHeld(GuestStand stand, Domain domain) {
        try (ManagedMemory memory = domain.allocate(4 * PAGE);
                Region region = stand.register(memory)) {
            memory.write(0, stand.wire.fill((byte) 9));
            Accessor peer = stand.who(Right.REMOTE_WRITE);
            for (boolean fails : new boolean[] {true, false}) {
                memory.advise(0, 4 * PAGE, Advice.PAGE_OUT);
                stand.settle();
                assertEquals(PageState.ABSENT, memory.residency().state(1));
                stand.store.inject(fails ? StoreFaults.NONE.readErrorRate(1) : StoreFaults.NONE);
                Fault fault = new Fault(stand.table, _ -> {});
                assertEquals(
                        Verdict.GRANTED, fault.add(peer, region.key(), 10, 2 * PAGE, 3 * PAGE, Fault.Intent.OVERWRITE));
                assertFalse(fault.start());
                if (fails) {
                    stand.await(fault);
                    assertEquals(Verdict.PAGE_LOST, fault.outcome());
                }
                fault.release(); // the other time while it waits
                stand.store.inject(StoreFaults.NONE);
                stand.settle();
                memory.read(0, stand.wire.fill((byte) 1));
                for (int page = 0; page < 4; page++) {
                    assertEquals(9, stand.wire.get(ValueLayout.JAVA_BYTE, (long) page * PAGE + 11), "page " + page);
                }
            }
            stand.settle();
            GuestStand.assertNoPins(memory);
        }
    }

    @Test
    void moreThanCouldBeThereTogetherHasWordsOfItsOwn() {
        try (GuestStand stand = new GuestStand(4);
                ManagedMemory memory = stand.hypervisor.host().allocate(GUEST);
                Region region = stand.register(memory)) {
            Fault fault = stand.fault(Right.REMOTE_READ, region, 0, GUEST);
            assertTrue(fault.start());
            assertEquals(Verdict.TOO_MANY_PAGES, fault.outcome());
            fault.release();
            GuestStand.assertNoPins(memory);
        }
    }

    @Test
    void closingAGuestInvalidatesItsRegionsFirst() {
        try (GuestStand stand = new GuestStand(5)) {
            int free = stand.hypervisor.framesFree();
            Domain guest = stand.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
            ManagedMemory memory = guest.allocate(GUEST);
            Region region = stand.register(memory);
            Region reserved = stand.table.reserve(stand.domain, memory, 0, Tables.ALL);
            for (long page = 0; page < GUEST / PAGE; page++) {
                assertEquals(Verdict.GRANTED, stand.place(region, page * PAGE + 1, 100));
            }
            Fault underWay = stand.fault(Right.REMOTE_READ, region, 0, 100);
            assertFalse(underWay.start());
            assertThrows(IllegalStateException.class, memory::close);
            guest.close();
            assertFalse(region.isValid());
            assertEquals(Verdict.INVALID, stand.place(region, 0, 1));
            assertEquals(Verdict.INVALID, stand.gather(region, 0, 1));
            Accessor local = Accessor.local(stand.domain, 7, Right.LOCAL_WRITE);
            assertEquals(Verdict.BACKING_CLOSED, stand.table.enable(reserved.key(), local));
            assertThrows(IllegalStateException.class, () -> stand.register(memory));
            stand.settle();
            underWay.release();
            stand.hypervisor.paging().pager().poke();
            assertEquals(free, stand.hypervisor.framesFree());
            assertEquals(0, stand.store.slotsUsed());
            region.close();
            reserved.close();
            memory.close();
        }
    }

    /** A dirty page of the guest's whose frame the host has paged out, and the host's store fails. */
    @Test
    void aStoreThatFailsHitsOnlyWhoNeedsIt() {
        try (GuestStand stand = new GuestStand(6);
                Domain guest = stand.hypervisor.createGuest(GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN))) {
            ManagedMemory memory = guest.allocate(GUEST);
            Region region = stand.register(memory);
            for (long page = 0; page < 200; page++) {
                stand.wire.fill((byte) page);
                assertEquals(Verdict.GRANTED, stand.place(region, page * PAGE, PAGE));
            }
            stand.settle();
            stand.store.inject(StoreFaults.NONE.readErrorRate(1));
            assertEquals(Verdict.PAGE_LOST, stand.gather(region, 5, 10));
            stand.store.inject(StoreFaults.NONE);
            for (long page = 0; page < 200; page++) {
                assertEquals(Verdict.GRANTED, stand.gather(region, page * PAGE + 5, 10), "page " + page);
                assertEquals((byte) page, stand.wire.get(ValueLayout.JAVA_BYTE, 0));
            }
            stand.settle();
            GuestStand.assertNoPins(memory);
            region.close();
        }
    }
}
