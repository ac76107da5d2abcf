package org.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.CompletionSlot;

/**
 * A batch of completions, filled by {@link CompletionQueue#poll(Completions)} and used again and again. Reading allocates
 * nothing, but for {@link #get}. Used by one thread at a time. Each method with an index throws {@link
 * IndexOutOfBoundsException} unless the index is 0 … {@link #size} − 1.
 */
public final class Completions {
    private final MemorySegment slots;
    private final int capacity;
    private int size;

    /**
     * Makes an empty batch.
     *
     * @param capacity completions that one poll takes at most
     * @throws IllegalArgumentException if it is less than 1
     */
    public Completions(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("a batch holds at least one completion; found " + capacity);
        }
        this.capacity = capacity;
        this.slots = Arena.ofAuto().allocate((long) capacity * CompletionSlot.LENGTH, 8);
    }

    /** Takes the completions of the ring, as many as there is room for; their number. */
    int fill(CompletionRing ring) {
        long position = ring.beginPoll();
        int count = Math.min(ring.published(position), capacity);
        for (int i = 0; i < count; i++, position++) {
            MemorySegment.copy(ring.memory(), ring.slot(position), slots, slot(i), CompletionSlot.LENGTH);
        }
        ring.endPoll(position);
        size = count;
        return count;
    }

    /** Completions of the last poll. */
    public int size() {
        return size;
    }

    /** The id of its request. */
    public long id(int index) {
        return CompletionSlot.id(slots, check(index));
    }

    /** Success, or the kind of failure. */
    public Status status(int index) {
        return CompletionSlot.status(slots, check(index));
    }

    /** The operation of its request; {@code RECEIVE} or {@code RECEIVE_WRITE_WITH_IMMEDIATE} for a receive. */
    public Operation operation(int index) {
        return CompletionSlot.operation(slots, check(index));
    }

    /** The number of its queue pair. */
    public int queuePair(int index) {
        return CompletionSlot.queuePair(slots, check(index));
    }

    /** Bytes received, read or written to the peer; without meaning after a failure. */
    public long byteLength(int index) {
        return CompletionSlot.byteLength(slots, check(index));
    }

    /** The 32 bits that came with the message; 0 if none came. */
    public int immediate(int index) {
        return has(index, CompletionSlot.FLAG_IMMEDIATE) ? CompletionSlot.argument(slots, slot(index)) : 0;
    }

    /** The number of the queue pair that sent a datagram; 0 for any other completion. */
    public int sourceQueuePair(int index) {
        return CompletionSlot.sourceQueuePair(slots, check(index));
    }

    /** Whether it is the receive of a datagram, whose {@link DatagramHeader} stands first in the memory. */
    public boolean isDatagram(int index) {
        return has(index, CompletionSlot.FLAG_DATAGRAM);
    }

    /** One of them as an object that outlives the batch; allocates it. */
    public Completion get(int index) {
        return new Completion(
                id(index),
                status(index),
                operation(index),
                queuePair(index),
                byteLength(index),
                argument(index, CompletionSlot.FLAG_IMMEDIATE),
                argument(index, CompletionSlot.FLAG_INVALIDATED),
                isDatagram(index) ? (Integer) sourceQueuePair(index) : null,
                Verdict.of(CompletionSlot.detail(slots, slot(index))));
    }

    private @Nullable Integer argument(int index, int flag) {
        return has(index, flag) ? (Integer) CompletionSlot.argument(slots, slot(index)) : null;
    }

    private boolean has(int index, int flag) {
        return (CompletionSlot.flags(slots, check(index)) & flag) != 0;
    }

    private long check(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("the batch has " + size + " completions; asked for number " + index);
        }
        return slot(index);
    }

    private static long slot(int index) {
        return (long) index * CompletionSlot.LENGTH;
    }
}
