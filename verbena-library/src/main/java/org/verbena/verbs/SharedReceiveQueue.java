package org.verbena.verbs;

import java.lang.foreign.Arena;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;

/** Receives that several queue pairs take from. One thread at a time posts. */
public final class SharedReceiveQueue implements EventSource, AutoCloseable {
    private final Adapter adapter;
    private final ReceiveSource source;
    private final int segmentsMax;
    private final UseCount uses = new UseCount("shared receive queue");
    private volatile boolean closed;

    SharedReceiveQueue(Adapter adapter, int capacity, int segmentsMax) {
        this.adapter = adapter;
        this.segmentsMax = segmentsMax;
        this.source = new ReceiveSource(
                receiveRing(capacity, segmentsMax),
                true,
                adapter.asyncEvents().sink(),
                new OperationCount(adapter.memory(), null));
        adapter.asyncEvents().know(source, this);
    }

    static Ring receiveRing(int capacity, int segmentsMax) {
        int slots = Adapter.powerOfTwo(capacity);
        int slotLength = ReceiveSlot.length(segmentsMax);
        return Ring.over(Arena.ofAuto().allocate(Ring.lengthOf(slots, slotLength), 128), slots, slotLength);
    }

    /**
     * Adds a receive; false, and nothing added, when the queue is full.
     *
     * @throws org.verbena.memory.QuiescingException if it lies in a region that is being swapped out, or is
     * @throws IllegalStateException if the queue is closed
     */
    public boolean post(WorkRequest.Receive request) {
        if (closed) {
            throw new IllegalStateException("the shared receive queue is closed");
        }
        return WorkEncoder.post(source.ring(), request, segmentsMax, source.operations());
    }

    /** Asks for one event when fewer than {@code receives} are left; 0 takes the wish back. */
    public void limit(int receives) {
        QueuePairOptions.require("limit", receives, 0, source.ring().capacity());
        source.limit(receives);
    }

    /** Receives posted and not taken at some moment during the call. Any thread. */
    public long available() {
        return source.ring().filled();
    }

    public Adapter adapter() {
        return adapter;
    }

    ReceiveSource source() {
        return source;
    }

    UseCount uses() {
        return uses;
    }

    /**
     * Ends it.
     *
     * @throws IllegalStateException while a queue pair uses it
     */
    @Override
    public void close() {
        uses.close();
        closed = true;
        source.limit(0);
        source.discard(source.emptyHand());
        adapter.asyncEvents().forget(source);
    }
}
