package org.verbena.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.trace.PagingCounter;

/**
 * The regions on one memory, and whether its pages are kept for them. Pages of wired memory are kept from its allocation until
 * the last region on it is swapped out, and again from the first that comes back.
 */
final class MemorySwap {
    private final Domain domain;
    private final Stage stage;
    private final boolean wired;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Region, @Nullable RegionSwap> regions = new HashMap<>();
    private @Nullable WiredPages kept;
    private boolean closed;

    MemorySwap(Domain domain, Stage stage, boolean wired) {
        this.domain = domain;
        this.stage = stage;
        this.wired = wired;
    }

    Hypervisor hypervisor() {
        return domain.hypervisor();
    }

    /** Guards this and all its regions' swapping. Nothing of a consumer's is called under it. */
    ReentrantLock lock() {
        return lock;
    }

    void count(PagingCounter what) {
        domain.counters().add(what);
    }

    /** Waits until all pages are there. */
    void wire() {
        Thread waiting = Thread.currentThread();
        var pages = new WiredPages(domain, stage, _ -> LockSupport.unpark(waiting));
        pages.acquire();
        domain.await(pages::hasEnded);
        if (pages.isRefused()) {
            throw new IllegalStateException("a page of wired memory cannot be had");
        }
        kept = pages;
    }

    void onRegistered(Region region) {
        CurrentIo io = region.currentIoOrNull();
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
            hypervisor().swappable().add(region);
        }
        if (missing) {
            keep(_ -> {}); // until then its pages come as they are touched
        }
    }

    void onClosed(Region region) {
        lock.lock();
        try {
            regions.remove(region);
        } finally {
            lock.unlock();
        }
        hypervisor().swappable().remove(region);
    }

    @Nullable
    RegionSwap of(Region region) {
        lock.lock();
        try {
            return regions.get(region);
        } finally {
            lock.unlock();
        }
    }

    /** Writes all pages out, unless another region needs them. */
    void writeOut(RegionSwap swap) {
        WiredPages free = null;
        boolean needed;
        lock.lock();
        try {
            needed =
                    regions.values().stream().anyMatch(other -> other == null || (other != swap && other.needsPages()));
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
            swap.onWritten(true); // pages that a guest's own driver has mapped are its affair
        } else {
            pager.evict(stage, 0, stage.table().pages(), (_, failed) -> swap.onWritten(failed == 0));
        }
    }

    /** Brings in and keeps all pages of wired memory; of other memory those that cost nobody anything. */
    void bringIn(RegionSwap swap) {
        if (wired) {
            keep(swap::onBroughtIn);
        } else {
            stage.driver().prefetch(stage, 0, stage.table().pages());
            stage.driver().poke();
            swap.onBroughtIn(true);
        }
    }

    private void keep(WiredPages.Listener listener) {
        if (isKept()) {
            listener.onEnd(true);
            return;
        }
        WiredPages[] pages = new WiredPages[1];
        try {
            pages[0] = new WiredPages(domain, stage, all -> {
                if (all && !adopt(pages[0])) {
                    pages[0].release(); // somebody else was as fast, or nobody needs them any more
                }
                listener.onEnd(all);
            });
        } catch (IllegalStateException tooMuch) {
            listener.onEnd(false);
            return;
        }
        pages[0].acquire();
    }

    private boolean isKept() {
        lock.lock();
        try {
            return kept != null;
        } finally {
            lock.unlock();
        }
    }

    private boolean adopt(WiredPages pages) {
        lock.lock();
        try {
            if (kept != null || closed) {
                return false;
            }
            kept = pages;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The memory is closed: nobody needs its pages. */
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
        if (free != null) {
            free.release();
        }
    }
}
