package org.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.Verdict;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.CompletionSlot;
import org.verbena.queue.Operation;
import org.verbena.queue.Status;

/**
 * A batch of completions, filled by {@link CompletionQueue#poll(Completions)} and used again and again: reading one
 * allocates nothing. Belongs to one thread.
 */
public final class Completions {
    private final MemorySegment slots;
    private final int capacity;
    private int size;

    /** Room for so many completions of one poll. */
    public Completions(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("a batch holds at least one completion; found " + capacity);
        }
        this.capacity = capacity;
        this.slots = Arena.ofAuto().allocate((long) capacity * CompletionSlot.LENGTH, 8);
    }

    /** Takes what the ring has, as far as there is room. */
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

    public long id(int index) {
        return CompletionSlot.id(slots, check(index));
    }

    public Status status(int index) {
        return CompletionSlot.status(slots, check(index));
    }

    public Operation operation(int index) {
        return CompletionSlot.operation(slots, check(index));
    }

    public int queuePair(int index) {
        return CompletionSlot.queuePair(slots, check(index));
    }

    public long byteLength(int index) {
        return CompletionSlot.byteLength(slots, check(index));
    }

    /** The 32 bits that came with the message; 0 when there were none. */
    public int immediate(int index) {
        return has(index, CompletionSlot.FLAG_IMMEDIATE) ? CompletionSlot.argument(slots, slot(index)) : 0;
    }

    /** Number of the queue pair that sent a datagram; 0 for anything else. */
    public int sourceQueuePair(int index) {
        return CompletionSlot.sourceQueuePair(slots, check(index));
    }

    /** Whether it is a datagram, with a {@link DatagramHeader} first in its receive. */
    public boolean isDatagram(int index) {
        return has(index, CompletionSlot.FLAG_DATAGRAM);
    }

    /** One of them as a record. */
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
