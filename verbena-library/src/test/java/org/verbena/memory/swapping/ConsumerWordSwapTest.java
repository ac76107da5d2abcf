package org.verbena.memory.swapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.protection.Tables;

/** Regions whose consumer has the count and the quiesce indicator in its own memory, and calls no method of the library. */
final class ConsumerWordSwapTest extends SwapStand {
    private static final long QUIESCE = 1L << 63;
    private static final long QUIESCED = 1L << 61;
    private static final long INTEREST = 1L << 60;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(8, 8);
    private final ManagedMemory memory = memory(true);
    private final Region region = keep(table.register(domain, memory, 0, Tables.ALL, options(word)));

    private static CurrentIoOptions options(MemorySegment word) {
        return CurrentIoOptions.of(CurrentIo.Mode.CONSUMER).withWord(word);
    }

    private long value() {
        return word.get(ValueLayout.JAVA_LONG, 0);
    }

    private void set(long value) {
        word.set(ValueLayout.JAVA_LONG, 0, value);
    }

    /** The last pause is over: the hypervisor looks at the word. */
    private void look() {
        errands.pass(RegionSwap.LOOK_MAX_MS);
        settle();
    }

    @Test
    void theCountIsNoticedToBeZeroWithoutACall() {
        memory.write(0, pattern);
        set(2);
        CompletableFuture<SwapOut> out = out(region);
        assertEquals(QUIESCE | 2, value());
        look();
        set(QUIESCE | 1);
        look();
        assertFalse(out.isDone());
        assertEquals(Verdict.GRANTED, write(region));
        set(QUIESCE);
        look();
        assertTrue(succeeded(out));
        assertEquals(0, resident(memory));
        assertEquals(Verdict.QUIESCED, write(region));
        assertEquals(QUIESCE, value());
        swapIn(region);
        settle();
        assertEquals(0, value());
        assertHoldsPattern(memory);
    }

    @Test
    void noLookIsNeededIfNothingIsUnderWay() {
        CompletableFuture<SwapOut> out = out(region);
        settle();
        assertTrue(succeeded(out));
    }

    @Test
    void aPromiseInTheWordIsNoticed() {
        set(1);
        CompletableFuture<SwapOut> out = out(region);
        set(value() | QUIESCED);
        look();
        assertTrue(succeeded(out));
        assertEquals(1, region.currentIo().operations());
    }

    @Test
    void interestInTheWordBringsTheRegionBackHoweverLongItIsOut() {
        memory.write(0, pattern);
        swapOut(region);
        settle();
        for (int i = 0; i < 100; i++) {
            look();
        }
        assertFalse(region.isValid());
        set(value() | INTEREST);
        look();
        assertTrue(region.isValid());
        assertEquals(0, value());
        assertHoldsPattern(memory);
    }

    @Test
    void interestInTheWordCallsOffWhatIsNotQuietAfterTheGrace() {
        set(1);
        CompletableFuture<SwapOut> out = out(region);
        set(value() | INTEREST);
        errands.pass(RegionSwap.GRACE_MS - 1);
        assertFalse(out.isDone());
        look();
        assertTrue(failed(out));
        assertTrue(region.isValid());
        assertEquals(1, value());
    }

    @Test
    void aRegionThatIsBackIsNotLookedAt() {
        set(1);
        swapOut(region);
        assertTrue(hypervisor.callOff(region));
        settle();
        look();
        int before = errands.left();
        set(INTEREST | QUIESCED);
        look();
        assertEquals(0, before);
        assertEquals(INTEREST | QUIESCED, value());
        assertTrue(region.isValid());
    }

    @Test
    void aRegionThatIsClosedIsNotLookedAt() {
        swapOut(region);
        settle();
        region.close();
        look();
        assertEquals(0, errands.left());
    }

    @Test
    void oneSwapOutIsWatchedOnceHoweverOftenItIsBegun() {
        set(1);
        for (int i = 0; i < 5; i++) {
            swapOut(region);
            assertTrue(hypervisor.callOff(region));
        }
        swapOut(region);
        look();
        assertEquals(1, errands.left());
    }

    @Test
    void nonsenseInTheWordDelaysItsOwnSwapOutOnly() {
        set(0x7fff_ffff_ffffL);
        CompletableFuture<SwapOut> out = out(region);
        for (long nonsense : new long[] {-1 & ~QUIESCED, 1, Long.MAX_VALUE & ~QUIESCED, 0xffff_ffffL}) {
            set(nonsense & ~INTEREST);
            look();
            assertFalse(out.isDone());
            assertEquals(Verdict.GRANTED, write(region));
        }
        assertTrue(hypervisor.callOff(region));
        settle();
        assertTrue(failed(out));
        Region other = register(memory(true));
        out = out(other);
        settle();
        assertTrue(succeeded(out));
    }

