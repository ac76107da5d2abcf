package org.verbena.memory.hypervisor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
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
import org.verbena.memory.swapping.MemorySwap;
import org.verbena.memory.swapping.PagedMemory;
import org.verbena.memory.swapping.RegionSwap;
import org.verbena.memory.swapping.Relief;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.time.Durations;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * Arbiter of machine memory among domains: it owns the frames and the page store, and pages the host's memory and the guests'
 * physical memory. It closes its page store. Any thread.
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

    /** The choice of pages to be evicted. */
    public enum Policy {
        /** First in, first out, with a second chance for pages that were touched. */
        CLOCK,
        /**
         * New pages pass a small queue first, so that a stream of pages that are used once evicts no page that is used often.
         */
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
        this.metrics = new MemoryMetrics(options.metrics(), options.name(), machine, store, pager);
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
     * Creates a guest, with a new id. The host pages its physical memory, so that all guests together may have far more of it
     * than there is machine memory.
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

    /** The domain with an id, as in {@link Region#memoryDomain}. Empty if it was closed or never existed. */
    public Optional<Domain> domain(int id) {
        return id == FrameMemory.HOST ? Optional.of(host) : Optional.ofNullable(guests.get(id));
    }

    void forget(Domain guest) {
        if (guests.remove(guest.id(), guest)) {
            faultsOfClosedGuests.getAndAdd(guest.faults().stageTwo());
        }
    }

    /** The faults of the host's driver without those for guests. */
    DomainFaults hostFaults() {
        long forGuests = faultsOfClosedGuests.get();
        for (Domain guest : guests.values()) {
            forGuests += guest.faults().stageTwo();
        }
        return new DomainFaults(Math.max(0, pager.counters().value(PagingCounter.FAULTS) - forGuests), 0);
    }

    /** Counters of the host's pages and of guests' physical pages. */
    public PagingCounters counters() {
        return pager.counters();
    }

    /**
     * Has a listener told of the page faults that adapters meet in memory of the host and of the guests, on a virtual thread: of those
     * that begin from now on. A consumer's own access to its memory is no fault of an adapter.
     *
     * @return ends the calls when it is closed
     */
    public FaultWatch watchFaults(FaultListener listener) {
        return watchFaults(listener, new CallThread("fault-listener"));
    }

    /**
     * The same, on an executor.
     *
     * @param executor must run a call on another thread or later, never at once: an engine must not wait for the listener
     */
    public FaultWatch watchFaults(FaultListener listener, Executor executor) {
        return new FaultWatch(pager.faultEvents(), listener, executor);
    }

    /** Frames that are free without an eviction. */
    public int framesFree() {
        return pager.framesFree();
    }

    /** Counts and latencies of the page store; they keep growing. */
    public StoreStatistics storeStatistics() {
        return paging.store().statistics();
    }

    /** Kind and place of the page store, for people. */
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
     * Swaps a region out: asks its consumer for quiesce; when no operation is under way, or the consumer calls {@link
     * CurrentIo#quiesced}, makes the region invalid, writes its pages to the store and frees their frames. Its key stays.
     *
     * <p>Of a guest's region the frames of machine memory become free. The table of a guest's own driver stays as it is: the host
     * evicts the guest physical pages to which the region's pages are mapped.
     *
     * <p>Pages that are pinned stay, and so do pages that a valid region shares; the result counts them. If the store does not
     * take a page, the swap-out is called off. A second swap-out of the region that begins before the end of the first joins it.
     *
     * @return completes when the frames are free, or when it was called off; actions that depend on it are run by the thread
     *     that swaps and must not block
     * @throws IllegalArgumentException if the region is not in memory of this hypervisor
     * @throws IllegalStateException if the region is closed or was registered without a current-I/O field
     */
    public CompletableFuture<SwapOut> swapOut(Region region) {
        return swapOf(region).swapOut();
    }

    /**
     * Swaps a part of a region out, as {@link #swapOut(Region)} does. The region is invalid as a whole; of its pages only those in
     * which the part lies are written out. {@link #swapIn} brings the region back. Further parts of a region that is out can be
     * swapped out.
     *
     * @param offset from the first byte of the region
     * @throws IllegalArgumentException if the region has no such part, or is not in memory of this hypervisor
     * @throws IllegalStateException if the region is closed or was registered without a current-I/O field
     */
    public CompletableFuture<SwapOut> swapOut(Region region, long offset, long length) {
        RegionSwap swap = swapOf(region);
        return swap.swapOut(MemorySwap.pagesOf(TableRegion.of(region), offset, length));
    }

    /**
     * Swaps a region out and waits. Calls it off if the consumer takes longer than the timeout, or the caller is interrupted.
     *
     * @return as {@link #swapOut(Region)}; {@link SwapOut.State#CALLED_OFF} after the timeout
     */
    public SwapOut swapOut(Region region, Duration timeout) throws InterruptedException {
        RegionSwap swap = swapOf(region);
        CompletableFuture<SwapOut> out = swap.swapOut();
        try {
            return out.get(Durations.toNanos(timeout), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            swap.callOff(out);
            throw interrupted;
        } catch (TimeoutException late) {
            // If it cannot be called off, its pages are being written, which ends.
            return swap.callOff(out) ? SwapOut.of(SwapOut.State.CALLED_OFF) : out.join();
        } catch (ExecutionException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * Calls a swap-out off that still waits for the consumer.
     *
     * @return false if there is none
     */
    public boolean callOff(Region region) {
        return swapOf(region).callOff();
    }

    /**
     * Brings a region back into any free frames, under the same key, and wakes the threads that wait for it. All pages of
     * wired memory are brought in first; pages of other memory are brought in when they are accessed.
     *
     * @return completes when the region is valid, or with the reason why it stays swapped out; it can be tried again
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
     * Swaps out the region that has not been accessed for the largest number of calls of this method, among the regions whose
     * owners allow it. If its consumer is not quiet after 100 ms it is called off; the next call tries another region.
     *
     * @return as {@link #swapOut(Region)}; empty if there is none
     */
    public Optional<CompletableFuture<SwapOut>> swapOutColdest() {
        RegionSwap coldest = paging.relief().coldest(_ -> true);
        return coldest == null ? Optional.empty() : Optional.of(coldest.swapOut(Relief.PATIENCE_MS));
    }

    /**
     * Allows or forbids the hypervisor to swap out regions of wired memory by its own decision, the coldest first. It does so
     * in two cases: a request for pins was refused, or pages have waited 50 ms for frames and eviction found none. The
     * refused request can be made again when the region is out. Regions and pages that wait for the frames come in by
     * themselves then. Forbidden at first.
     */
    public void swapUnderPressure(boolean allowed) {
        paging.relief().allow(allowed);
    }

    /**
     * Changes the size of machine memory while it is in use. To make it smaller, pages are evicted and the caller waits; the
     * real memory then goes back to the operating system.
     *
     * @param bytes the new size; whole extents of 64 KiB are counted
     * @throws IllegalArgumentException if it is less than {@link HypervisorOptions#MEMORY_MIN} or more than {@link
     *     HypervisorOptions#memoryMax}
     * @throws IllegalStateException if wired memory, pins or a full page store make it impossible; then nothing changes
     */
    public void resize(long bytes) {
        sizing.resize(bytes);
    }

    /** The use of machine memory at this moment. */
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
