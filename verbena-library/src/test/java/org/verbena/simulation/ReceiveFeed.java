package org.verbena.simulation;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.verbena.time.Seed;
import org.verbena.verbs.WorkRequest;

/**
 * Posts receives to one queue, and posts each buffer again some time after it was used: at once, or so late that senders
 * find none. Lives through a whole run.
 */
final class ReceiveFeed {
    private static final int GAP_MAX = 24;
    private static final int SLOT_BITS = 8;

    /** A buffer of the zone and the receive it is posted with now. */
    static final class Slot implements Comparable<Slot> {
        private final int index;
        private final long offset;
        private Pieces pieces = Pieces.one(0, 0);
        private long id;
        private long dueNs;

        private Slot(int index, long offset) {
            this.index = index;
            this.offset = offset;
        }

        Pieces pieces() {
            return pieces;
        }

        @Override
        public int compareTo(Slot other) {
            return dueNs != other.dueNs ? Long.compare(dueNs, other.dueNs) : Integer.compare(index, other.index);
        }
    }

    private final Zone zone;
    private final Predicate<WorkRequest.Receive> queue;
    private final boolean shared;
    private final long bufferLength;
    private final int segmentsMax;
    private final long delayMaxNs;
    private final Seed seed;
    private final Slot[] slots;
    private final PriorityQueue<Slot> waiting = new PriorityQueue<>();
    private final ArrayDeque<Slot> posted = new ArrayDeque<>();
    private long sequence;
    private boolean stopped;

    ReceiveFeed(Zone zone, Predicate<WorkRequest.Receive> queue, boolean shared, Shape shape, Seed seed) {
        this.zone = zone;
        this.queue = queue;
        this.shared = shared;
        this.bufferLength = shape.bufferLength();
        this.segmentsMax = shape.segmentsMax();
        this.delayMaxNs = shape.delayMaxNs();
        this.seed = seed;
        this.slots = new Slot[shape.buffers()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(i, i * shape.stride());
            waiting.add(slots[i]);
        }
    }

    /**
     * How a feed looks.
     *
     * @param bufferLength bytes each receive takes at least
     * @param delayMaxNs how long a used buffer rests at most
     */
    record Shape(int buffers, long bufferLength, int segmentsMax, long delayMaxNs) {
        private long stride() {
            return bufferLength + (long) segmentsMax * GAP_MAX;
        }

        long zoneLength() {
            return buffers * stride();
        }
    }

    Zone zone() {
        return zone;
    }

    long bufferLength() {
        return bufferLength;
    }

    boolean isShared() {
        return shared;
    }

    /** Posts what is due. */
    void work(long nowNs) {
        for (Slot slot = waiting.peek(); slot != null && slot.dueNs <= nowNs; slot = waiting.peek()) {
            waiting.remove();
            slot.pieces = Pieces.spaced(seed, slot.offset, bufferLength, segmentsMax, GAP_MAX);
            slot.id = sequence++ << SLOT_BITS | slot.index;
            if (!queue.test(new WorkRequest.Receive(slot.id, slot.pieces.in(zone)))) {
                throw new AssertionError("a receive queue with room for all receives refused one");
            }
            posted.add(slot);
        }
    }

    /** Posts no more. */
    void stop() {
        waiting.clear();
        stopped = true;
    }

    long nextActionNs() {
        Slot slot = waiting.peek();
        return slot == null ? Long.MAX_VALUE : slot.dueNs;
    }

    /** The slot whose receive is done. Receives of a queue of one's own are done in the order of posting. */
    Slot take(long id) {
        int index = (int) id & (1 << SLOT_BITS) - 1;
        Slot slot = index < slots.length ? slots[index] : null;
        if (slot == null || slot.id != id || !posted.contains(slot)) {
            throw new AssertionError("a receive completed with id " + id + ", and none is posted with it");
        }
        if (!shared && posted.peek() != slot) {
            throw new AssertionError("a receive completed with id " + id + " before those posted earlier");
        }
        posted.remove(slot);
        return slot;
    }

    /** The consumer is done with a buffer. */
    void giveBack(Slot slot, long nowNs) {
        slot.dueNs = nowNs + (delayMaxNs == 0 ? 0 : Pieces.below(seed, delayMaxNs));
        if (!stopped) {
            waiting.add(slot);
        }
    }
}
