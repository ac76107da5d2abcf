package org.verbena.memory.paging;

import org.verbena.memory.store.ForwardingPageStore;
import org.verbena.memory.store.PageStore;

/** Counts what a store is told on the way to another. */
final class CountingStore extends ForwardingPageStore {
    long released;
    long lent;

    CountingStore(PageStore inner) {
        super(inner);
    }

    @Override
    public void release(long firstSlot, long slots) {
        released += slots;
        super.release(firstSlot, slots);
    }

    @Override
    public void lend(Runnable errand) {
        lent++;
        super.lend(errand);
    }
}
