package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.paging.LeaseBudget;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.TableRegion;
import org.verbena.memory.swapping.PagedMemory;

/** Guests whose own drivers never answer keep nothing that others need. */
final class SilentGuestsTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final int SILENT = 6;

    private static Fault fault(GuestStand stand, Region region, int page, Fault.Intent intent) {
        Fault fault = new Fault(stand.table, _ -> {});
        Right right = intent == Fault.Intent.LANDING ? Right.LOCAL_WRITE : Right.REMOTE_WRITE;
        Accessor who = intent == Fault.Intent.LANDING ? Accessor.local(stand.domain, 7, right) : stand.who(right);
        assertEquals(Verdict.GRANTED, fault.add(who, region.key(), (long) page * PAGE, 10, 10, intent));
        return fault;
    }

    private static LeaseBudget budget(GuestStand stand, Fault.Intent intent) {
        return intent == Fault.Intent.LANDING
                ? stand.hypervisor.paging().pager().landing()
                : stand.hypervisor.paging().pager().transit();
    }

    /** As many faults as a guest can have, and some that wait for a lease of its driver's. */
    private static List<Fault> faults(GuestStand stand, Region region, Fault.Intent intent) {
        List<Fault> all = new ArrayList<>();
        for (int page = 0; page < 40; page++) {
            Fault fault = fault(stand, region, page, intent);
            assertFalse(fault.start());
            all.add(fault);
        }
        return all;
    }

    private static void evict(GuestStand stand, ManagedMemory memory) {
        memory.advise(0, memory.length(), Advice.PAGE_OUT);
        stand.settle();
        assertEquals(0, memory.contiguousFrom(0));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.Intent.class,
            names = {"WRITE", "LANDING"})
    void theHostAndOtherGuestsAreServedMeanwhile(Fault.Intent intent) {
        try (GuestStand stand = new GuestStand(4);
                Domain paged = stand.hypervisor.createGuest(GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN));
                Domain answering = stand.hypervisor.createGuest(GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN)
                        .withDriver(fault -> fault.map(fault.page()), stand.calls::add))) {
            List<Domain> silent = new ArrayList<>();
            List<Region> regions = new ArrayList<>();
            List<Fault> waiting = new ArrayList<>();
            List<GuestFault> asked = new ArrayList<>();
            for (int i = 0; i < SILENT; i++) {
                Domain guest = stand.hypervisor.createGuest(
                        GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN).withDriver(asked::add, stand.calls::add));
                silent.add(guest);
                Region region = stand.register(guest.allocate(64 * PAGE));
                regions.add(region);
                waiting.addAll(faults(stand, region, intent));
            }
            while (stand.runCall()) {}
            assertTrue(asked.size() >= SILENT * 16, asked.size() + " pages were asked for");
            assertEquals(0, budget(stand, intent).taken(), "pages kept for those who have none");

            for (Domain served : List.of(stand.hypervisor.host(), paged, answering)) {
                ManagedMemory memory = served.allocate(8 * PAGE);
                Region region = stand.register(memory);
                if (served != answering) {
                    memory.write(0, stand.wire.asSlice(0, 10));
                    evict(stand, memory);
                }
                Fault fault = fault(stand, region, 0, intent);
                if (!fault.start()) {
                    stand.await(fault);
                }
                assertEquals(Verdict.GRANTED, fault.outcome(), served.toString());
                assertEquals(1, budget(stand, intent).taken(), "its lease");
                fault.release();
                region.close();
                memory.close();
            }

            waiting.subList(0, 20).forEach(Fault::release);
            asked.forEach(late -> late.map(late.page()));
            asked.clear();
            List<Fault> left = new ArrayList<>(waiting.subList(20, waiting.size()));
            while (!left.isEmpty()) { // leases come round
                while (stand.runCall()) {}
                asked.forEach(next -> next.map(next.page()));
                asked.clear();
                stand.settle();
                List<Fault> served = left.stream()
                        .filter(fault -> fault.outcome() != Verdict.NOT_RESIDENT)
                        .toList();
                assertFalse(served.isEmpty(), left.size() + " wait for nothing");
                for (Fault fault : served) {
                    assertEquals(Verdict.GRANTED, fault.outcome());
                    fault.release();
                }
                left.removeAll(served);
            }
            stand.settle();
            for (int i = 0; i < SILENT; i++) {
                GuestStand.assertNoPins(Objects.requireNonNull(PagedMemory.of(TableRegion.of(regions.get(i)))));
                regions.get(i).close();
                silent.get(i).close();
            }
            assertEquals(0, budget(stand, intent).taken());
        }
    }

    /** What a driver has answered is pinned while the host's lease is waited for: it cannot be taken back meanwhile. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.Intent.class,
            names = {"WRITE", "LANDING"})
    void anAnswerStandsUntilItIsUsed(Fault.Intent intent) {
        List<GuestFault> asked = new ArrayList<>();
        try (GuestStand stand = new GuestStand(4);
                Domain guest = stand.hypervisor.createGuest(
                        GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN).withDriver(asked::add, stand.calls::add))) {
            ManagedMemory memory = guest.allocate(8 * PAGE);
            Region region = stand.register(memory);
            LeaseBudget host = budget(stand, intent);
            int all = host.capacity();
            assertTrue(host.tryTake(all));
            Fault first = fault(stand, region, 3, intent);
            Fault second = fault(stand, region, 4, intent);
            assertFalse(first.start());
            assertFalse(second.start());
            while (stand.runCall()) {}
            asked.forEach(fault -> fault.map(fault.page() + 7));
            assertEquals(Verdict.NOT_RESIDENT, first.outcome(), "the host has no lease left");
            GuestTable table = guest.table(memory);
            assertEquals(GuestTable.Unmapping.PINNED, table.unmap(3));
            assertEquals(GuestTable.Unmapping.PINNED, table.unmap(4));
            second.release();
            assertEquals(GuestTable.Unmapping.CHANGED, table.unmap(4), "as far as the driver can know");
            host.give(all);
            stand.await(first);
            assertEquals(Verdict.GRANTED, first.outcome());
            assertEquals(GuestTable.Unmapping.PINNED, table.unmap(3));
            first.release();
            assertEquals(GuestTable.Unmapping.CHANGED, table.unmap(3));
            GuestStand.assertNoPins(memory);
            region.close();
        }
    }
}
