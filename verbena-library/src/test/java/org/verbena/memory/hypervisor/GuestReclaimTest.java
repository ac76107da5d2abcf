package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Pinned;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.StoreFaults;
import org.verbena.memory.swapping.ErrandsByHand;
import org.verbena.trace.PagingCounter;

/** The machine memory behind a guest's region that is swapped out: which frames become free, and which stay. */
final class GuestReclaimTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final long PHYSICAL = GuestStand.PHYSICAL_MIN;
    private static final int PAGES = 16;
    /** The driver maps a page to the guest physical page that is this number higher. */
    private static final int SHIFT = 7;

    private final ErrandsByHand errands = new ErrandsByHand();
    private final GuestStand stand = new GuestStand(5, errands);
    private final Hypervisor hypervisor = stand.hypervisor;
    private final List<Region> regions = new ArrayList<>();
    private final List<Domain> guests = new ArrayList<>();
    private int asked;

    @AfterEach
    void nothingIsLost() {
        regions.forEach(Region::close);
        guests.forEach(Domain::close);
        settle();
        assertEquals(0, stand.store.slotsUsed());
        assertEquals(0, hypervisor.figures().pins());
        assertEquals(hypervisor.machine().frames(), hypervisor.framesFree());
        stand.close();
    }

    /** A guest whose driver maps page for page. */
    private Domain driven() {
        Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL)
                .withDriver(
                        fault -> {
                            asked++;
                            fault.map(fault.page() + SHIFT);
                        },
                        stand.calls::add));
        guests.add(guest);
        return guest;
    }

    private Domain paged() {
        Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
        guests.add(guest);
        return guest;
    }

    private Region register(ManagedMemory memory) {
        Region region =
                stand.table.register(stand.domain, memory, 0, Tables.ALL, CurrentIoOptions.of(CurrentIo.Mode.CONSUMER));
        regions.add(region);
        return region;
    }

    private void settle() {
        do {
            errands.work();
            stand.settle();
        } while (errands.work() > 0 || stand.store.underWay() > 0);
    }

    private SwapOut out(Region region) {
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
        settle();
        return out.join();
    }

    private SwapOut out(Region region, int firstPage, int pages) {
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region, (long) firstPage * PAGE, (long) pages * PAGE);
        settle();
        return out.join();
    }

    private void in(Region region) {
        CompletableFuture<Void> in = hypervisor.swapIn(region);
        settle();
        in.join();
        assertTrue(region.isValid());
    }

    private static SwapOut out(long freed, long pinned, long shared) {
        return new SwapOut(SwapOut.State.OUT, freed, pinned, shared);
    }

    /** Writes to all pages as a peer does. */
    private void fill(Region region, int seed) {
        for (int page = 0; page < region.length() / PAGE; page++) {
            stand.wire.set(ValueLayout.JAVA_LONG, 0, stamp(page, seed));
            assertEquals(Verdict.GRANTED, stand.place(region, (long) page * PAGE, 8));
        }
        settle();
    }

    private void assertFilled(Region region, int seed) {
        for (int page = 0; page < region.length() / PAGE; page++) {
            assertHolds(region, page, stamp(page, seed));
        }
    }

    private void assertHolds(Region region, int page, long stamp) {
        assertEquals(Verdict.GRANTED, stand.gather(region, (long) page * PAGE, 8), "page " + page);
        assertEquals(stamp, stand.wire.get(ValueLayout.JAVA_LONG, 0), "page " + page);
    }

    private static long stamp(int page, int seed) {
        return seed * 1_000L + page + 1;
    }

    private static long resident(ManagedMemory memory) {
        return memory.residency().resident();
    }

    /** Ends the transfers under way one after the other, and nothing else. */
    private void endTransfers() {
        while (stand.store.underWay() > 0) {
            stand.store.work(stand.store.nextDeadlineNs());
        }
    }

    @Test
    void ofARegionOnPartOfAMemoryThePagesOfThePartLeave() {
        ManagedMemory memory = driven().allocate((long) PAGES * PAGE);
        Region all = register(memory);
        fill(all, 1);
        regions.remove(all);
        all.close();
        Region part = stand.table.register(
                stand.domain,
                memory,
                5L * PAGE + 100,
                3L * PAGE,
                0,
                Tables.ALL,
                CurrentIoOptions.of(CurrentIo.Mode.CONSUMER));
        regions.add(part);
        int free = hypervisor.framesFree();
        assertEquals(out(2, 0, 0), out(part, 2, 1)); // most of page 7 of the memory, and the beginning of page 8
        assertEquals(free + 2, hypervisor.framesFree());
        assertEquals(out(2, 0, 0), out(part));
        assertEquals(free + 4, hypervisor.framesFree());
        in(part);
        stand.wire.set(ValueLayout.JAVA_LONG, 0, 0);
        assertEquals(Verdict.GRANTED, stand.gather(part, PAGE - 100, 8));
        assertEquals(stamp(6, 1), stand.wire.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void theFramesBehindARegionOfAGuestWithItsOwnDriverBecomeFreeAndItsTableStays() {
        Domain guest = driven();
        int free = hypervisor.framesFree();
        ManagedMemory memory = guest.allocate(PAGES * PAGE);
        GuestTable table = guest.table(memory);
        Region region = register(memory);
        fill(region, 1);
        assertEquals(free - PAGES, hypervisor.framesFree());
        assertEquals(PAGES, asked);

        assertEquals(out(PAGES, 0, 0), out(region));
        assertEquals(free, hypervisor.framesFree(), "frames of machine memory");
        assertEquals(0, resident(memory));
        assertEquals(0, resident(guest.physical()));
        for (int page = 0; page < PAGES; page++) {
            assertEquals(OptionalLong.of(page + SHIFT), table.guestPhysicalPage(page));
        }
        assertEquals(
                Verdict.QUIESCED, stand.table.gather(stand.who(Right.REMOTE_READ), region.key(), 0, stand.wire, 0, 8));
        assertEquals(PAGES, hypervisor.counters().value(PagingCounter.PAGES_OUT));

        in(region);
        assertFilled(region, 1);
        assertEquals(PAGES, asked, "the driver is not asked again for pages that it has mapped");
        assertEquals(out(PAGES, 0, 0), out(region));
        assertEquals(PAGES, hypervisor.counters().value(PagingCounter.PAGES_OUT), "clean pages are not written again");
    }

    @Test
    void theFramesBehindARegionOfAGuestWithVerbenasPagerBecomeFreeAtBothStages() {
        Domain guest = paged();
        int free = hypervisor.framesFree();
        ManagedMemory memory = guest.allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        assertEquals(free - PAGES, hypervisor.framesFree());
        assertEquals(out(PAGES, 0, 0), out(region));
        assertEquals(free, hypervisor.framesFree(), "frames of machine memory");
        in(region);
        assertFilled(region, 1);
    }

    /** The host's pager may not know of a frame yet when its content is discarded: such a frame is not left behind. */
    @Test
    void framesThatThePolicyDoesNotKnowYetBecomeFreeToo() {
        Domain guest = paged();
        int free = hypervisor.framesFree();
        ManagedMemory memory = guest.allocate(PAGES * PAGE);
        Region region = register(memory);
        stand.wire.fill((byte) 1);
        for (int page = 0; page < PAGES; page++) {
            assertEquals(
                    Verdict.GRANTED,
                    stand.table.place(
                            stand.who(Right.REMOTE_WRITE), region.key(), (long) page * PAGE, stand.wire, 0, PAGE));
        }
        assertEquals(out(PAGES, 0, 0), out(region));
        assertEquals(free, hypervisor.framesFree(), "frames of machine memory");
    }

    @Test
    void aPageThatTheHostHasEvictedBeforeIsNotBroughtInToBeWrittenAgain() {
        Domain guest = paged();
        ManagedMemory memory = guest.allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        ManagedMemory large = hypervisor.host().allocate(2 * GuestStand.MACHINE);
        large.write(0, stand.arena.allocate(large.length()).fill((byte) 3));
        settle();
        assertEquals(0, resident(memory), "other memory has taken its frames");
        long before = hypervisor.counters().value(PagingCounter.PAGES_IN);
        assertEquals(out(0, 0, 0), out(region));
        assertEquals(before, hypervisor.counters().value(PagingCounter.PAGES_IN));
        large.close();
        in(region);
        assertFilled(region, 1);
    }

    @Test
    void pinnedPagesStayAndAreCounted() {
        Domain guest = driven();
        ManagedMemory memory = guest.allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        int free = hypervisor.framesFree();
        try (Pinned pinned = memory.pin(3 * PAGE, 2 * PAGE, Pinned.Mode.READ)) {
            assertEquals(out(PAGES - 2, 2, 0), out(region));
            assertEquals(free + PAGES - 2, hypervisor.framesFree());
            assertEquals(stamp(3, 1), pinned.pieces().getFirst().get(ValueLayout.JAVA_LONG, 0));
        }
        assertEquals(out(2, 0, 0), out(region), "the region is out; its last pages leave now");
        assertEquals(free + PAGES, hypervisor.framesFree());
        assertEquals(1, guest.counters().value(PagingCounter.REGIONS_OUT));
        in(region);
        assertFilled(region, 1);
    }

    @Test
    void twoPagesInOneGuestPhysicalPageAreOneFrame() {
        Domain guest = driven();
        ManagedMemory memory = guest.allocate(4 * PAGE);
        GuestTable table = guest.table(memory);
        table.map(0, 20);
        table.map(1, 20);
        table.map(2, 21);
        Region region = register(memory);
        stand.wire.set(ValueLayout.JAVA_LONG, 0, 99);
        assertEquals(Verdict.GRANTED, stand.place(region, 0, 8));
        assertEquals(Verdict.GRANTED, stand.place(region, 2 * PAGE, 8));
        settle();
        int free = hypervisor.framesFree();
        assertEquals(out(2, 0, 0), out(region));
        assertEquals(free + 2, hypervisor.framesFree());
        in(region);
        assertHolds(region, 1, 99);
    }

    @Test
    void aGuestPhysicalPageThatAValidRegionSharesStaysUntilThatRegionIsOutToo() {
        Domain guest = driven();
        ManagedMemory one = guest.allocate(4 * PAGE);
        ManagedMemory two = guest.allocate(4 * PAGE);
        for (int page = 0; page < 4; page++) {
            guest.table(one).map(page, 20 + page);
            guest.table(two).map(page, 22 + page); // two of them are shared
        }
        Region first = register(one);
        Region second = register(two);
        fill(first, 1);
        fill(second, 2);
        int free = hypervisor.framesFree();
        assertEquals(out(2, 0, 2), out(first));
        assertEquals(free + 2, hypervisor.framesFree());
        assertEquals(2, resident(one));
        assertFilled(second, 2);
        assertEquals(out(4, 0, 0), out(second));
        assertEquals(free + 6, hypervisor.framesFree());
        in(first);
        assertHolds(first, 0, stamp(0, 1));
        assertHolds(first, 2, stamp(0, 2));
    }

    @Test
    void anotherValidRegionOnTheSameMemoryKeepsAllItsPages() {
        for (Domain domain : List.of(driven(), paged(), hypervisor.host())) {
            ManagedMemory memory = domain.allocate(PAGES * PAGE);
            Region region = register(memory);
            Region other = register(memory);
            fill(region, 1);
            SwapOut kept = out(region);
            assertEquals(out(0, 0, PAGES), kept, domain.toString());
            assertEquals(PAGES, kept.pagesKept());
            assertEquals(PAGES, resident(memory));
            assertFilled(other, 1);
            assertEquals(out(PAGES, 0, 0), out(other), domain.toString());
            close(memory);
        }
    }

    private void close(ManagedMemory memory) {
        regions.forEach(Region::close);
        regions.clear();
        memory.close();
        settle();
    }

    @Test
    void aRegionOnGuestPhysicalMemorySharesItsPages() {
        Domain guest = driven();
        ManagedMemory memory = guest.allocate(PAGES * PAGE);
        Region region = register(memory);
        Region physical = register(guest.physical());
        fill(region, 1);
        assertEquals(out(0, 0, PAGES), out(region));
        in(region);
        assertEquals(out(0, 0, PAGES), out(physical), "and the other way round");
        assertEquals(out(PAGES, 0, 0), out(region), "the last one");
        assertEquals(0, resident(guest.physical()));
    }

    @Test
    void aPartLeavesAndTheRegionIsInvalidAsAWhole() {
        for (Domain domain : List.of(driven(), paged(), hypervisor.host())) {
            ManagedMemory memory = domain.allocate(PAGES * PAGE);
            Region region = register(memory);
            fill(region, 1);
            int free = hypervisor.framesFree();
            assertEquals(out(3, 0, 0), out(region, 4, 3), domain.toString());
            assertEquals(free + 3, hypervisor.framesFree());
            assertEquals(PAGES - 3, resident(memory));
            assertFalse(memory.residency().state(4).isResident());
            assertFalse(memory.residency().state(6).isResident());
            assertFalse(region.isValid());
            assertEquals(
                    Verdict.QUIESCED,
                    stand.table.gather(stand.who(Right.REMOTE_READ), region.key(), 0, stand.wire, 0, 8),
                    "also where its pages are");

            assertEquals(out(2, 0, 0), out(region, 6, 3), "a further part, of which one page has left before");
            assertEquals(out(PAGES - 5, 0, 0), out(region));
            assertEquals(free + PAGES, hypervisor.framesFree());
            in(region);
            assertFilled(region, 1);
            close(memory);
        }
    }

    @Test
    void aPartIsThePagesInWhichItsBytesLie() {
        ManagedMemory memory = driven().allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region, PAGE - 1, 2);
        settle();
        assertEquals(out(2, 0, 0), out.join());
        for (long[] wrong : new long[][] {{-1, 5}, {0, 0}, {0, PAGES * PAGE + 1}, {PAGES * PAGE, 1}}) {
            var refused =
                    assertThrows(IllegalArgumentException.class, () -> hypervisor.swapOut(region, wrong[0], wrong[1]));
            assertTrue(refused.toString().contains("the region has " + PAGES * PAGE), refused.toString());
        }
    }

    @Test
    void onlyThePartIsBroughtBack() {
        ManagedMemory memory = hypervisor.host().allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        assertEquals(0, Eviction.evict(hypervisor, stand.store, memory, 0, 4)); // evicted one by one
        assertEquals(out(3, 0, 0), out(region, 8, 3));
        in(region);
        assertEquals(PAGES - 4, resident(memory));
        close(memory);
    }

    @Test
    void swapOutsOfPartsThatOverlapInTimeAreOne() {
        ManagedMemory memory = driven().allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        assertTrue(region.currentIo().begin());
        CompletableFuture<SwapOut> first = hypervisor.swapOut(region, 0, PAGE);
        errands.work();
        CompletableFuture<SwapOut> second = hypervisor.swapOut(region, 2 * PAGE, PAGE); // while it quiesces
        region.currentIo().end();
        errands.work();
        assertTrue(stand.store.underWay() > 0);
        CompletableFuture<SwapOut> third = hypervisor.swapOut(region, 4 * PAGE, 2 * PAGE); // while it is written
        settle();
        assertEquals(out(4, 0, 0), first.join());
        assertEquals(first, second);
        assertEquals(first, third);
        assertEquals(PAGES - 4, resident(memory));
    }

    @Test
    void aSwapInWhileItsPagesAreWrittenBringsItBackAfterwards() {
        ManagedMemory memory = driven().allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
        errands.work();
        assertTrue(stand.store.underWay() > 0);
        CompletableFuture<Void> in = hypervisor.swapIn(region);
        settle();
        assertTrue(out.join().isOut());
        in.join();
        assertFilled(region, 1);
        assertEquals(PAGES, asked);
    }

    /** Copies of the guest's driver are not inhibited: a page that it touches stays. */
    @Test
    void aPageThatIsTouchedWhileItIsWrittenStays() {
        Domain guest = driven();
        ManagedMemory memory = guest.allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
        errands.work();
        assertTrue(stand.store.underWay() > 0);
        MemorySegment bytes = stand.arena.allocate(8, 8);
        bytes.set(ValueLayout.JAVA_LONG, 0, 4711);
        guest.physical().write((5 + SHIFT) * PAGE, bytes);
        settle();
        assertEquals(out(PAGES - 1, 1, 0), out.join());
        in(region);
        assertHolds(region, 5, 4711);
        assertHolds(region, 6, stamp(6, 1));
    }

    @Test
    void aDriverMayMapAndUnmapWhileThePagesAreWritten() {
        Domain guest = driven();
        ManagedMemory memory = guest.allocate(PAGES * PAGE);
        GuestTable table = guest.table(memory);
        Region region = register(memory);
        fill(region, 1);
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
        errands.work();
        assertTrue(stand.store.underWay() > 0);
        assertEquals(GuestTable.Unmapping.CHANGED, table.unmap(2));
        assertEquals(GuestTable.Unmapping.CHANGED, table.unmap(3));
        table.map(3, 50); // another guest physical page, of zeros
        endTransfers();
        settle();
        assertTrue(out.join().isOut());
        assertEquals(OptionalLong.empty(), table.guestPhysicalPage(2));
        table.map(2, 2 + SHIFT);
        in(region);
        assertHolds(region, 2, stamp(2, 1));
        assertHolds(region, 3, 0);
        assertHolds(region, 4, stamp(4, 1));
    }

    @Test
    void aGuestWithItsOwnDriverThatEndsAtAnyPointLosesNothingOfTheHosts() {
        int free = hypervisor.framesFree();
        for (int at = 0; at < 4; at++) {
            Domain guest = driven();
            Region region = register(guest.allocate(PAGES * PAGE));
            fill(region, at);
            CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
            if (at > 0) {
                errands.work(); // on its way out
            }
            if (at > 1) {
                settle(); // out
            }
            if (at > 2) {
                CompletableFuture<Void> _ = hypervisor.swapIn(region);
                errands.work(); // on its way in
            }
            guest.close();
            settle();
            assertEquals(
                    at == 0 ? SwapOut.State.CLOSED : SwapOut.State.OUT,
                    out.join().state());
            assertEquals(free, hypervisor.framesFree(), "frames after " + at);
            assertEquals(0, stand.store.slotsUsed(), "slots after " + at);
        }
    }

    @Test
    void aStoreThatDoesNotTakeAllPagesBringsTheRegionBack() {
        ManagedMemory memory = driven().allocate(PAGES * PAGE);
        Region region = register(memory);
        fill(region, 1);
        stand.store.inject(StoreFaults.NONE.room(PAGES / 2));
        assertEquals(SwapOut.State.STORE_FAILED, out(region).state());
        assertTrue(region.isValid());
        assertFilled(region, 1);
        stand.store.inject(StoreFaults.NONE);
        SwapOut part = out(region, 0, PAGES / 2);
        assertTrue(part.isOut());
        stand.store.inject(StoreFaults.NONE.room(0));
        fillOwn(memory);
        assertEquals(SwapOut.State.STORE_FAILED, out(region).state());
        assertFalse(region.isValid(), "it was out before, and stays out");
        stand.store.inject(StoreFaults.NONE);
        in(region);
    }

    /** The consumer changes the pages by copies, which need no region. */
    private void fillOwn(ManagedMemory memory) {
        memory.write(PAGES / 2 * PAGE, stand.arena.allocate(PAGES / 2 * PAGE).fill((byte) 8));
    }
}
