package org.verbena.memory.swapping;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.SwapOut;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.protection.TableRegion;

/**
 * Chooses the region that a hypervisor swaps out by its own decision, and the moment: pins were refused, or frames are short
 * and eviction has found none for a time. Only regions of wired memory help in these cases; pages of other memory are evicted
 * one by one. Any thread.
 */
public final class Relief {
    /** Milliseconds after which a swap-out is called off if the consumer is not quiet. */
    public static final long PATIENCE_MS = 100;

    /**
     * Milliseconds for which pages wait and none gets a frame before a region is swapped out. Longer than a slow disk takes.
     */
    static final long SHORTAGE_MS = 50;

    private final Pager pager;
    private final Errands errands;
    private final AtomicBoolean relieving = new AtomicBoolean();
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile boolean allowed;
    /** Wired memories with a region that is wanted and cannot be swapped in for lack of pins. */
    private final Set<MemorySwap> starved = ConcurrentHashMap.newKeySet();

    private final AtomicLong pinsReleased = new AtomicLong();
    /** Regions whose owners allow that they are swapped out, in the order of registration. */
    private final Set<TableRegion> swappable = Collections.synchronizedSet(new LinkedHashSet<>());

    Relief(Pager pager, Errands errands) {
        this.pager = pager;
        this.errands = errands;
        pager.onShortage(() -> {
            if (allowed && !watching.get()) { // a watch that runs, or a later allow, finds the shortage itself
                errands.run(this::onShortage);
            }
        });
    }

    /** Allows or forbids swapping by its own decision. */
    public void allow(boolean allows) {
        allowed = allows;
        if (allows) {
            errands.run(this::onShortage); // there may be a shortage already
        }
    }

    Set<TableRegion> swappable() {
        return swappable;
    }

    /** The region that has not been accessed for the largest number of calls of this method; null if there is none. */
    public @Nullable RegionSwap coldest(Predicate<MemorySwap> candidates) {
        RegionSwap coldest = null;
        int greatest = -1;
        synchronized (swappable) {
            for (TableRegion region : swappable) {
                PagedMemory memory = PagedMemory.of(region);
                RegionSwap swap = memory == null ? null : memory.swap().of(region);
                int age = swap == null ? -1 : swap.age();
                if (memory != null && age > greatest && candidates.test(memory.swap())) {
                    greatest = age;
                    coldest = swap;
                }
            }
        }
        return coldest;
    }

    /** An errand. */
    private void relieve() {
        if (!allowed || !relieving.compareAndSet(false, true)) {
            return;
        }
        List<CompletableFuture<SwapOut>> outs = List.of();
        try {
            RegionSwap coldest = coldest(memory -> !memory.toFreePins().isEmpty());
            if (coldest != null) {
                outs = coldest.memory().toFreePins().stream()
                        .map(swap -> swap.swapOut(PATIENCE_MS))
                        .toList();
            }
        } finally {
            if (outs.isEmpty()) {
                relieving.set(false);
            }
        }
        if (!outs.isEmpty()) {
            List<CompletableFuture<SwapOut>> asked = outs;
            CompletableFuture<?> _ = CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
                    .thenRun(() -> {
                        relieving.set(false);
                        pager.poke(); // a request may wait for these frames
                        boolean all =
                                asked.stream().allMatch(out -> out.resultNow().isOut());
                        if (!all && !starved.isEmpty()) {
                            errands.runLater(PATIENCE_MS, this::feed); // another region may be quiet
                        }
                    });
        }
    }

    // --- frames

    /** Starts to watch a shortage of frames. An errand. */
    private void onShortage() {
        if (allowed && pager.isShort() && watching.compareAndSet(false, true)) {
            watch(pager.shortages());
        }
    }

    private void watch(long shortage) {
        errands.runLater(SHORTAGE_MS, () -> {
            if (!allowed || !pager.isShort()) {
                watching.set(false);
                onShortage(); // a new shortage may have begun
            } else {
                if (pager.shortages() == shortage) {
                    relieve();
                }
                watch(pager.shortages());
            }
        });
    }

    // --- pins

    /** Called when a request for pins was refused. */
    void onPinsRefused() {
        errands.run(this::relieve); // the caller may hold anything
    }

    /** A number that grows when pins are released. */
    public long pinsReleased() {
        return pinsReleased.get();
    }

    void onPinsReleased() {
        pinsReleased.getAndIncrement();
        if (!starved.isEmpty()) {
            errands.run(this::feed);
        }
    }

    /**
     * Retries a memory that could not be wired, when pins are released or if they were since a moment.
     *
     * @param since {@link #pinsReleased} before the attempt
     */
    void awaitPins(MemorySwap memory, long since) {
        starved.add(memory);
        if (pinsReleased.get() != since) {
            errands.run(this::feed);
        }
    }

    void awaitNoPins(MemorySwap memory) {
        starved.remove(memory);
    }

    private void feed() {
        for (MemorySwap memory : List.copyOf(starved)) {
            starved.remove(memory);
            memory.onPinsLeft();
        }
    }
}
