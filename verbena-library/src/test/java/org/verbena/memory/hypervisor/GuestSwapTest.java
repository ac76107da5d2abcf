package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Pinned;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.StoreFaults;
import org.verbena.memory.swapping.ErrandsByHand;

/** Regions of a guest, translated twice, swapped out and in. */
final class GuestSwapTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final long PHYSICAL = GuestStand.PHYSICAL_MIN;
    private static final int FRAMES = (int) (PHYSICAL / PAGE);

    private final ErrandsByHand errands = new ErrandsByHand();
    private final GuestStand stand = new GuestStand(5, errands);
    private final List<Region> regions = new ArrayList<>();
    private final List<ManagedMemory> hosts = new ArrayList<>();
    private final List<Domain> guests = new ArrayList<>();

    @AfterEach
    void nothingIsLost() {
        regions.forEach(Region::close);
        guests.forEach(Domain::close);
        hosts.forEach(ManagedMemory::close);
        settle();
        assertEquals(0, stand.store.slotsUsed());
        assertEquals(0, stand.hypervisor.figures().pins());
        stand.close();
    }

    private Domain guest(GuestOptions options) {
        Domain made = stand.hypervisor.createGuest(options);
        guests.add(made);
        return made;
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

    private MemorySegment fill(ManagedMemory memory, int seed) {
        MemorySegment bytes = stand.arena.allocate(memory.length(), 8);
        for (long at = 0; at < bytes.byteSize(); at += 8) {
            bytes.set(ValueLayout.JAVA_LONG, at, at * 31 + seed);
        }
        memory.write(0, bytes);
        return bytes;
    }

    private void assertHolds(MemorySegment expected, ManagedMemory memory) {
        MemorySegment found = stand.arena.allocate(memory.length(), 8);
        memory.read(0, found);
        assertEquals(-1, found.mismatch(expected));
    }

    private Verdict touch(Region region) {
        return stand.table.gather(stand.who(Right.REMOTE_READ), region.key(), 0, stand.wire, 0, 8);
    }

    /** Takes frames at both stages: of the machine, and of the guest. */
    private void press(Domain guest) {
        ManagedMemory host = stand.hypervisor.host().allocate(2 * GuestStand.MACHINE);
        hosts.add(host);
        fill(host, 77);
        fill(guest.allocate(2 * PHYSICAL), 78);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void outAtBothStagesAndInUnderTheSameKey(boolean wired) {
        Domain guest = guest(GuestOptions.ofPhysical(PHYSICAL));
        long bytes = (wired ? FRAMES / 4 : 3L * FRAMES) * PAGE; // paged: three times what the guest has
        ManagedMemory memory = wired ? guest.allocateWired(bytes) : guest.allocate(bytes);
        Region region = register(memory);
        int key = region.key();
        press(guest);
        MemorySegment pattern = fill(memory, 1);
        CompletableFuture<SwapOut> out = stand.hypervisor.swapOut(region);
        errands.work();
        assertEquals(Verdict.QUIESCED, touch(region), "refused as soon as its pages are on their way");
        settle();
        assertTrue(out.join().isOut());
        assertFalse(region.isValid());
        assertEquals(0, memory.residency().resident());
        GuestStand.assertNoPins(memory);
        press(guest); // its frames, the guest's and the machine's, become others'
        assertEquals(Verdict.QUIESCED, touch(region));
        Fault fault = new Fault(stand.table, _ -> {});
        assertEquals(
                Verdict.QUIESCED,
                fault.add(stand.who(Right.REMOTE_READ), key, 0, 8, 8, Fault.Intent.READ),
                "nor is it worth a page fault");

        CompletableFuture<Void> in = stand.hypervisor.swapIn(region);
        settle();
        assertTrue(in.isDone() && !in.isCompletedExceptionally());
        assertTrue(region.isValid());
        assertEquals(key, region.key());
        if (wired) {
            assertEquals(FRAMES / 4, memory.residency().resident());
            assertEquals(Verdict.GRANTED, touch(region), "wired, and a page fault");
        }
        stand.wire.fill((byte) 9);
        assertEquals(Verdict.GRANTED, stand.place(region, 100, 50));
        pattern.asSlice(100, 50).fill((byte) 9);
        press(guest);
        assertHolds(pattern, memory);
    }

    @Test
    void whatTheStoreDoesNotTakeStaysAndTheRegionIsBack() {
        Domain guest = guest(GuestOptions.ofPhysical(PHYSICAL));
        ManagedMemory memory = guest.allocateWired(PHYSICAL / 4);
        MemorySegment pattern = fill(memory, 2);
        Region region = register(memory);
        stand.store.inject(StoreFaults.NONE.writeErrorAt(FRAMES / 8));
        CompletableFuture<SwapOut> out = stand.hypervisor.swapOut(region);
        settle();
        assertEquals(SwapOut.State.STORE_FAILED, out.join().state());
        assertTrue(region.isValid());
        assertEquals(Verdict.GRANTED, stand.gather(region, 0, 8));
        assertHolds(pattern, memory);
    }

    /** Otherwise a thread that waits for pins would be woken by its own attempt, and try without end. */
    @Test
    void aRefusalOfTheGuestsLimitReleasesNoPinsOfTheHost() {
        Domain guest = guest(GuestOptions.ofPhysical(PHYSICAL));
        ManagedMemory memory = guest.allocate(PHYSICAL);
        long before = stand.hypervisor.paging().relief().pinsReleased();
        var refused = assertThrows(
                IllegalStateException.class, () -> memory.pin(0, PHYSICAL / 2 + GuestStand.PAGE, Pinned.Mode.WRITE));
        assertTrue(refused.toString().contains("half of its memory"), refused.toString());
        assertEquals(before, stand.hypervisor.paging().relief().pinsReleased());
        assertEquals(0, stand.hypervisor.figures().pins());
    }

    @Test
    void aGuestThatEndsWhileItsRegionIsOutOrOnItsWayLosesNothingOfTheHosts() {
        settle();
        int free = stand.hypervisor.framesFree();
        for (int at = 0; at < 4; at++) {
            Domain guest = stand.hypervisor.createGuest(GuestOptions.ofPhysical(PHYSICAL));
            ManagedMemory memory = guest.allocateWired(PHYSICAL / 4);
            fill(memory, at);
            Region region = stand.table.register(
                    stand.domain, memory, 0, Tables.ALL, CurrentIoOptions.of(CurrentIo.Mode.LIBRARY));
            CompletableFuture<SwapOut> out = stand.hypervisor.swapOut(region);
            if (at > 0) {
                errands.work(); // on its way out
            }
            if (at > 1) {
                settle(); // out
            }
            CompletableFuture<Void> in = at > 2 ? stand.hypervisor.swapIn(region) : null;
            if (in != null) {
                errands.work(); // on its way in
            }
            guest.close();
            assertEquals(Verdict.INVALID, touch(region));
            settle();
            assertTrue(out.isDone(), "swap-out " + at);
            assertTrue(in == null || in.isDone());
            region.close();
            settle();
            assertEquals(free, stand.hypervisor.framesFree(), "frames after " + at);
            assertEquals(0, stand.store.slotsUsed(), "slots after " + at);
        }
    }

    /** The frames leave below a table that stays: the driver goes on paging, and finds its pages as they were. */
    @Test
    void withADriverOfItsOwnTheFramesGoAndTheDriverFindsItsPagesAsTheyWere() {
        SwappingDriver driver = new SwappingDriver();
        Domain guest = guest(GuestOptions.ofPhysical(PHYSICAL).withDriver(driver, stand.calls::add));
        driver.drive(guest, FRAMES);
        long bytes = 2 * PHYSICAL;
        ManagedMemory memory = guest.allocate(bytes);
        Region region = register(memory);
        MemorySegment shadow = stand.arena.allocate(bytes, 8);
        for (int page = 0; page < 2 * FRAMES; page++) {
            stand.wire.fill((byte) (page + 1));
            assertEquals(Verdict.GRANTED, stand.place(region, (long) page * PAGE + 5, 100));
            MemorySegment.copy(stand.wire, 0, shadow, (long) page * PAGE + 5, 100);
        }
        Fault lease = stand.fault(Right.REMOTE_READ, region, 0, 8);
        if (!lease.start()) {
            stand.await(lease);
        }
        assertTrue(region.currentIo().begin());
        CompletableFuture<SwapOut> out = stand.hypervisor.swapOut(region);
        settle();
        assertFalse(out.isDone());
        assertEquals(Verdict.GRANTED, stand.gather(region, 0, 100), "what is under way can finish");
        region.currentIo().end();
        settle();
        SwapOut end = out.join();
        assertTrue(end.isOut());
        assertEquals(1, end.pagesPinned(), "the leased page");
        assertEquals(FRAMES - 1, end.pagesFreed());
        assertEquals(1, memory.residency().resident());
        assertEquals(Verdict.QUIESCED, touch(region));
        lease.release();

        ManagedMemory host = stand.hypervisor.host().allocate(2 * GuestStand.MACHINE);
        hosts.add(host);
        fill(host, 5); // the guest's physical pages go, under mapped pages
        region.currentIo().interest();
        settle();
        assertTrue(region.isValid());
        for (int page = 0; page < 2 * FRAMES; page++) {
            assertEquals(Verdict.GRANTED, stand.gather(region, (long) page * PAGE, PAGE), "page " + page);
            assertEquals(
                    -1, stand.wire.asSlice(0, PAGE).mismatch(shadow.asSlice((long) page * PAGE, PAGE)), "page " + page);
        }
        assertTrue(driver.swappedIn > 3 * FRAMES);
        assertEquals(0, guest.driverFailures());
        GuestStand.assertNoPins(memory);
    }
}
