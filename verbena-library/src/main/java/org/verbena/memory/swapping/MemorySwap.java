package org.verbena.memory.swapping;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.SwapOut;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.RegionIo;
import org.verbena.memory.protection.TableRegion;
import org.verbena.memory.translation.PagedAccess;
import org.verbena.trace.PagingCounter;

/**
 * The regions on one memory, and the pins that keep its pages for them if it is wired. Pages of wired memory are pinned from
 * its allocation until the last region on it is swapped out, and again when the first region comes back.
 */
public final class MemorySwap {
    /** Milliseconds after which a swap-in that is not complete has the drivers retry. */
    private static final long POKE_MS = 10;

    /** Gets the result of a request for all pages: they are pinned, or cannot be had. Called in an errand. */
    @FunctionalInterface
    private interface Arrival {
        void onEnd(boolean all);
    }

    private final DomainPaging domain;
    private final Stage stage;
    private final boolean wired;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<TableRegion, @Nullable RegionSwap> regions = new HashMap<>();
    /** Registrations by send queues: they have no current I/O, so that nothing of the memory may be swapped out. */
    private final AtomicInteger taken = new AtomicInteger();

    private final List<Arrival> arrivals = new ArrayList<>();
    private @Nullable WiredPages kept;
    private boolean closed;

    MemorySwap(DomainPaging domain, Stage stage, boolean wired) {
        this.domain = domain;
        this.stage = stage;
        this.wired = wired;
    }

    /** The hypervisor that swaps. */
    public HostPaging host() {
        return domain.host();
    }

    Errands errands() {
        return host().errands();
    }

    /** Guards this and the swapping of all its regions. No action of a consumer is called under it. */
    ReentrantLock lock() {
        return lock;
    }

    void count(PagingCounter what) {
        domain.counters().add(what);
    }

    /** Waits until all pages are there. */
    public void wire() {
        Thread waiting = Thread.currentThread();
        var pages = new WiredPages(domain, stage, (_, _) -> LockSupport.unpark(waiting));
        pages.acquire();
        Hindrance hindrance = new Hindrance(domain, stage);
        while (!pages.hasEnded()) {
            long before = pages.missing();
            if (!domain.await(() -> pages.hasEnded() || pages.missing() < before)) {
                long late = pages.firstMissing();
                pages.release();
                throw hindrance.over("wired memory", late);
            }
        }
        if (pages.isRefused()) {
            throw new IllegalStateException("a page of wired memory cannot be had");
        }
        boolean late;
        lock.lock();
        try {
            late = closed;
            kept = late ? null : pages;
        } finally {
            lock.unlock();
        }
        if (late) {
            pages.release();
            throw new IllegalStateException("the memory was closed while it was being wired");
        }
    }

    void onRegistered(TableRegion region) {
        RegionIo io = region.currentIoOrNull();
        RegionSwap swap = io == null ? null : new RegionSwap(this, io, pagesOf(region, 0, region.length()));
        boolean missing;
        lock.lock();
        try {
            regions.put(region, swap);
            missing = wired && kept == null;
        } finally {
            lock.unlock();
        }
        if (swap != null) {
            host().relief().swappable().add(region);
        }
        if (missing) {
            errands().run(() -> keep(_ -> {})); // until then its pages are brought in when they are accessed
        }
    }

    void onClosed(TableRegion region) {
        lock.lock();
        try {
            regions.remove(region);
        } finally {
            lock.unlock();
        }
        host().relief().swappable().remove(region);
    }

    /** A send queue registers part of the memory: its pages are needed. */
    void onTaken() {
        taken.incrementAndGet();
        boolean missing;
        lock.lock();
        try {
            missing = wired && kept == null;
        } finally {
            lock.unlock();
        }
        if (missing) {
            errands().run(() -> keep(_ -> {}));
        }
    }

    /** The end of such a registration. */
    void onGivenBack() {
        taken.decrementAndGet();
    }

    /** The swapping of a region; null if the region is closed or may not be swapped out. */
    public @Nullable RegionSwap of(TableRegion region) {
        lock.lock();
        try {
            return regions.get(region);
        } finally {
            lock.unlock();
        }
    }

    /** Whether a region is valid or is being swapped in. Under the lock. */
    private boolean isNeeded() {
        return taken.get() > 0 || regions.values().stream().anyMatch(swap -> swap == null || swap.needsPages());
    }

    /** The pages that regions have which are valid or are being swapped in; all pages if a send queue has registered memory. */
    BitSet neededPages() {
        BitSet needed = new BitSet();
        lock.lock();
        try {
            if (taken.get() > 0) {
                needed.set(0, (int) stage.table().pages());
                return needed;
            }
            regions.forEach((region, swap) -> {
                if (swap == null || swap.needsPages()) {
                    needed.or(pagesOf(region, 0, region.length()));
                }
            });
        } finally {
            lock.unlock();
        }
        return needed;
    }

