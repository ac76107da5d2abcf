package org.verbena.verbs;

import org.verbena.queue.CompletionRing;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;
import org.verbena.queue.RingKind;
import org.verbena.queue.RingMemory;
import org.verbena.queue.SendSlot;

/** Makes the rings of an adapter's queues, all in memory of one origin. */
final class Rings {
    private final RingMemory memory;

    Rings(RingMemory memory) {
        this.memory = memory;
    }

    /** The ring of a send queue. */
    Ring sends(QueuePairOptions options) {
        return ring(RingKind.SEND, options.sendCapacity(), SendSlot.length(options.segmentsMax(), options.inlineMax()));
    }

    /** The ring of a receive queue, of one queue pair or shared. */
    Ring receives(int capacity, int segmentsMax) {
        return ring(RingKind.RECEIVE, capacity, ReceiveSlot.length(segmentsMax));
    }

    /** The ring of a completion queue. */
    CompletionRing completions(int capacity) {
        return CompletionRing.create(powerOfTwo(capacity), memory);
    }

    private Ring ring(RingKind kind, int capacity, int slotLength) {
        int slots = powerOfTwo(capacity);
        return Ring.create(memory.allocate(Ring.lengthOf(slots, slotLength)), kind, slots, slotLength);
    }

    private static int powerOfTwo(int atLeast) {
        return Integer.highestOneBit(Math.max(1, atLeast) * 2 - 1);
    }
}
