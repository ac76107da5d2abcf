package org.verbena.memory.hypervisor;

import java.util.concurrent.atomic.AtomicLong;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.swapping.PagedMemory;

/** Sends pages to the store by hand. */
public final class Eviction {
    private Eviction() {}

    /** Evicts pages of a memory and waits until they are in the store. Returns the number of pages that stay. */
    public static long evict(Hypervisor hypervisor, PageStore store, ManagedMemory memory, long first, long count) {
        var left = new AtomicLong(-1);
        hypervisor
                .paging()
                .pager()
                .evict(((PagedMemory) memory).stage(), first, count, (_, kept, failed) -> left.set(kept + failed));
        store.await(() -> left.get() >= 0);
        return left.get();
    }
}