    /**
     * The pages of the memory in which a part of a region lies, those at its ends included.
     *
     * @throws IllegalArgumentException if the region has no such part
     */
    public static BitSet pagesOf(TableRegion region, long offset, long length) {
        if (offset < 0 || length < 1 || length > region.length() - offset) {
            throw new IllegalArgumentException(
                    length + " bytes at offset " + offset + " found; the region has " + region.length());
        }
        BitSet pages = new BitSet();
        long from = region.backingOffset() + offset;
        pages.set((int) PagedAccess.page(from), (int) PagedAccess.page(from + length - 1) + 1);
        return pages;
    }

    /**
     * The regions that must be swapped out so that pins become free; none if that frees no pin, or a region may not be
     * swapped out.
     */
    List<RegionSwap> toFreePins() {
        lock.lock();
        try {
            boolean stays = regions.values().stream().anyMatch(swap -> swap == null || swap.stays());
            if (kept == null || stays || taken.get() > 0) {
                return List.of();
            }
            List<RegionSwap> all = new ArrayList<>();
            for (RegionSwap swap : regions.values()) {
                if (swap != null && swap.needsPages()) {
                    all.add(swap);
                }
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Takes pages of a region that is invalid now out of machine memory, unless another region needs them. An errand. */
    void writeOut(BitSet pages, RegionSwap swap) {
        WiredPages free = null;
        lock.lock();
        try {
            if (!isNeeded()) {
                free = kept;
                kept = null;
            }
        } finally {
            lock.unlock();
        }
        if (free != null) {
            free.release();
        }
        evict(
                pages,
                (freed, pinned, shared, failed) -> errands()
                        .run(() -> swap.onWritten(new SwapOut(
                                failed == 0 ? SwapOut.State.OUT : SwapOut.State.STORE_FAILED, freed, pinned, shared))));
    }

    private void evict(BitSet pages, PageEviction.Listener listener) {
        new PageEviction(domain, stage, listener).start(pages, neededPages());
    }

    /** Brings in and pins all pages of wired memory; prefetches some pages of other memory. An errand. */
    void bringIn(BitSet pages, RegionSwap swap) {
        if (wired) {
            keep(swap::onBroughtIn);
        } else {
            for (int first = pages.nextSetBit(0); first >= 0; ) {
                int end = pages.nextClearBit(first);
                stage.driver().prefetch(stage, first, end - first);
                first = pages.nextSetBit(end);
            }
            for (@Nullable Stage asked = stage; asked != null; asked = asked.below()) {
                asked.driver().poke();
            }
            swap.onBroughtIn(true);
        }
    }

    private void keep(Arrival listener) {
        boolean there;
        boolean first;
        lock.lock();
        try {
            there = kept != null;
            first = !there && arrivals.isEmpty();
            if (!there) {
                arrivals.add(listener);
            }
        } finally {
            lock.unlock();
        }
        if (there) {
            listener.onEnd(true);
        } else if (first) {
            acquire();
        }
    }

    private void acquire() {
        WiredPages pages;
        long before = host().relief().pinsReleased();
        try {
            pages = new WiredPages(domain, stage, this::onAcquired);
        } catch (IllegalStateException tooMuch) {
            tell(null);
            host().relief().awaitPins(this, before);
            return;
        }
        pages.acquire();
        pokeUntilEnded(pages);
    }

    /**
     * Has the drivers retry until all pages have an answer. The frames may be pinned or the store may be full; no other event
     * would start the retry.
     */
    private void pokeUntilEnded(WiredPages pages) {
        if (!pages.hasEnded()) {
            errands().runLater(POKE_MS, () -> pokeUntilEnded(pages));
        }
    }

    /** Called after pins were released: retries the regions that are wanted and could not be swapped in. An errand. */
    void onPinsLeft() {
        List<RegionSwap> waiting = new ArrayList<>();
        boolean missing;
        lock.lock();
        try {
            missing = kept == null && isNeeded();
            for (RegionSwap swap : regions.values()) {
                if (swap != null) {
                    waiting.add(swap);
                }
            }
        } finally {
            lock.unlock();
        }
        waiting.forEach(RegionSwap::onPinsLeft);
        if (missing) {
            keep(_ -> {});
        }
    }

    private void onAcquired(WiredPages pages, boolean all) {
        errands().run(() -> tell(all ? pages : null));
    }

    /**
     * Passes on the result of a request for all pages. The pages may come too late: the regions they were for are swapped out
     * again, or closed.
     */
    private void tell(@Nullable WiredPages pages) {
        List<Arrival> told;
        boolean late;
        boolean out;
        lock.lock();
        try {
            out = !isNeeded() && !regions.isEmpty();
            late = closed || out;
            kept = late ? null : pages;
            told = List.copyOf(arrivals);
            arrivals.clear();
        } finally {
            lock.unlock();
        }
        if (late && pages != null) {
            pages.release();
            if (out) {
                BitSet all = new BitSet();
                all.set(0, Math.toIntExact(stage.table().pages()));
                evict(all, (_, _, _, _) -> {});
            }
        }
        told.forEach(arrival -> arrival.onEnd(pages != null));
    }

    /** Releases all pages, because the memory is closed. */
    void close() {
        WiredPages free;
        lock.lock();
        try {
            closed = true;
            free = kept;
            kept = null;
        } finally {
            lock.unlock();
        }
        host().relief().awaitNoPins(this);
        if (free != null) {
            free.release();
        }
    }
}
