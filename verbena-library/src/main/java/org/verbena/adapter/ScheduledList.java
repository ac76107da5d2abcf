package org.verbena.adapter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scheduled work in the order of arrival. Grows as needed; its length is at most the number of queue pairs.
 *
 * <p>The entries are of a final class: a store into an array of an interface type has a check that the compiler guesses, and each
 * wrong guess makes it compile the whole turn of the engine again.
 */
final class ScheduledList {
    private @Nullable ScheduleMark[] ring = new @Nullable ScheduleMark[64];
    private int head;
    private int size;

    int size() {
        return size;
    }

    void append(ScheduleMark entry) {
        if (size == ring.length) {
            grow();
        }
        ring[(head + size) & (ring.length - 1)] = entry;
        size++;
    }

    /** Removes and returns the first entry; the list must not be empty. */
    ScheduleMark take() {
        ScheduleMark entry = ring[head];
        assert entry != null : "the list has " + size + " but nothing at its head";
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        size--;
        return entry;
    }

    private void grow() {
        @Nullable ScheduleMark[] larger = Arrays.copyOfRange(ring, head, head + ring.length * 2);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        Arrays.fill(larger, ring.length, larger.length, null);
        ring = larger;
        head = 0;
    }
}
