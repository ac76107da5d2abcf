package org.verbena.memory;

import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.memory.paging.ClockPolicy;
import org.verbena.memory.paging.EvictionPolicy;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.S3FifoPolicy;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.StoreStatistics;
import org.verbena.trace.PagingCounters;

/**
 * Arbiter of machine memory among domains: owns the frames and the page store, and pages. Any thread.
 *
 * <p>It owns its store and closes it.
 */
public final class Hypervisor implements AutoCloseable {
    private final MachineMemory machine;
    private final PageStore store;
    private final Pager pager;
    private final Domain host;
    private final HoldCount memories = new HoldCount();
    private final AtomicInteger pins = new AtomicInteger();

    /** How frames are chosen to lose their pages. */
    public enum Policy {
        /** First in, first out, with a second chance for pages that were touched. */
        CLOCK,
        /** New pages prove themselves in a small queue first: streams do not drive out what is used. */
        S3_FIFO
    }

    private Hypervisor(MachineMemory machine, PageStore store, Policy policy) {
        this.store = store;
        this.machine = machine;
        EvictionPolicy chosen = switch (policy) {
            case CLOCK -> new ClockPolicy(machine.frames());
            case S3_FIFO -> new S3FifoPolicy(machine.frames());
        };
        this.pager = new Pager(store, machine.supply(), chosen, null, machine.frames());
        this.host = new Domain(this, Domain.HOST, pager);
    }

    /**
     * Takes machine memory and opens the store.
     *
     * @throws java.io.UncheckedIOException if the store's file cannot be made
     * @throws UnsupportedOperationException if it is to be in a file, and the system is not Linux
     */
    public static Hypervisor open(HypervisorOptions options) {
        MachineMemory machine = new MachineMemory(options.memory());
        try {
            return new Hypervisor(machine, options.store().get(), options.policy());
        } catch (RuntimeException noStore) {
            machine.close();
            throw noStore;
        }
    }

    /** With a store of the caller's. */
    public static Hypervisor open(long bytes, PageStore store, Policy policy) {
        return open(HypervisorOptions.of(bytes).withStore(store).withPolicy(policy));
    }

    /** The frames. */
    public MachineMemory machine() {
        return machine;
    }

    /** Domain 0: its memory is translated once. */
    public Domain host() {
        return host;
    }

    /** What happened to pages of the host and to guests' physical pages. */
    public PagingCounters counters() {
        return pager.counters();
    }

    /** Frames that could be had without an eviction. */
    public int framesFree() {
        return pager.framesFree();
    }

    /** What the page store did and how long that took; grows on. */
    public StoreStatistics storeStatistics() {
        return store.statistics();
    }

    /** What the page store is and where, for people. */
    public String storeName() {
        return store.name();
    }

    PageStore store() {
        return store;
    }

    Pager pager() {
        return pager;
    }

    ManagedMemory allocate(Pager domainPager, long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("cannot allocate " + bytes + " bytes");
        }
        memories.hold(this);
        return new PagedMemory(this, domainPager, bytes);
    }

    void release() {
        memories.release();
    }

    /** A consumer wants to pin so many pages more. */
    void admitPins(int pages) {
        int max = machine.frames() / 2;
        if (pins.addAndGet(pages) > max) {
            pins.getAndAdd(-pages);
            throw new IllegalStateException("consumers can pin " + max + " pages at a time, half of machine memory; "
                    + pins.get() + " are pinned, " + pages + " more are wanted");
        }
    }

    void dismissPins(int pages) {
        pins.getAndAdd(-pages);
    }

    /**
     * Closes the store and gives machine memory back. Refused with an {@link IllegalStateException} while managed memory is
     * open; idempotent.
     */
    @Override
    public void close() {
        if (memories.close(this)) {
            store.close();
            pager.owe(machine.frames());
            machine.close();
        }
    }

    @Override
    public String toString() {
        return "hypervisor of " + machine + ", " + pager;
    }
}
