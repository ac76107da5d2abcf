package org.verbena.services.push;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.wire.BufferRecvPoolGet;
import org.verbena.services.push.wire.Indication;

/**
 * Data on their way to the peer, by RDMA: takes an element of a pool for each, writes the data or offers them for reading, and indicates them. Data of one
 * connection stay in order.
 */
final class Outflow {
    /** Time between two requests for more buffers. */
    private static final long GET_AGAIN_NS = 10_000_000;
    /** Elements asked for at once at most. */
    private static final int GET_ELEMENTS_MAX = 256;

    private final ServiceConnection connection;
    private final RdmaPath path;
    private final SendBuffers buffers;
    private final ServiceCounters counters;
    private final WaitingData waiting;
    private final boolean acknowledged;
    /** By element size, the smallest first. */
    private OutgoingPool[] pools = {};

    private int underWay;
    private long getDueNs = Long.MIN_VALUE;
    private int missingBytes;

    Outflow(ServiceConnection connection, RdmaPath path, boolean acknowledged) {
        this.connection = connection;
        this.path = path;
        this.buffers = connection.buffers();
        this.counters = connection.counters();
        this.waiting = new WaitingData(buffers, connection.options().queueMax());
        this.acknowledged = acknowledged;
    }

    // --- pools

    int poolCount() {
        return pools.length;
    }

    @Nullable
    OutgoingPool pool(int reference) {
        for (OutgoingPool pool : pools) {
            if (pool.reference() == reference) {
                return pool;
            }
        }
        return null;
    }

    OutgoingPool[] pools() {
        return pools;
    }

    void add(OutgoingPool pool) {
        OutgoingPool[] more = Arrays.copyOf(pools, pools.length + 1);
        more[pools.length] = pool;
        Arrays.sort(more, Comparator.comparingInt(OutgoingPool::elementBytes));
        pools = more;
        missingBytes = 0;
    }

    void remove(OutgoingPool pool) {
        pools = Arrays.stream(pools)
                .filter(other -> other.reference() != pool.reference())
                .toArray(OutgoingPool[]::new);
    }

    int bytesMax() {
        return pools.length == 0 ? 0 : pools[pools.length - 1].elementBytes();
    }

    // --- data

    int queued() {
        return waiting.count();
    }

    int underWay() {
        return underWay + waiting.count();
    }

    boolean push(int slot, int length) {
        if (length > bytesMax()) {
            counters.add(pools.length == 0 ? ServiceCounter.DROPPED_CLOSED : ServiceCounter.DROPPED_TOO_LONG);
            return false;
        }
        if (underWay + waiting.count() >= connection.options().sendsMax()) {
            counters.add(ServiceCounter.DROPPED_QUEUE_FULL);
            return false;
        }
        if (waiting.isEmpty() && send(slot, length)) {
            return true;
        }
        if (!waiting.add(slot, length)) {
            counters.add(ServiceCounter.DROPPED_QUEUE_FULL);
            return false;
        }
        counters.add(ServiceCounter.QUEUED);
        return true;
    }

    /** Sends data that wait, as far as there are elements; their number. */
    int sendWaiting() {
        int sent = 0;
        missingBytes = 0;
        while (!waiting.isEmpty() && send(waiting.firstSlot(), waiting.firstLength())) {
            waiting.removeFirst();
            sent++;
        }
        return sent;
    }

    /** Drops data that wait. */
    void dropWaiting() {
        counters.add(ServiceCounter.DROPPED_CLOSED, waiting.clear());
    }

    private boolean send(int slot, int length) {
        if (!path.hasRoom()) {
            return false;
        }
        OutgoingPool pool = choose(length);
        if (pool == null) {
            missingBytes = Math.max(missingBytes, length);
            return false;
        }
        if (pool.memory() != null) {
            int element = pool.elements().take();
            pool.memory().write(pool.offset(element), buffers.memory(), buffers.offset(slot), length);
            path.announce(pool, element, length);
        } else if (!write(pool, slot, length)) {
            return true; // dropped and counted
        }
        counters.add(ServiceCounter.DATA_SENT);
        counters.add(ServiceCounter.BYTES_SENT, length);
        return true;
    }

    /** The smallest pool with room for the data and a free element; null if there is none. */
    private @Nullable OutgoingPool choose(int length) {
        for (OutgoingPool pool : pools) {
            if (pool.elementBytes() >= length && pool.elements().available() > 0) {
                return pool;
            }
        }
        return null;
    }

    private boolean write(OutgoingPool pool, int slot, int length) {
        OutgoingElements elements = pool.elements();
        boolean fits = Indication.fits(pool.reference(), elements.next(), length);
        if (!fits && !acknowledged) {
            counters.add(ServiceCounter.DROPPED_NOT_INDICABLE);
            return false;
        }
        int element = elements.take();
        buffers.hold(slot);
        underWay++;
        path.write(pool, element, slot, length, fits);
        return true;
    }

    /** A write is done. */
    void onWritten(int slot) {
        buffers.release(slot);
        underWay--;
    }

    // --- more buffers

    /** Asks for more buffers if data wait for some, and it was not long ago; true if it has asked. */
    boolean askForMore(long nowNs) {
        if (!needsMore() || nowNs < getDueNs) {
            return false;
        }
        OutgoingPool alike = poolFor(missingBytes);
        int number = Math.min(GET_ELEMENTS_MAX, alike.elements().count());
        if (!connection.control().sendGet(new BufferRecvPoolGet(alike.elementBytes(), number))) {
            return false;
        }
        counters.add(ServiceCounter.GETS_SENT);
        getDueNs = nowNs + GET_AGAIN_NS;
        return true;
    }

    /** Whether data wait for an element of a pool. */
    private boolean needsMore() {
        return missingBytes > 0 && !waiting.isEmpty() && pools.length > 0 && connection.pushes();
    }

    private OutgoingPool poolFor(int length) {
        for (OutgoingPool pool : pools) {
            if (pool.elementBytes() >= length) {
                return pool;
            }
        }
        return pools[pools.length - 1];
    }

    /** When {@link #askForMore} is due. */
    long nextDeadlineNs() {
        return needsMore() ? getDueNs : Long.MAX_VALUE;
    }
}
