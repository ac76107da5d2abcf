package org.verbena.services.push;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.wire.Refusal;

/** Data on their way from the peer, by RDMA: judges indications, delivers the data, and returns their elements by updates. */
final class Inflow {
    /** Time after which elements are returned, however few they are. */
    private static final long UPDATE_NS = 1_000_000;
    /** Time after which a pool that was made for a request of the peer goes, if it is not used. */
    private static final long EXTRA_NS = 10_000_000_000L;

    private final ServiceConnection connection;
    private final ServiceCounters counters;
    private final boolean lossy;
    private final Arrivals arrivals = new Arrivals();
    private final List<IncomingPool> pools = new ArrayList<>();
    private long updateDueNs = Long.MAX_VALUE;
    private int elementCount;

    /** @param lossy whether transfers can be lost */
    Inflow(ServiceConnection connection, boolean lossy) {
        this.connection = connection;
        this.counters = connection.counters();
        this.lossy = lossy;
    }

    List<IncomingPool> pools() {
        return pools;
    }

    @Nullable
    IncomingPool pool(int reference) {
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).reference == reference) {
                return pools.get(i);
            }
        }
        return null;
    }

    /** Elements of all pools. */
    int elementCount() {
        return elementCount;
    }

    void add(IncomingPool pool) {
        pools.add(pool);
        elementCount += pool.elements.count();
        arrivals.reserve(elementCount);
    }

    private void remove(IncomingPool pool) {
        pools.remove(pool);
        elementCount -= pool.elements.count();
        if (pool.memory != null) {
            pool.memory.close();
        }
        counters.add(ServiceCounter.POOLS_FLUSHED);
    }

    /**
     * The peer indicates data in an element.
     *
     * @return null if the element is this end's now
     */
    @Nullable
    Refusal onIndication(int reference, int element, int size, long nowNs) {
        IncomingPool pool = pool(reference);
        if (pool != null && pool.flushing && pool.read != null) {
            counters.add(ServiceCounter.LATE); // this end reads no more
            return null;
        }
        if (pool == null || pool.flushed) {
            if (lossy) {
                counters.add(ServiceCounter.LATE);
                return null;
            }
            return Refusal.UNKNOWN_POOL;
        }
        if (!pool.elements.has(element)) {
            return Refusal.ELEMENT_OUT_OF_RANGE;
        }
        if (size < 0 || size > pool.elementBytes) {
            return Refusal.SIZE_TOO_LARGE;
        }
        if (!pool.elements.isWithPeer(element)) {
            return Refusal.ELEMENT_CONSUMED_TWICE;
        }
        int lost = pool.elements.take(element);
        if (lost > 0) {
            counters.add(ServiceCounter.LOST, lost);
        }
        pool.usedNs = nowNs;
        arrivals.add(pool, element, size);
        return null;
    }

    /** Elements that are indicated and not delivered, or not read yet. */
    Arrivals arrivals() {
        return arrivals;
    }

    /** Delivers data that the peer has written. */
    int deliver(int most, long nowNs) {
        int delivered = 0;
        while (delivered < most && !arrivals.isEmpty()) {
            IncomingPool pool = arrivals.pool();
            int element = arrivals.element();
            int size = arrivals.size();
            arrivals.removeFirst();
            PoolMemory memory = pool.memory;
            assert memory != null : "pulled data are delivered when they are read";
            long at = pool.offset(element);
            connection.deliver(memory.readable(at, size), memory.offset(at), size);
            delivered++;
            if (connection.isClosed()) {
                return delivered; // by the handler: the pools are gone
            }
            release(pool, element, nowNs);
        }
        return delivered;
    }

    /** The data of an element are delivered. */
    void release(IncomingPool pool, int element, long nowNs) {
        pool.elements.release(element);
        if (pool.flushed) {
            removeIfDelivered(pool);
        } else if (pool.elements.returnedCount() >= pool.updateAt()) {
            updateDueNs = Long.MIN_VALUE;
        } else {
            updateDueNs = Math.min(updateDueNs, nowNs + UPDATE_NS);
        }
    }

    /** Sends an update with all elements that are due; true if one was sent. */
    boolean update(long nowNs) {
        if (nowNs < updateDueNs || !connection.control().sendUpdate(pools)) {
            return false;
        }
        updateDueNs = Long.MAX_VALUE;
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).elements.returnedCount() > 0 && !pools.get(i).isEnding()) {
                updateDueNs = Long.MIN_VALUE; // they did not fit in one message
            }
        }
        return true;
    }

    long nextDeadlineNs() {
        return updateDueNs;
    }

    /** The peer does not use a pool any more: it goes when its data are delivered. */
    void onFlushed(IncomingPool pool) {
        pool.flushed = true;
        removeIfDelivered(pool);
    }

    private void removeIfDelivered(IncomingPool pool) {
        if (pool.elements.hereCount() == 0) {
            remove(pool);
        }
    }

    /** A pool that was made for a request of the peer and is not used any more; null if there is none. */
    @Nullable
    IncomingPool unused(long nowNs) {
        for (int i = 0; i < pools.size(); i++) {
            IncomingPool pool = pools.get(i);
            if (pool.extra && !pool.isEnding() && nowNs - pool.usedNs > EXTRA_NS) {
                return pool;
            }
        }
        return null;
    }

    /** Gives the memory of all pools back. */
    void close() {
        for (IncomingPool pool : pools) {
            if (pool.memory != null) {
                pool.memory.close();
            }
        }
        pools.clear();
    }
}
