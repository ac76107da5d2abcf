package org.verbena.adapter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Scheduled work in the order of arrival. Grows as needed; its length is at most the number of queue pairs. */
final class ScheduledList {
    private @Nullable Scheduled[] ring = new @Nullable Scheduled[64];
    private int head;
    private int size;

    int size() {
        return size;
    }

    void append(Scheduled entry) {
        if (size == ring.length) {
            grow();
        }
        ring[(head + size) & (ring.length - 1)] = entry;
        size++;
    }

    /** Removes and returns the first entry; the list must not be empty. */
    Scheduled take() {
        Scheduled entry = ring[head];
        assert entry != null : "the list has " + size + " but nothing at its head";
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        size--;
        return entry;
    }

    private void grow() {
        @Nullable Scheduled[] larger = Arrays.copyOfRange(ring, head, head + ring.length * 2);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        Arrays.fill(larger, ring.length, larger.length, null);
        ring = larger;
        head = 0;
    }
}
