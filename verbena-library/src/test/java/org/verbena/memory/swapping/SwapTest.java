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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.protection.MemoryRange;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.StoreFaults;
import org.verbena.trace.PagingCounter;

/** Regions swapped out as a whole and brought back, in virtual time. */
final class SwapTest extends SwapStand {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void outFreesAllFramesAndInBringsTheSameBytesUnderTheSameKey(boolean wired) {
        ManagedMemory memory = memory(wired);
        memory.write(0, pattern);
        Region region = register(memory);
        int key = region.key();
        assertEquals(Verdict.GRANTED, write(region));
        assertEquals(PAGES, resident(memory));

        CompletableFuture<SwapOut> out = out(region);
        assertFalse(out.isDone());
        assertEquals(Verdict.QUIESCED, write(region), "refused as soon as the pages are on their way");
        settle();
        assertTrue(succeeded(out));
        assertEquals(0, resident(memory));
        assertEquals(key, region.key());
        assertFalse(region.isValid());

        memory(false).write(0, pattern); // other memory takes the frames
        CompletableFuture<Void> in = in(region);
        settle();
        assertTrue(succeeded(in));
        assertTrue(region.isValid());
        assertEquals(wired ? PAGES : resident(memory), resident(memory));
        assertEquals(key, region.key());
        assertHoldsPattern(memory);
        assertEquals(Verdict.GRANTED, write(region));
        assertEquals(1, hypervisor.counters().value(PagingCounter.REGIONS_OUT));
        assertEquals(1, hypervisor.counters().value(PagingCounter.REGIONS_IN));
    }

    @Test
    void wiredPagesStayWhileOthersPress() {
        ManagedMemory wired = memory(true);
        wired.write(0, pattern);
        Region region = register(wired);
        for (int i = 0; i < 8; i++) {
            memory(false).write(0, pattern);
        }
        assertEquals(PAGES, resident(wired));
        assertEquals(Verdict.GRANTED, write(region));
        assertThrows(IllegalStateException.class, () -> hypervisor.host().allocateWired(MACHINE));
    }

    /** A registration by a send queue has no current I/O: while there is one, wired pages stay, and pages that are away come back. */
    @Test
    void memoryThatASendQueueRegistersStays() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        MemoryRange range = MemoryRange.of(memory, 4096, 8192, 0, Tables.ALL);
        range.take();
        swapOut(region);
        settle();
        assertEquals(PAGES, resident(memory), "another registration needs them");
        swapIn(region);
        settle();
        range.giveBack();
        swapOut(region);
        settle();
        assertEquals(0, resident(memory));

