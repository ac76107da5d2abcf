package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.faults.Fault;
import org.verbena.trace.PagingCounter;

/** Advice on the memory of a guest with its own driver: the driver is asked, and no thread waits. */
final class GuestAdviceTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final int FRAMES = (int) (GuestStand.PHYSICAL_MIN / PAGE);

    private final List<GuestFault> asked = new ArrayList<>();

    private Domain guest(GuestStand stand, GuestDriver driver) {
        return stand.hypervisor.createGuest(GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN)
                .withDriver(
                        fault -> {
                            asked.add(fault);
                            driver.onFault(fault);
                        },
                        stand.calls::add));
    }

    private static long mapped(Domain guest, ManagedMemory memory) {
        GuestTable table = guest.table(memory);
        long count = 0;
        for (long page = 0; page < table.pages(); page++) {
            count += table.guestPhysicalPage(page).isPresent() ? 1 : 0;
        }
        return count;
    }

    @Test
    void theDriverIsAskedForWhatWillBeNeeded() {
        try (GuestStand stand = new GuestStand(3);
                Domain guest = guest(stand, fault -> fault.map(fault.page() % FRAMES))) {
            ManagedMemory memory = guest.allocate(100 * PAGE);
            guest.physical()
                    .write(0, stand.arena.allocate(GuestStand.PHYSICAL_MIN).fill((byte) 4));
            guest.table(memory).map(12, 12);
            guest.physical().advise(0, GuestStand.PHYSICAL_MIN, Advice.PAGE_OUT);
            stand.settle();
            memory.advise(10 * PAGE + 5, 40 * PAGE, Advice.WILL_NEED);
            while (stand.runCall()) {}
            stand.settle();
            assertEquals(41, mapped(guest, memory));
            assertEquals(40, asked.size(), "page 12 was there, the others are asked for once");
            assertEquals(40, guest.counters().value(PagingCounter.PAGES_PREFETCHED));
            for (long page = 10; page <= 50; page++) {
                assertTrue(memory.contiguousFrom(page * PAGE) > 0, "page " + page + " is in machine memory");
            }
            assertEquals(0, guest.faults().stageOne());
            memory.read(20 * PAGE, stand.wire.asSlice(0, 8));
            assertEquals(0, guest.faults().stageOne());
            memory.advise(0, memory.length(), Advice.WILL_NEED);
            while (stand.runCall()) {}
            assertEquals(40 + FRAMES - 41, asked.size(), "not more than it has room for");
            GuestStand.assertNoPins(memory);
        }
    }

    @Test
    void whoIsWaitedForComesFirst() {
        try (GuestStand stand = new GuestStand(3);
                Domain guest = guest(stand, _ -> {})) {
            ManagedMemory memory = guest.allocate(100 * PAGE);
            Region region = stand.register(memory);
            memory.advise(0, 50 * PAGE, Advice.WILL_NEED);
            Fault fault = stand.fault(Right.REMOTE_WRITE, region, 70 * PAGE, 10);
            Fault joined = stand.fault(Right.REMOTE_WRITE, region, 3 * PAGE, 10);
            assertFalse(fault.start());
            assertFalse(joined.start());
            while (stand.runCall()) {}
            assertEquals(70, asked.getFirst().page());
            assertEquals(17, asked.size(), "one who does not answer is not asked for more");
            asked.removeFirst().map(7);
            stand.await(fault);
            fault.release();
            for (int answers = 0; !asked.isEmpty(); answers++) {
                GuestFault next = asked.removeFirst();
                if (answers % 2 == 0 || next.page() == 3) {
                    next.map(answers % FRAMES);
                } else {
                    next.refuse();
                }
                while (stand.runCall()) {}
            }
            stand.await(joined);
            assertEquals(Verdict.GRANTED, joined.outcome());
            joined.release();
            assertEquals(27, mapped(guest, memory));
            assertEquals(1, guest.faults().stageOne());
            GuestStand.assertNoPins(memory);
            region.close();
        }
    }

    @Test
    void whatIsClosedIsNotAskedFor() {
        try (GuestStand stand = new GuestStand(3);
                Domain guest = guest(stand, _ -> {})) {
            ManagedMemory memory = guest.allocate(100 * PAGE);
            memory.advise(0, 50 * PAGE, Advice.WILL_NEED);
            memory.close();
            ManagedMemory other = guest.allocate(100 * PAGE);
            other.advise(0, 8 * PAGE, Advice.WILL_NEED);
            while (stand.runCall()) {}
            assertEquals(16 + 8, asked.size());
            asked.subList(16, 24).forEach(fault -> fault.map(fault.page()));
            assertEquals(8, mapped(guest, other));
        }
    }
}
