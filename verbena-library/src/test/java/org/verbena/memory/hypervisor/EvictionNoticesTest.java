package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.trace.PagingCounter;

/** A guest's driver that asked to be told when the host evicts pages of the guest's physical memory. */
final class EvictionNoticesTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final int PAGES = (int) (GuestStand.PHYSICAL_MIN / PAGE);

    private final GuestStand stand = new GuestStand(6);
    private final List<String> told = new ArrayList<>();

    private class Noting implements GuestDriver {
        @Override
        public void onFault(GuestFault fault) {
            fault.refuse();
        }

        @Override
        public void onEvicted(long first, long pages) {
            told.add(first + "+" + pages);
        }
    }

    @AfterEach
    void close() {
        stand.close();
    }

    private Domain guest(GuestDriver driver, Executor executor) {
        return stand.hypervisor.createGuest(GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN)
                .withDriver(driver, executor)
                .withEvictionNotices());
    }

    private static void touch(Domain guest, long page) {
        guest.physical().write(page * PAGE, MemorySegment.ofArray(new byte[] {1}));
    }

    private void evict(Domain guest, long first, long count) {
        assertEquals(0, Eviction.evict(stand.hypervisor, stand.store, guest.physical(), first, count));
    }

    private void runCalls() {
        while (stand.runCall()) {}
    }

    @Test
    void theDriverIsToldAfterTheEvictionOffTheThreadThatEvicts() {
        try (Domain guest = guest(new Noting(), stand.calls::add)) {
            touch(guest, 5);
            evict(guest, 5, 1);
            assertEquals(List.of(), told);
            assertFalse(guest.physical().residency().resident() > 0);
            runCalls();
            assertEquals(List.of("5+1"), told);
            assertEquals(new EvictionNotices(1, 0), guest.evictionNotices());
            touch(guest, 5);
            runCalls();
            assertEquals(1, told.size(), "a page that comes back is no news");
        }
    }

    @Test
    void cleanPagesAreToldToo() {
        try (Domain guest = guest(new Noting(), stand.calls::add)) {
            touch(guest, 5);
            evict(guest, 5, 1);
            runCalls();
            guest.physical().read(5 * PAGE, MemorySegment.ofArray(new byte[1]));
            long written = stand.hypervisor.counters().value(PagingCounter.PAGES_OUT);
            evict(guest, 5, 1);
            runCalls();
            assertEquals(written, stand.hypervisor.counters().value(PagingCounter.PAGES_OUT));
            assertEquals(List.of("5+1", "5+1"), told);
        }
    }

    @Test
    void neighboursAreToldTogether() {
        try (Domain guest = guest(new Noting(), stand.calls::add)) {
            for (long page : new long[] {0, 1, 2, 10, 62, 63}) {
                touch(guest, page);
            }
            evict(guest, 0, PAGES);
            runCalls();
            assertEquals(List.of("0+3", "10+1", "62+2"), told);
        }
    }

    @Test
    void aSlowDriverIsToldEachPageOnceHoweverOftenItWasEvicted() {
        try (Domain guest = guest(new Noting(), stand.calls::add)) {
            for (int round = 0; round < 20; round++) {
                touch(guest, 7);
                touch(guest, 20 + round);
                evict(guest, 0, PAGES);
            }
            assertEquals(1, stand.calls.size(), "one call waits, not twenty");
            runCalls();
            assertEquals(List.of("7+1", "20+20"), told);
            assertEquals(new EvictionNotices(21, 19), guest.evictionNotices());
        }
    }

    @Test
    void memoryOfTheHostAndOfOtherGuestsIsNotTold() {
        try (Domain guest = guest(new Noting(), stand.calls::add);
                Domain other = stand.hypervisor.createGuest(
                        GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN).withDriver(new Noting(), stand.calls::add));
                ManagedMemory host = stand.hypervisor.host().allocate(PAGE)) {
            touch(other, 3);
            host.write(0, MemorySegment.ofArray(new byte[] {1}));
            evict(other, 0, PAGES);
            assertEquals(0, Eviction.evict(stand.hypervisor, stand.store, host, 0, 1));
            runCalls();
            assertEquals(List.of(), told);
            assertEquals(new EvictionNotices(0, 0), guest.evictionNotices());
            assertEquals(new EvictionNotices(0, 0), other.evictionNotices());
        }
    }

    @Test
    void pagesThatOtherMemoryDrivesOutAreTold() {
        try (Domain guest = guest(new Noting(), stand.calls::add);
                ManagedMemory rival = stand.hypervisor.host().allocate(2 * GuestStand.MACHINE)) {
            for (long page = 0; page < PAGES; page++) {
                touch(guest, page);
            }
            byte[] bytes = new byte[PAGE];
            for (long page = 0; page < rival.length() / PAGE; page++) {
                bytes[0] = (byte) page;
                rival.write(page * PAGE, MemorySegment.ofArray(bytes));
            }
            stand.settle();
            runCalls();
            assertEquals(
                    PAGES - guest.physical().residency().resident(),
                    guest.evictionNotices().told());
            assertTrue(guest.evictionNotices().told() > PAGES / 2, () -> told.toString());
        }
    }

    @Test
    void aDriverThatThrowsIsCountedAndToldTheRest() {
        RuntimeException thrown = new IllegalStateException("not today");
        try (Domain guest = guest(
                new Noting() {
                    @Override
                    public void onEvicted(long first, long pages) {
                        super.onEvicted(first, pages);
                        throw thrown;
                    }
                },
                stand.calls::add)) {
            touch(guest, 1);
            touch(guest, 9);
            evict(guest, 0, PAGES);
            runCalls();
            assertEquals(List.of("1+1", "9+1"), told);
            assertEquals(2, guest.driverFailures());
            assertEquals(thrown, guest.lastDriverFailure());
        }
    }

    @Test
    void whatCouldNotBeToldIsToldAfterTheNextEviction() {
        boolean[] broken = {true};
        try (Domain guest = guest(new Noting(), call -> {
            if (broken[0]) {
                throw new IllegalStateException("no thread");
            }
            stand.calls.add(call);
        })) {
            touch(guest, 1);
            evict(guest, 1, 1);
            assertEquals(1, guest.driverFailures());
            broken[0] = false;
            touch(guest, 2);
            evict(guest, 2, 1);
            runCalls();
            assertEquals(List.of("1+2"), told);
        }
    }

    @Test
    void anExecutorThatRunsTheDriverAtOnceIsAFailure() {
        try (Domain guest = guest(new Noting(), Runnable::run)) {
            touch(guest, 1);
            evict(guest, 1, 1);
            assertEquals(List.of(), told);
            assertEquals(1, guest.driverFailures());
            assertTrue(String.valueOf(guest.lastDriverFailure()).contains("executor"));
        }
    }

    @Test
    void aGuestThatIsClosedIsToldNothing() {
        Domain guest = guest(new Noting(), stand.calls::add);
        touch(guest, 1);
        guest.physical().advise(PAGE, PAGE, Advice.PAGE_OUT);
        assertEquals(1, stand.store.underWay(), "the page is on its way out");
        guest.close();
        stand.settle();
        runCalls();
        assertEquals(List.of(), told);
    }

    @Test
    void aGuestWithoutADriverOfItsOwnCannotAsk() {
        GuestOptions options = GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN).withEvictionNotices();
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> stand.hypervisor.createGuest(options));
        assertTrue(String.valueOf(refused.getMessage()).contains("driver of its own"), refused::toString);
    }

    /** Threads evict while the driver is told: after the last call no page is left that was not told since its last eviction. */
    @Test
    void noPageIsForgottenWhileThreadsEvict() throws InterruptedException {
        int pages = 5000;
        ConcurrentLinkedQueue<Runnable> calls = new ConcurrentLinkedQueue<>();
        BitSet seen = new BitSet();
        DriverCalls driver = new DriverCalls(
                new Noting() {
                    @Override
                    public void onEvicted(long first, long count) {
                        seen.set((int) first, (int) (first + count));
                    }
                },
                calls::add);
        EvictedPages evicted = new EvictedPages(driver, pages);
        CountDownLatch done = new CountDownLatch(2);
        for (int thread = 0; thread < 2; thread++) {
            int odd = thread;
            Thread.ofPlatform().start(() -> {
                for (int page = odd; page < pages; page += 2) {
                    evicted.add(page);
                }
                done.countDown();
            });
        }
        boolean over;
        do {
            over = done.getCount() == 0;
            for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
                call.run();
            }
        } while (!over);
        assertEquals(pages, seen.cardinality());
        assertEquals(new EvictionNotices(pages, 0), evicted.counts());
    }
}
