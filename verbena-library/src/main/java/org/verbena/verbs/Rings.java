package org.verbena.verbs;

import java.lang.foreign.Arena;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;

/** Makes the rings of queues, in memory of this process. */
final class Rings {
    private Rings() {}

    static Ring sends(QueuePairOptions options) {
        int slots = powerOfTwo(options.sendCapacity());
        return ring(slots, SendSlot.length(options.segmentsMax(), options.inlineMax()));
    }

    static Ring receives(int capacity, int segmentsMax) {
        return ring(powerOfTwo(capacity), ReceiveSlot.length(segmentsMax));
    }

    private static Ring ring(int slots, int slotLength) {
        return Ring.over(Arena.ofAuto().allocate(Ring.lengthOf(slots, slotLength), 128), slots, slotLength);
    }

    static int powerOfTwo(int atLeast) {
        return Integer.highestOneBit(Math.max(1, atLeast) * 2 - 1);
    }
}
