package org.verbena.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.function.IntSupplier;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.time.Seed;
import org.verbena.verbs.LocalSegment;
import org.verbena.wire.ib.Reth;

/** Pageable memory of an exchange's adapter, in a store in virtual time: a test says which pages are gone. */
public final class ColdMemory implements AutoCloseable {
    public static final int PAGE = 4096;
    private static final long ADDRESS = 0x7_0000_0000L;

    public final Region region;
    public final Hypervisor hypervisor;
    private final SimulatedPageStore store;
    private final ManagedMemory memory;

    /** A number of pages of zeros, all written and resident; the store takes a given time for each transfer. */
    public ColdMemory(Exchange wire, int pages, long serviceNs) {
        store = new SimulatedPageStore(wire.clock, new ServiceTime(serviceNs, 0, 0), new Seed(5));
        hypervisor = Hypervisor.open(
                HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
        memory = hypervisor.host().allocate((long) pages * PAGE);
        memory.write(0, MemorySegment.ofArray(new byte[pages * PAGE]));
        region = wire.adapter.register(wire.domain, memory, ADDRESS, EnumSet.allOf(Right.class));
        IntSupplier before = wire.beside;
        wire.beside = () -> before.getAsInt() + store.work(wire.clock.nowNs());
    }

    /** A part of it, as a request of the peer's names it. */
    public Reth reth(long offset, int length) {
        return new Reth(region.address() + offset, region.key(), length);
    }

    public LocalSegment segment(long offset, long length) {
        return LocalSegment.of(region, offset, length);
    }

    /** Puts a pattern into it and returns it. */
    public byte[] fill(long offset, int length, int seed) {
        byte[] bytes = Exchange.pattern(length, seed);
        memory.write(offset, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /** What is there, brought in if need be: no virtual time passes. */
    public byte[] bytesAt(long offset, int length) {
        byte[] bytes = new byte[length];
        memory.read(offset, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /** These pages are in the store only, from now on. */
    public void evict(int... pages) {
        for (int page : pages) {
            assertEquals(0, Eviction.evict(hypervisor, store, memory, page, 1), "pinned pages");
        }
    }

    /** No page can be read any more. */
    public void lose() {
        store.inject(StoreFaults.NONE.readErrorRate(1));
    }

    /** The next read does not end. */
    public void stall() {
        store.inject(StoreFaults.NONE.stallReadAt(1));
    }

    /** What did not end does now. */
    public void resume() {
        store.resume();
    }

    @Override
    public void close() {
        region.close();
        memory.close();
        hypervisor.close();
    }
}
