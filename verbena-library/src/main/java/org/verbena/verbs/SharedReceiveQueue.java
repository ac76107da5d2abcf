package org.verbena.verbs;

import org.verbena.pool.HoldCount;
import org.verbena.queue.Ring;

/**
 * A receive queue that several queue pairs take from: each message takes the oldest receive, whichever queue pair it is
 * for. Made by {@link Adapter#createSharedReceiveQueue}.
 *
 * <p>One thread at a time posts; a second one gets a {@link java.util.ConcurrentModificationException}. Any thread may call
 * the other methods.
 */
public final class SharedReceiveQueue implements EventSource, AutoCloseable {
    private final Adapter adapter;
    private final Ring ring;
    private final int segmentsMax;
    private final PostMemory memory;
    private final SharedReceiveControl control;
    private final HoldCount queuePairs = new HoldCount();
    private volatile boolean closed;

    SharedReceiveQueue(Adapter adapter, Ring ring, int segmentsMax, PostMemory memory, SharedReceiveControl control) {
        this.adapter = adapter;
        this.ring = ring;
        this.segmentsMax = segmentsMax;
        this.memory = memory;
        this.control = control;
    }

    /**
     * Posts a receive. The memory of its segments belongs to the adapter until the receive's completion. Does not allocate
     * and does not wait, unless a buffer is registered: see {@link LocalSegment}. Buffers are registered in the adapter's default
     * domain; queue pairs of other domains cannot use them.
     *
     * @return false, with nothing posted, when the queue is full, or all buffers for memory that is {@linkplain LocalSegment#copied copied} are in use
     * @throws IllegalArgumentException if it has more segments than the queue takes, or more than 2<sup>31</sup> bytes
     * @throws org.verbena.memory.QuiescingException if a segment lies in a region that is swapped out, or about to be
     * @throws java.util.ConcurrentModificationException if another thread posts at the same time
     * @throws IllegalStateException if the queue is closed
     */
    @CheckReturnValue
    public boolean post(WorkRequest.Receive request) {
        if (closed) {
            throw new IllegalStateException("the shared receive queue is closed");
        }
        boolean posted = WorkEncoder.post(ring, request, segmentsMax, memory);
        if (posted && ring.takeWanted()) {
            control.onWanted();
        }
        return posted;
    }

    /**
     * Asks for one event, {@code SHARED_RECEIVE_LIMIT_REACHED}, when fewer than {@code receives} receives are left. A new
     * limit replaces the old one; after the event there is none.
     *
     * @param receives 1 up to the queue's capacity; 0 withdraws the request
     * @throws IllegalArgumentException if it is out of that range
     */
    public void limit(int receives) {
        QueuePairOptions.require("limit", receives, 0, ring.capacity());
        control.limit(receives);
    }

    /** Receives that are posted and not taken by a message, at some moment during the call. */
    public long available() {
        return ring.filled();
    }

    /** The adapter that made it. */
    public Adapter adapter() {
        return adapter;
    }

    SharedReceiveControl control() {
        return control;
    }

    /**
     * Adds a queue pair that uses it.
     *
     * @throws IllegalStateException if it is closed
     */
    void hold() {
        queuePairs.hold("the shared receive queue");
    }

    /** Removes a queue pair that used it. */
    void release() {
        queuePairs.release();
    }

    /**
     * Closes it. Receives that are left get no completion. A second call does nothing more.
     *
     * @throws IllegalStateException while an open queue pair uses it; nothing is closed then
     */
    @Override
    public void close() {
        queuePairs.close("the shared receive queue");
        closed = true;
        control.onClosed();
    }

    @Override
    public String toString() {
        return "shared receive queue of " + ring.capacity() + " of " + adapter + (closed ? " (closed)" : "");
    }
}
