package org.verbena.memory.swapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.hypervisor.PagingProbe;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.PageRequest;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.StoreFaults;
import org.verbena.trace.PagingCounter;

/** Waits for regions that are swapped out or in, and their ends when a swap is not possible. */
final class SwapWaitTest extends SwapStand {
    @Test
    void whoWaitsWhileHisOwnOperationsAreLeftCallsQuiesceOff() {
        Region region = register(memory(true));
        CurrentIo io = region.currentIo();
        List<String> told = new ArrayList<>();
        assertTrue(io.begin()); // say, a receive that stays posted
        CompletableFuture<SwapOut> out = out(region);
        assertFalse(io.begin());
        io.onResume(() -> told.add("resumed"));
        errands.pass(RegionSwap.GRACE_MS - 1);
        assertFalse(out.isDone());
        errands.pass(1);
        settle();
        assertTrue(failed(out));
        assertEquals(List.of("resumed"), told);
        assertTrue(region.isValid());
        assertTrue(io.begin());
    }

    @Test
    void whoIsBusyCannotCallEverySwapOutOff() {
        Region region = register(memory(true));
        CurrentIo io = region.currentIo();
        List<String> told = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            assertTrue(io.begin());
            CompletableFuture<SwapOut> out = out(region);
            assertFalse(io.begin());
            io.onResume(() -> told.add("resumed"));
            errands.pass(RegionSwap.GRACE_MS / 2);
            io.end();
            settle();
            assertTrue(succeeded(out));
            assertEquals(round, told.size(), "it comes back for the thread that waits");
            assertTrue(region.isValid());
        }
        assertEquals(3, hypervisor.counters().value(PagingCounter.REGIONS_OUT));
    }

    @Test
    void interestThatComesLateCallsOffAtOnce() {
        Region region = register(memory(true));
        CurrentIo io = region.currentIo();
        assertTrue(io.begin());
        CompletableFuture<SwapOut> out = out(region);
        errands.pass(RegionSwap.GRACE_MS);
        assertFalse(out.isDone(), "nobody was interested");
        io.interest();
        settle();
        assertTrue(failed(out));
        io.end();
        CompletableFuture<SwapOut> next = out(region);
        settle();
        assertTrue(succeeded(next), "a grace that was for an earlier one");
    }

    /** All frames but those of wired memory have changed pages, and the store takes none. */
    private void fill() {
        for (int i = 0; i < 6; i++) {
            memory(false);
        }
        List<ManagedMemory> paged = memories.subList(memories.size() - 6, memories.size());
        store.inject(StoreFaults.NONE.room(0));
        for (ManagedMemory memory : paged) {
            Stage stage = ((PagedMemory) memory).stage();
            for (int page = 0; page < PAGES; page++) {
                if (stage.pin(page, Access.OVERWRITE) >= 0) {
                    stage.unpin(page);
                }
            }
        }
        settle();
    }

    private static final class Waits implements PageRequest.Listener {
        private boolean pinned;

        @Override
        public void onPinned(Stage stage, long page) {
            pinned = true;
            stage.unpin(page);
        }

        @Override
        public void onRefused(Stage stage, long page, Refusal reason) {}
    }

    private Waits want(ManagedMemory memory) {
        Stage stage = ((PagedMemory) memory).stage();
        Waits waits = new Waits();
        stage.acquire(PAGES - 1, Access.WRITE, waits);
        stage.driver().poke();
        settle();
        return waits;
    }

    @Test
    void whenFramesAreShortAndEvictionFindsNoneTheColdestRegionGoes() {
        Region idle = register(memory(true));
        Region busy = register(memory(true));
        hypervisor.swapUnderPressure(true);
        fill();
        assertEquals(Verdict.GRANTED, write(busy));
        Waits waits = want(memory(false));
        assertFalse(waits.pinned);
        errands.pass(Relief.SHORTAGE_MS - 1);
        settle();
        assertEquals(List.of(true, true), validity(List.of(idle, busy)), "it may be a moment only");
        errands.pass(1);
        settle();
        assertEquals(List.of(false, true), validity(List.of(idle, busy)));
        assertTrue(waits.pinned);
        errands.pass(10 * Relief.SHORTAGE_MS);
        settle();
        assertTrue(busy.isValid(), "nobody waits any more");
    }

    @Test
    void whenNobodyAllowedItOrTheStoreTakesPagesAgainNoRegionGoes() {
        Region region = register(memory(true));
        fill();
        Waits waits = want(memory(false));
        errands.pass(10 * Relief.SHORTAGE_MS);
        assertFalse(waits.pinned);
        assertTrue(region.isValid(), "nobody allowed it");
        hypervisor.swapUnderPressure(true);
        errands.work();
        errands.pass(Relief.SHORTAGE_MS - 1);
        store.inject(StoreFaults.NONE);
        PagingProbe.pager(hypervisor).poke();
        settle();
        assertTrue(waits.pinned);
        errands.pass(10 * Relief.SHORTAGE_MS);
        settle();
        assertTrue(region.isValid());
    }

    @Test
    void whileEvictionFindsFramesNoRegionGoes() {
        Region region = register(memory(true));
        hypervisor.swapUnderPressure(true);
        for (int round = 0; round < 20; round++) {
            ManagedMemory memory = memory(false);
            memory.write(0, pattern);
            errands.pass(Relief.SHORTAGE_MS);
        }
        settle();
        assertTrue(hypervisor.counters().value(PagingCounter.PAGES_OUT) > 400);
        errands.pass(10 * Relief.SHORTAGE_MS);
        assertTrue(region.isValid());
        assertEquals(0, hypervisor.counters().value(PagingCounter.REGIONS_OUT));
    }

    @Test
    void theHypervisorItselfWaitsForNobodyLongAndThenTriesAnother() {
        Region unquiet = register(memory(true));
        Region quiet = register(memory(true));
        assertTrue(unquiet.currentIo().begin());
        hypervisor.swapUnderPressure(true);
        assertThrows(IllegalStateException.class, () -> hypervisor.host().allocateWired(BYTES));
        settle();
        assertTrue(unquiet.currentIo().isQuiescing());
        errands.pass();
        assertFalse(unquiet.currentIo().isQuiescing());
        assertThrows(IllegalStateException.class, () -> hypervisor.host().allocateWired(BYTES));
        settle();
        assertEquals(List.of(true, false), validity(List.of(unquiet, quiet)));

        swapIn(quiet);
        settle();
        CompletableFuture<SwapOut> mine = out(unquiet);
        errands.pass();
        assertFalse(mine.isDone(), "another's swap-out called off");
    }

    @Test
    void whoWaitsForARegionThatCannotComeNowIsToldWhenItHasCome() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        CurrentIo io = region.currentIo();
        List<String> told = new ArrayList<>();
        swapOut(region);
        settle();
        store.inject(StoreFaults.NONE.readErrorAt(PAGES / 2));
        io.onResume(() -> told.add(io.isQuiescing() ? "told too early" : "resumed"));
        settle();
        assertEquals(List.of(), told);
        assertTrue(io.isQuiescing());
        io.interest();
        settle();
        assertEquals(List.of("resumed"), told);
        assertHoldsPattern(memory);
    }

    @Test
    void aRegionThatLacksPinsComesWhenTheyAreLetGo() throws InterruptedException {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        CurrentIo io = region.currentIo();
        List<String> told = new ArrayList<>();
        swapOut(region);
        settle();
        ManagedMemory other = memory(true);
        memory(true);
        io.onResume(() -> told.add("resumed"));
        settle();
        assertFalse(io.awaitResumed(Duration.ofMillis(1)));
        settle();
        assertEquals(List.of(), told);
        other.close();
        settle();
        assertEquals(List.of("resumed"), told);
        assertEquals(PAGES, resident(memory));
        assertHoldsPattern(memory);
    }

    @Test
    void aSwapInThatFindsNoFrameIsTriedAgain() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        swapOut(region);
        settle();
        for (int i = 0; i < 6; i++) {
            memory(false).write(0, pattern);
        }
        settle();
        store.inject(StoreFaults.NONE.room(0));
        ManagedMemory dirty = memory(false);
        try {
            for (int round = 0; round < 6; round++) {
                memories.get(1 + round).write(0, pattern);
            }
        } catch (IllegalStateException full) {
            // All frames are dirty now, and the store takes no page.
        }
        CompletableFuture<Void> in = in(region);
        settle();
        assertFalse(in.isDone());
        store.inject(StoreFaults.NONE);
        for (int i = 0; i < 100 && !in.isDone(); i++) {
            errands.pass();
            settle();
        }
        assertTrue(succeeded(in));
        assertHoldsPattern(memory);
        assertEquals(0, resident(dirty));
    }

    @Test
    void wiredPagesThatComeTooLateAreNotKept() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        swapOut(region);
        settle();
        region.close();
        Region next = register(memory);
        errands.work();
        assertTrue(store.underWay() > 0);
        CompletableFuture<SwapOut> out = out(next);
        settle();
        assertTrue(succeeded(out));
        assertEquals(0, resident(memory));
        assertEquals(0, hypervisor.figures().pins());
    }

    @Test
    void anInterruptCallsTheSwapOutOff() {
        Region region = register(memory(false));
        assertTrue(region.currentIo().begin());
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> hypervisor.swapOut(region, Duration.ofHours(1)));
        assertTrue(region.currentIo().begin());
    }

    @Test
    void underPressureTheHypervisorDecidesItself() {
        ManagedMemory cold = memory(true);
        cold.write(0, pattern);
        Region idle = register(cold);
        Region busy = register(memory(true));
        assertEquals(Verdict.GRANTED, write(busy));
        assertThrows(IllegalStateException.class, () -> hypervisor.host().allocateWired(BYTES));
        assertTrue(idle.isValid(), "nobody allowed it");
        hypervisor.swapUnderPressure(true);
        assertThrows(IllegalStateException.class, () -> hypervisor.host().allocateWired(BYTES));
        settle();
        assertEquals(List.of(false, true), validity(List.of(idle, busy)));
        memory(true).write(0, pattern);
        assertHoldsPattern(cold);
    }

    @Test
    void whoEndsTheLastOperationOrATransferHasNothingElseToDo() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        CurrentIo io = region.currentIo();
        List<String> told = new ArrayList<>();
        io.onQuiesce(() -> told.add("quiesce"));
        assertTrue(io.begin());
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
        CompletableFuture<Void> _ = out.thenRun(() -> told.add("out"));
        assertEquals(List.of(), told);
        errands.work();
        io.end();
        assertTrue(region.isValid());
        assertEquals(0, store.underWay());
        errands.work();
        assertFalse(region.isValid());
        while (store.underWay() > 0) {
            clock.advance(Math.max(0, store.nextDeadlineNs() - clock.nowNs()));
            store.work(clock.nowNs());
        }
        assertEquals(List.of("quiesce"), told, "a consumer's action run inside the pager");
        errands.work();
        assertEquals(List.of("quiesce", "out"), told);
    }

    @Test
    void onlyWhatFreesPinsIsSwappedOutForPinsAndAllThatSharesIt() {
        Region paged = register(memory(false));
        ManagedMemory stays = memory(true);
        Region fixed = register(stays);
        keep(table.share(fixed, domain, Tables.ALL)); // whose owner allows nothing
        ManagedMemory shared = memory(true);
        Region one = register(shared);
        Region two = register(shared);
        Region closed = register(shared);
        closed.close();
        hypervisor.swapUnderPressure(true);
        assertThrows(IllegalStateException.class, () -> hypervisor.host().allocateWired(BYTES));
        settle();
        assertEquals(List.of(true, true, false, false), validity(List.of(paged, fixed, one, two)));
        memory(true).write(0, pattern);
    }
}