        range.take();
        settle();
        assertEquals(PAGES, resident(memory));
        range.giveBack();
    }

    @Test
    void pagedMemoryThatASendQueueRegistersCountsAsShared() {
        ManagedMemory memory = memory(false);
        memory.write(0, pattern);
        Region region = register(memory);
        MemoryRange range = MemoryRange.of(memory, 4096, 8192, 0, Tables.ALL);
        range.take();
        CompletableFuture<SwapOut> out = out(region);
        settle();
        assertEquals(new SwapOut(SwapOut.State.OUT, 0, 0, PAGES), out.join());
        assertEquals(PAGES, resident(memory));
        range.giveBack();
        out = out(region);
        settle();
        assertEquals(new SwapOut(SwapOut.State.OUT, PAGES, 0, 0), out.join());
    }

    @Test
    void aCleanRegionIsNotWrittenAgain() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        for (int i = 0; i < 3; i++) {
            swapOut(region);
            settle();
            swapIn(region);
            settle();
        }
        assertEquals(PAGES, hypervisor.counters().value(PagingCounter.PAGES_OUT));
        assertHoldsPattern(memory);
    }

    @Test
    void operationsAreWaitedForUnlessTheConsumerPromises() {
        Region region = register(memory(false));
        CurrentIo io = region.currentIo();
        assertTrue(io.begin());
        CompletableFuture<SwapOut> out = out(region);
        assertEquals(out, hypervisor.swapOut(region));
        settle();
        assertFalse(out.isDone());
        assertEquals(Verdict.GRANTED, write(region));
        io.end();
        settle();
        assertTrue(succeeded(out));
        assertTrue(succeeded(in(region)));

        assertTrue(io.begin());
        out = out(region);
        io.quiesced();
        settle();
        assertTrue(succeeded(out));
        assertEquals(1, io.operations());
    }

    @Test
    void aConsumerThatTakesTooLongIsLeftAlone() throws InterruptedException {
        Region region = register(memory(false));
        assertTrue(region.currentIo().begin());
        assertEquals(SwapOut.of(SwapOut.State.CALLED_OFF), hypervisor.swapOut(region, Duration.ofMillis(1)));
        assertTrue(region.isValid());
        assertTrue(region.currentIo().begin());
        assertFalse(hypervisor.callOff(region));

        CompletableFuture<SwapOut> out = out(region);
        assertTrue(succeeded(in(region)), "swapping in calls it off, too");
        assertTrue(failed(out));
        assertTrue(region.currentIo().begin());
    }

    @Test
    void whoWaitsIsWokenAndInterestBringsTheRegionBack() {
        ManagedMemory memory = memory(true);
        Region region = register(memory);
        CurrentIo io = region.currentIo();
        List<String> told = new ArrayList<>();
        io.onQuiesce(() -> told.add("quiesce"));
        memory.write(0, pattern);
        swapOut(region);
        settle();
        assertFalse(region.isValid());
        io.onResume(() -> told.add("resumed"));
        settle();
        assertEquals(List.of("quiesce", "resumed"), told);
        assertTrue(region.isValid());
        assertEquals(PAGES, resident(memory));
        assertHoldsPattern(memory);

        swapOut(region);
        settle();
        assertFalse(region.isValid());
        io.interest();
        settle();
        assertTrue(region.isValid());
    }

    @Test
    void interestBeforeItIsOutIsRemembered() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        assertTrue(region.currentIo().begin());
        CompletableFuture<SwapOut> out = out(region);
        region.currentIo().end();
        region.currentIo().interest(); // nothing is under way: it ends soon, one way and then the other
        assertFalse(out.isDone());
        settle();
        assertTrue(succeeded(out));
        assertTrue(region.isValid());
        assertHoldsPattern(memory);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStoreThatTakesNotAllCallsTheSwapOutOff(boolean wired) {
        ManagedMemory memory = memory(wired);
        memory.write(0, pattern);
        Region region = register(memory);
        List<String> told = new ArrayList<>();
        store.inject(StoreFaults.NONE.writeErrorAt(PAGES / 2));
        CompletableFuture<SwapOut> out = out(region);
        region.currentIo().onResume(() -> told.add("resumed"));
        settle();
        assertTrue(failed(out));
        assertTrue(region.isValid());
        assertEquals(List.of("resumed"), told);
        assertEquals(Verdict.GRANTED, wired ? write(region) : Verdict.GRANTED);
        assertHoldsPattern(memory);

        out = out(region);
        settle();
        assertTrue(succeeded(out));
        assertEquals(0, resident(memory));
    }

    @Test
    void aStoreThatGivesNotAllBackLeavesTheRegionOutAndItCanBeTriedAgain() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        swapOut(region);
        settle();
        store.inject(StoreFaults.NONE.readErrorAt(PAGES / 2));
        CompletableFuture<Void> in = in(region);
        settle();
        assertTrue(failed(in));
        assertEquals(Verdict.QUIESCED, write(region));
        assertTrue(region.currentIo().isQuiescing());

        in = in(region);
        settle();
        assertTrue(succeeded(in));
        assertEquals(PAGES, resident(memory));
        assertHoldsPattern(memory);
    }

    @Test
    void wiredMemoryGoesWithTheLastOfItsRegionsAndComesWithTheFirst() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region one = register(memory);
        Region two = register(memory);
        assertTrue(succeeded(out(one)));
        assertEquals(PAGES, resident(memory));
        assertEquals(Verdict.QUIESCED, write(one));
        assertEquals(Verdict.GRANTED, write(two));
        swapOut(two);
        settle();
        assertEquals(0, resident(memory));

        swapIn(two);
        swapIn(one);
        settle();
        assertEquals(PAGES, resident(memory));
        assertEquals(Verdict.GRANTED, write(one));
        assertEquals(Verdict.GRANTED, write(two));
        memory.write(0, pattern);
        swapOut(one);
        swapOut(two);
        settle();
        assertEquals(0, resident(memory), "pinned twice, though needed once");
        assertHoldsPattern(memory);
    }

    @Test
    void wiredMemoryStaysForARegionWhoseOwnerDidNotAllowIt() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        Region plain = keep(table.share(region, domain, Tables.ALL));
        assertTrue(succeeded(out(region)));
        settle();
        assertEquals(PAGES, resident(memory));
        assertEquals(Verdict.GRANTED, write(plain));
        assertThrows(IllegalStateException.class, () -> hypervisor.swapOut(plain));
    }

    @Test
    void aRegionRegisteredOnWiredMemoryThatIsOutBringsItIn() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        swapOut(region);
        settle();
        region.close();
        Region next = register(memory);
        settle();
        assertEquals(PAGES, resident(memory));
        assertEquals(Verdict.GRANTED, write(next));
    }

    @Test
    void closingARegionEndsItsSwappingAtAnyPoint() {
        Region quiescing = register(memory(true));
        assertTrue(quiescing.currentIo().begin());
        CompletableFuture<SwapOut> out = out(quiescing);
        quiescing.close();
        settle();
        assertTrue(failed(out));
        assertThrows(IllegalStateException.class, () -> hypervisor.swapOut(quiescing));

        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region writing = register(memory);
        out = out(writing);
        writing.close();
        settle();
        assertTrue(out.isDone());
        assertHoldsPattern(memory);

        Region reading = register(memory);
        settle();
        swapOut(reading);
        settle();
        CompletableFuture<Void> in = in(reading);
        reading.close();
        settle();
        assertTrue(in.isDone());
        assertFalse(reading.isValid());
    }

    @Test
    void memoryClosedWhileItsRegionComesBackLosesNoFrame() {
        settle();
        int free = hypervisor.framesFree();
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        swapOut(region);
        settle();
        CompletableFuture<Void> in = in(region);
        region.close();
        memory.close();
        settle();
        assertTrue(in.isDone());
        assertEquals(free, hypervisor.framesFree());
    }

    @Test
    void whoWaitsIsWokenThoughQuiesceIsAskedForAgain() {
        ManagedMemory memory = memory(true);
        memory.write(0, pattern);
        Region region = register(memory);
        CurrentIo io = region.currentIo();
        List<String> told = new ArrayList<>();
        swapOut(region);
        settle();
        io.onResume(() -> swapOut(region)); // the hypervisor is fast
        io.onResume(() -> told.add(io.isQuiescing() ? "woken, and too late" : "woken"));
        settle();
        assertEquals(List.of("woken, and too late"), told);
    }

    @Test
    void theRegionLeftAloneForLongestGoesFirst() {
        List<Region> candidates = List.of(register(memory(false)), register(memory(false)), register(memory(false)));
        assertEquals(Verdict.GRANTED, write(candidates.get(0)));
        assertEquals(Verdict.GRANTED, write(candidates.get(2)));
        assertFalse(hypervisor.swapOutColdest().isEmpty());
        settle();
        assertEquals(List.of(true, false, true), validity(candidates));
        assertEquals(Verdict.GRANTED, write(candidates.get(0)));
        assertFalse(hypervisor.swapOutColdest().isEmpty());
        settle();
        assertEquals(List.of(true, false, false), validity(candidates));
        assertFalse(hypervisor.swapOutColdest().isEmpty());
        settle();
        assertTrue(hypervisor.swapOutColdest().isEmpty());
    }

    @Test
    void aRegionOfOtherMemoryIsRefused() {
        try (MachineMemory machine = new MachineMemory(MACHINE);
                ManagedMemory memory = machine.allocate(4096);
                Region region = table.register(domain, memory, 0, Tables.ALL)) {
            assertThrows(IllegalArgumentException.class, () -> hypervisor.swapOut(region));
        }
    }
}
