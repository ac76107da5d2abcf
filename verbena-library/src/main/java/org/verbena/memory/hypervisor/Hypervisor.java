package org.verbena.memory.hypervisor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.Region;
import org.verbena.memory.machine.MachineFrames;
import org.verbena.memory.paging.ClockPolicy;
import org.verbena.memory.paging.EvictionPolicy;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.S3FifoPolicy;
import org.verbena.memory.protection.TableRegion;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.StoreStatistics;
import org.verbena.memory.swapping.ErrandThread;
import org.verbena.memory.swapping.Errands;
import org.verbena.memory.swapping.HostPaging;
import org.verbena.memory.swapping.PagedMemory;
import org.verbena.memory.swapping.RegionSwap;
import org.verbena.memory.swapping.Relief;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.time.Durations;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * Arbiter of machine memory among domains: owns the frames and the page store, and pages. Any thread.
 *
 * <p>It owns its store and closes it.
 */
public final class Hypervisor implements AutoCloseable {
    private final MachineMemory machine;
    private final HostPaging paging;
    private final Pager pager;
    private final Sizing sizing;
    private final Domain host;
    private final AtomicInteger domainIds = new AtomicInteger(FrameMemory.HOST);
    private final Map<Integer, Domain> guests = new ConcurrentSkipListMap<>();
    private final AtomicLong faultsOfClosedGuests = new AtomicLong();
    private final MemoryMetrics metrics;

    /** How frames are chosen to lose their pages. */
    public enum Policy {
        /** First in, first out, with a second chance for pages that were touched. */
        CLOCK,
        /** New pages prove themselves in a small queue first: streams do not drive out what is used. */
        S3_FIFO;

        EvictionPolicy of(int frames) {
            return switch (this) {
                case CLOCK -> new ClockPolicy(frames);
                case S3_FIFO -> new S3FifoPolicy(frames);
            };
        }
    }

    private Hypervisor(MachineFrames frames, PageStore store, HypervisorOptions options, Errands errands) {
        this.machine = new MachineMemory(frames);
        this.pager = new Pager(store, frames.supply(), options.policy().of(frames.framesMax()), null, frames.frames());
        this.paging = new HostPaging(frames, store, pager, options.waitLimit(), errands);
        this.metrics = new MemoryMetrics(options.metrics(), options.name(), machine, store);
        this.host = new Domain(this, paging);
        this.sizing = new Sizing(paging);
        frames.claimant(sizing);
    }

    /**
     * Takes machine memory and opens the store.
     *
     * @throws java.io.UncheckedIOException if the store's file cannot be made
     * @throws UnsupportedOperationException if the store is a file, and the system is not Linux
     */
    public static Hypervisor open(HypervisorOptions options) {
        return open(options, new ErrandThread());
    }

    static Hypervisor open(HypervisorOptions options, Errands errands) {
        MachineFrames frames = new MachineFrames(options.memory(), options.memoryMax());
        try {
            return new Hypervisor(frames, options.store().get(), options, errands);
        } catch (RuntimeException noStore) {
            frames.close();
            throw noStore;
        }
    }

    /** The frames. */
    public MachineMemory machine() {
        return machine;
    }

    /** Domain 0: its memory is translated once. */
    public Domain host() {
        return host;
    }

    /**
     * A new guest, with an id nobody had before. Its physical memory is paged by the host, so that guests may have far more of
     * it between them than there is machine memory.
     */
    public Domain createGuest(GuestOptions options) {
        Domain guest = new Domain(this, paging, domainIds.incrementAndGet(), options);
        guests.put(guest.id(), guest);
        return guest;
    }

    /** The host and the guests that are open, by id. */
    public List<Domain> domains() {
        List<Domain> all = new ArrayList<>();
        all.add(host);
        all.addAll(guests.values());
        return all;
    }

    /** The domain of an id, as a region has it: {@link Region#memoryDomain}. Empty if it was closed or never was. */
    public Optional<Domain> domain(int id) {
        return id == FrameMemory.HOST ? Optional.of(host) : Optional.ofNullable(guests.get(id));
    }

    void forget(Domain guest) {
        if (guests.remove(guest.id(), guest)) {
            faultsOfClosedGuests.getAndAdd(guest.faults().stageTwo());
        }
    }

    /** Of all the host's driver was asked for, what was not for guests. */
    DomainFaults hostFaults() {
        long forGuests = faultsOfClosedGuests.get();
        for (Domain guest : guests.values()) {
            forGuests += guest.faults().stageTwo();
        }
        return new DomainFaults(Math.max(0, pager.counters().value(PagingCounter.FAULTS) - forGuests), 0);
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
        return paging.store().statistics();
    }