    // --- memory of the word that ends

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void aWordLostBeforeKeepsTheRegionIn(long count) {
        set(count);
        arena.close();
        CompletableFuture<SwapOut> out = out(region);
        look();
        assertEquals(SwapOut.State.WORD_LOST, out.join().state());
        assertTrue(region.isValid());
        assertEquals(Verdict.GRANTED, write(region));
        assertTrue(hypervisor.swapOutColdest().isEmpty(), "it is no candidate any more");
    }

    @Test
    void aWordLostWhileQuiescingCallsTheSwapOutOff() {
        List<String> told = new ArrayList<>();
        set(1);
        CompletableFuture<SwapOut> out = out(region);
        region.currentIo().onResume(() -> told.add("resumed"));
        arena.close();
        look();
        assertTrue(failed(out));
        assertTrue(region.isValid());
        assertEquals(List.of("resumed"), told);
        assertEquals(0, errands.left());
    }

    @Test
    void aWordLostWhileTheRegionIsOutLetsItBeSwappedIn() {
        memory.write(0, pattern);
        swapOut(region);
        settle();
        arena.close();
        look();
        assertEquals(0, errands.left());
        assertFalse(region.isValid());
        region.currentIo().interest();
        settle();
        assertTrue(region.isValid());
        assertHoldsPattern(memory);
        assertTrue(failed(out(region)));
    }

    @Test
    void wiredMemoryThatALostWordKeepsFreesNoPins() {
        MemorySwap swap = ((PagedMemory) memory).swap();
        assertEquals(1, swap.toFreePins().size());
        arena.close();
        assertThrows(IllegalStateException.class, region.currentIo()::begin);
        assertEquals(List.of(), swap.toFreePins());
    }

    // --- shared regions

    @Test
    void aSharedRegionHasACurrentIoOfItsOwn() {
        memory.write(0, pattern);
        MemorySegment second = arena.allocate(8, 8);
        Region shared = keep(table.share(region, table.createDomain(), Tables.ALL, options(second)));
        second.set(ValueLayout.JAVA_LONG, 0, 1);
        assertTrue(succeeded(out(region)));
        assertEquals(QUIESCE, value());
        assertEquals(1, second.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(PAGES, resident(memory), "the shared region is valid");
        CompletableFuture<SwapOut> out = out(shared);
        look();
        assertFalse(out.isDone());
        second.set(ValueLayout.JAVA_LONG, 0, QUIESCE);
        look();
        assertTrue(succeeded(out));
        assertEquals(0, resident(memory));
        swapIn(shared);
        settle();
        assertTrue(shared.isValid());
        assertFalse(region.isValid());
        swapIn(region);
        settle();
        assertHoldsPattern(memory);
    }

    @Test
    void aRegionWithoutACurrentIoCanBeSharedWithOne() {
        ManagedMemory other = memory(false);
        Region plain = keep(table.register(domain, other, 0, Tables.ALL));
        Region shared = keep(table.share(plain, domain, Tables.ALL, CurrentIoOptions.of(CurrentIo.Mode.LIBRARY)));
        assertTrue(table.countsOperations());
        assertTrue(succeeded(out(shared)));
        assertEquals(Verdict.QUIESCED, write(shared));
        assertEquals(Verdict.GRANTED, write(plain));
        assertThrows(IllegalStateException.class, () -> hypervisor.swapOut(plain));
    }

    // --- memory that cannot be swapped out

    @Test
    void memoryThatStaysIsRefusedACurrentIo() {
        String expected = " found, memory of a hypervisor expected: a region with a current I/O may be swapped out,"
                + " and this memory stays in its place";
        try (MachineMemory machine = new MachineMemory(MACHINE);
                ManagedMemory stays = machine.allocate(4096);
                Region plain = table.register(domain, stays, 0, Tables.ALL);
                Region foreign = table.register(domain, pattern, Tables.ALL)) {
            CurrentIoOptions mine = CurrentIoOptions.of(CurrentIo.Mode.CONSUMER);
            int before = domain.entries();
            assertEquals(
                    "machine memory" + expected,
                    assertThrows(
                                    IllegalArgumentException.class,
                                    () -> table.register(
                                            domain, stays, 0, Tables.ALL, CurrentIoOptions.of(CurrentIo.Mode.LIBRARY)))
                            .getMessage());
            assertEquals(
                    "machine memory" + expected,
                    assertThrows(IllegalArgumentException.class, () -> table.share(plain, domain, Tables.ALL, mine))
                            .getMessage());
            assertEquals(
                    "native memory of the consumer" + expected,
                    assertThrows(IllegalArgumentException.class, () -> table.share(foreign, domain, Tables.ALL, mine))
                            .getMessage());
            assertEquals(before, domain.entries());
            assertFalse(table.countsOperations());
        }
    }
}
