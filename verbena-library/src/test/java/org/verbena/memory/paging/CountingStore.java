package org.verbena.memory.paging;

import java.util.function.BooleanSupplier;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.StoreStatistics;
import org.verbena.memory.store.Transfer;
import org.verbena.time.Clock;

/** Counts what a store is told on the way to another. */
final class CountingStore implements PageStore {
    private final PageStore inner;
    long released;
    long lent;

    CountingStore(PageStore inner) {
        this.inner = inner;
    }

    @Override
    public long reserve(long slots) {
        return inner.reserve(slots);
    }

    @Override
    public void release(long firstSlot, long slots) {
        released += slots;
        inner.release(firstSlot, slots);
    }

    @Override
    public void submit(Transfer transfer) {
        inner.submit(transfer);
    }

    @Override
    public void lend(Runnable errand) {
        lent++;
        inner.lend(errand);
    }

    @Override
    public long slotsUsed() {
        return inner.slotsUsed();
    }

    @Override
    public Clock clock() {
        return inner.clock();
    }

    @Override
    public boolean await(BooleanSupplier condition, long limitNs) {
        return inner.await(condition, limitNs);
    }

    @Override
    public StoreStatistics statistics() {
        return inner.statistics();
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public void close() {
        inner.close();
    }
}