    /** What the page store is and where, for people. */
    public String storeName() {
        return paging.store().name();
    }

    MemoryMetrics metrics() {
        return metrics;
    }

    /** The part of paging that its domains share. */
    HostPaging paging() {
        return paging;
    }

    // --- swapping regions

    /**
     * Takes a region out of machine memory: asks its consumer for quiesce, and when nothing is under way, or the consumer
     * says so, makes it invalid, writes its pages out and frees their frames. Its key stays.
     *
     * <p>If the store does not take a page all is called off. Pages of memory that a valid region shares stay, and so do those
     * that somebody has pinned.
     *
     * @return ends when the frames are free, or with the reason why not; what depends on it is run by the thread that swaps, and
     *     must not block
     * @throws IllegalArgumentException if the region's memory is not of this hypervisor's
     * @throws IllegalStateException if the region was registered without a current-I/O field
     */
    public CompletableFuture<Void> swapOut(Region region) {
        return swapOf(region).swapOut();
    }

    /**
     * Swaps a region out and waits; calls it off if the consumer needs longer than the timeout, or the caller is interrupted.
     *
     * @return false if it was called off, by the timeout or somebody else
     */
    public boolean swapOut(Region region, Duration timeout) throws InterruptedException {
        RegionSwap swap = swapOf(region);
        CompletableFuture<Void> out = swap.swapOut();
        try {
            out.get(Durations.toNanos(timeout), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            swap.callOff(out);
            throw interrupted;
        } catch (TimeoutException late) {
            if (swap.callOff(out)) {
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
        TableRegion registered = TableRegion.of(region);
        PagedMemory memory = PagedMemory.of(registered);
        if (memory == null || memory.swap().host() != paging) {
            throw new IllegalArgumentException(region + " is not in memory that this hypervisor pages");
        }
        CurrentIo _ = region.currentIo();
        RegionSwap swap = memory.swap().of(registered);
        if (swap == null) {
            throw new IllegalStateException(region + " is closed");
        }
        return swap;
    }

    /**
     * Under memory pressure: swaps out the region that has not been accessed for longest, counted in calls of this method, among
     * those whose owners allow it. A consumer that is not quiet soon keeps its region, and another is tried the next time.
     *
     * @return as {@link #swapOut(Region)}; empty if there is none
     */
    public Optional<CompletableFuture<Void>> swapOutColdest() {
        RegionSwap coldest = paging.relief().coldest(_ -> true);
        return coldest == null ? Optional.empty() : Optional.of(coldest.swapOut(Relief.PATIENCE_MS));
    }

    /**
     * Whether it swaps regions of wired memory out by itself, the coldest first: when somebody wants to pin more than can be, since
     * wired memory is allocated or swapped in, and when pages have waited for frames for 50 ms and eviction found none. Who asked
     * for pins is refused, and can ask again when the region is out; a region that is waited for comes by itself then, and so do
     * pages. Off at first.
     */
    public void swapUnderPressure(boolean allowed) {
        paging.relief().allow(allowed);
    }

    /**
     * Changes how much machine memory there is, while it is in use. To have less, pages lose their frames first, as in any
     * eviction, and the caller waits; the real memory then goes back to the operating system.
     *
     * @param bytes whole extents of 64 KiB are counted
     * @throws IllegalArgumentException if it is less than {@link HypervisorOptions#MEMORY_MIN} or more than can be
     * @throws IllegalStateException if wired memory, pins or a page store that is full make it impossible; then nothing changes
     */
    public void resize(long bytes) {
        sizing.resize(bytes);
    }

    /** How machine memory is used at this moment. */
    public MemoryFigures figures() {
        return new MemoryFigures(
                machine.frames(),
                machine.framesMax() - machine.frames(),
                machine.framesWired(),
                pager.framesFree(),
                paging.pins(),
                pager.transit().taken(),
                pager.landing().taken(),
                pager.transfers(),
                pager.policyName(),
                pager.bytes(),
                pager.counters().snapshot());
    }

    /**
     * Closes the store and gives machine memory back. Idempotent.
     *
     * @throws IllegalStateException if managed memory or a guest is open, or consumers have pages pinned; nothing changes then
     */
    @Override
    public void close() {
        if (paging.close()) {
            metrics.close();
        }
    }

    @Override
    public String toString() {
        return paging.toString();
    }
}
