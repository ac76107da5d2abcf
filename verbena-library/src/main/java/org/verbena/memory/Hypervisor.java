package org.verbena.memory;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final AtomicBoolean relieving = new AtomicBoolean();
    private volatile boolean relieves;
    /** Regions whose owners allow that they are swapped out, in the order of registration. */
    private final Set<Region> swappable = Collections.synchronizedSet(new LinkedHashSet<>());

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
        return new PagedMemory(this, domainPager, bytes, false);
    }

    ManagedMemory allocateWired(Pager domainPager, long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("cannot allocate " + bytes + " bytes");
        }
        memories.hold(this);
        PagedMemory memory = new PagedMemory(this, domainPager, bytes, true);
        try {
            memory.swap().wire();
        } catch (IllegalStateException tooMuch) {
            memory.close();
            throw tooMuch;
        }
        return memory;
    }

    // --- swapping regions

    /**
     * Takes a region out of machine memory: asks its consumer for quiesce, and when nothing is under way, or the consumer
     * says so, makes it invalid, writes its pages out and frees their frames. Its key stays.
     *
     * <p>If the store does not take a page all is called off. Pages of memory that a valid region shares stay, and so do those
     * that somebody has pinned.
     *
     * @return ends when the frames are free, or with the reason why not; whoever ends it runs what depends on it, which must not
     *     block
     * @throws IllegalArgumentException if the region's memory is not of this hypervisor's
     * @throws IllegalStateException if the region was registered without a current-I/O field
     */
    public CompletableFuture<Void> swapOut(Region region) {
        return swapOf(region).swapOut();
    }

    /**
     * Swaps a region out and waits; calls it off if the consumer needs longer than the timeout.
     *
     * @return false if it was called off, by the timeout or somebody else
     */
    public boolean swapOut(Region region, Duration timeout) throws InterruptedException {
        CompletableFuture<Void> out = swapOut(region);
        try {
            out.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            if (swapOf(region).callOff()) {
                return false;
            }
            out.exceptionally(_ -> null).join(); // on its way to the store: that ends
        } catch (ExecutionException calledOff) {
            return false;
        }
        return !out.isCompletedExceptionally();
    }

    /** Calls a swap-out off that still waits for the consumer; false if there is none. */
    public boolean callOff(Region region) {
        return swapOf(region).callOff();
    }

    /**
     * Brings a region back, to whatever frames are free, under the key it had; whoever waits for it is woken. All pages of wired
     * memory are brought in before; those of other memory come as they are touched.
     *
     * @return ends when the region is valid, or with the reason why it stays swapped out; it can be tried again
     */
    public CompletableFuture<Void> swapIn(Region region) {
        return swapOf(region).swapIn();
    }

    private RegionSwap swapOf(Region region) {
        PagedMemory memory = region.backing().pagedMemory();
        if (memory == null || memory.swap().hypervisor() != this) {
            throw new IllegalArgumentException(region + " is not in memory that this hypervisor pages");
        }
        CurrentIo _ = region.currentIo();
        RegionSwap swap = memory.swap().of(region);
        if (swap == null) {
            throw new IllegalStateException(region + " is closed");
        }
        return swap;
    }

    /**
     * Under memory pressure: swaps out the region that has not been accessed for longest, counted in calls of this method, among
     * those whose owners allow it.
     *
     * @return as {@link #swapOut(Region)}; empty if there is none
     */
    public Optional<CompletableFuture<Void>> swapOutColdest() {
        Region coldest = null;
        int greatest = -1;
        synchronized (swappable) {
            for (Region region : swappable) {
                PagedMemory memory = region.backing().pagedMemory();
                RegionSwap swap = memory == null ? null : memory.swap().of(region);
                int age = swap == null ? -1 : swap.age();
                if (age > greatest) {
                    greatest = age;
                    coldest = region;
                }
            }
        }
        return Optional.ofNullable(coldest).map(this::swapOut);
    }

    /**
     * Whether it swaps the coldest region out by itself when somebody wants to pin more than can be: wired memory is allocated, or
     * swapped in. Who asked is refused, and can ask again when the region is out. Off at first.
     */
    public void swapUnderPressure(boolean allowed) {
        relieves = allowed;
    }

    private void relieve() {
        if (relieves && relieving.compareAndSet(false, true)) {
            Optional<CompletableFuture<Void>> relief = swapOutColdest();
            if (relief.isEmpty()) {
                relieving.set(false);
            } else {
                CompletableFuture<Void> _ = relief.get().whenComplete((_, _) -> relieving.set(false));
            }
        }
    }

    Set<Region> swappable() {
        return swappable;
    }

    void release() {
        memories.release();
    }

    /** A consumer wants to pin so many pages more. */
    void admitPins(int pages) {
        int max = machine.frames() / 2;
        if (pins.addAndGet(pages) > max) {
            pins.getAndAdd(-pages);
            relieve();
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
