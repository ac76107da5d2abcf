package org.verbena.memory.store;

import java.util.function.BooleanSupplier;
import org.verbena.time.NanoClock;

/**
 * A page store that forwards every call to another store. A subclass overrides the calls that it watches or changes. Closing it closes
 * the other store.
 */
public abstract class ForwardingPageStore implements PageStore {
    /** The store that gets the calls. */
    protected final PageStore inner;

    /** Wraps a store, and owns it from now on. */
    protected ForwardingPageStore(PageStore inner) {
        this.inner = inner;
    }

    @Override
    public long reserve(long slots) {
        return inner.reserve(slots);
    }

    @Override
    public void release(long firstSlot, long slots) {
        inner.release(firstSlot, slots);
    }

    @Override
    public void submit(Transfer transfer) {
        inner.submit(transfer);
    }

    @Override
    public void lend(Runnable errand) {
        inner.lend(errand);
    }

    @Override
    public long slotsUsed() {
        return inner.slotsUsed();
    }

    @Override
    public NanoClock clock() {
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
