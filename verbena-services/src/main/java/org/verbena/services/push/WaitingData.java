package org.verbena.services.push;

/** Data that wait for a buffer of the peer, in order. The queue holds their buffers. */
final class WaitingData {
    private final SendBuffers buffers;
    private final int[] slots;
    private final int[] lengths;
    private int first;
    private int count;

    WaitingData(SendBuffers buffers, int most) {
        this.buffers = buffers;
        this.slots = new int[most];
        this.lengths = new int[most];
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    /** Adds data; false if the queue is full. */
    boolean add(int slot, int length) {
        if (count == slots.length) {
            return false;
        }
        int last = (first + count) % slots.length;
        slots[last] = slot;
        lengths[last] = length;
        count++;
        buffers.hold(slot);
        return true;
    }

    int firstSlot() {
        return slots[first];
    }

    int firstLength() {
        return lengths[first];
    }

    void removeFirst() {
        buffers.release(slots[first]);
        first = (first + 1) % slots.length;
        count--;
    }

    /** Removes all; their number. */
    int clear() {
        int removed = count;
        while (count > 0) {
            removeFirst();
        }
        return removed;
    }
}
