package org.verbena.memory.swapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.RegionIo;
import org.verbena.memory.protection.TableRegion;
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
        RegionSwap swap = io == null ? null : new RegionSwap(this, io);
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
        return regions.values().stream().anyMatch(swap -> swap == null || swap.needsPages());
    }

    /**
     * The regions that must be swapped out so that pins become free; none if that frees no pin, or a region may not be
     * swapped out.
     */
    List<RegionSwap> toFreePins() {
        lock.lock();
        try {
            if (kept == null || regions.containsValue(null)) {
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

    /** Writes all pages out, unless another region needs them. An errand. */
    void writeOut(RegionSwap swap) {
        WiredPages free = null;
        boolean needed;
        lock.lock();
        try {
            needed = isNeeded(); // by other regions: this one is being swapped out
            if (!needed) {
                free = kept;
                kept = null;
            }
        } finally {
            lock.unlock();
        }
        if (free != null) {
            free.release();
        }
        if (needed || !(stage.driver() instanceof Pager pager)) {
            swap.onWritten(true); // a guest's own driver decides on the pages that it has mapped
        } else {
            pager.evict(
                    stage, 0, stage.table().pages(), (_, failed) -> errands().run(() -> swap.onWritten(failed == 0)));
        }
    }

    /** Brings in and pins all pages of wired memory; prefetches pages of other memory. An errand. */
    void bringIn(RegionSwap swap) {
        if (wired) {
            keep(swap::onBroughtIn);
        } else {
            stage.driver().prefetch(stage, 0, stage.table().pages());
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
            if (out && stage.driver() instanceof Pager pager) {
                pager.evict(stage, 0, stage.table().pages(), (_, _) -> {});
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
