package org.verbena.memory.swapping;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.PagingProbe;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** Regions to be swapped out and in, in virtual time: nothing happens but what a test has happen. */
abstract class SwapStand {
    static final long MACHINE = 1 << 20;
    static final int PAGES = 40;
    static final long BYTES = PAGES * 4096L;

    final VirtualClock clock = new VirtualClock();
    final SimulatedPageStore store = new SimulatedPageStore(clock, ServiceTime.DISK, new Seed(3));
    final ErrandsByHand errands = new ErrandsByHand();
    final Hypervisor hypervisor = PagingProbe.open(
            HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK), errands);
    final ProtectionTable table = Tables.table();
    final ProtectionDomain domain = table.createDomain();
    final Accessor peer = Accessor.remote(domain, 5, Right.REMOTE_WRITE);
    final MemorySegment pattern = Arena.ofAuto().allocate(BYTES, 8);
    final List<ManagedMemory> memories = new ArrayList<>();
    final List<Region> regions = new ArrayList<>();

    SwapStand() {
        Seed seed = new Seed(11);
        for (long at = 0; at < BYTES; at += 8) {
            pattern.set(ValueLayout.JAVA_LONG, at, seed.nextLong());
        }
    }

    @AfterEach
    void nothingIsLost() {
        regions.forEach(Region::close);
        memories.forEach(ManagedMemory::close);
        settle();
        hypervisor.close();
    }

    ManagedMemory memory(boolean wired) {
        ManagedMemory memory = wired
                ? hypervisor.host().allocateWired(BYTES)
                : hypervisor.host().allocate(BYTES);
        memories.add(memory);
        return memory;
    }

    Region register(ManagedMemory memory) {
        return keep(table.register(domain, memory, 0, Tables.ALL, CurrentIoOptions.of(CurrentIo.Mode.CONSUMER)));
    }

    Region keep(Region region) {
        regions.add(region);
        return region;
    }

    /** Time passes until the store and the errands have nothing left to do. */
    void settle() {
        while (errands.work() > 0 || store.nextDeadlineNs() != Long.MAX_VALUE) {
            if (store.nextDeadlineNs() == Long.MAX_VALUE) {
                continue;
            }
            clock.advance(Math.max(0, store.nextDeadlineNs() - clock.nowNs()));
            store.work(clock.nowNs());
        }
    }

    static long resident(ManagedMemory memory) {
        return memory.residency().resident();
    }

    Verdict write(Region region) {
        return table.place(peer, region.key(), 0, pattern, 0, 64);
    }

    void assertHoldsPattern(ManagedMemory memory) {
        MemorySegment copy = Arena.ofAuto().allocate(BYTES, 8);
        memory.read(0, copy);
        assertEquals(-1, copy.mismatch(pattern));
    }

    /** The errands run, but no time passes. */
    CompletableFuture<SwapOut> out(Region region) {
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
        errands.work();
        return out;
    }

    CompletableFuture<Void> in(Region region) {
        CompletableFuture<Void> in = hypervisor.swapIn(region);
        errands.work();
        return in;
    }

    void swapOut(Region region) {
        CompletableFuture<SwapOut> _ = out(region);
    }

    void swapIn(Region region) {
        CompletableFuture<Void> _ = in(region);
    }

    static boolean failed(CompletableFuture<?> future) {
        return future.isDone() && !succeeded(future);
    }

    static boolean succeeded(CompletableFuture<?> future) {
        return future.isDone()
                && !future.isCompletedExceptionally()
                && !(future.join() instanceof SwapOut out && !out.isOut());
    }

    static List<Boolean> validity(List<Region> regions) {
        return regions.stream().map(Region::isValid).toList();
    }
}
