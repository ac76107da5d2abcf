package org.verbena.adapter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Queue pairs of an engine. A number is a slot of this table and a generation: a number that is no longer in use does not find
 * the queue pair that has its slot now.
 */
public final class QueuePairTable {
    private @Nullable Scheduled[] slots = new @Nullable Scheduled[64];
    private int count;

    QueuePairTable() {}

    /** Index of a queue pair's slot, which is also the index of its doorbell. */
    public static int index(int number) {
        return number & Engine.DOORBELL_MASK;
    }

    /** Whether there is a queue pair with this number, in whatever state. */
    public boolean has(int number) {
        Scheduled entry = at(index(number));
        return entry != null && entry.number() == number;
    }

    @Nullable
    Scheduled at(int index) {
        return index < slots.length ? slots[index] : null;
    }

    void put(Scheduled entry) {
        int index = index(entry.number());
        if (index >= slots.length) {
            slots = Arrays.copyOf(slots, Integer.highestOneBit(index) * 2);
        }
        assert slots[index] == null : "slot " + index + " is taken";
        slots[index] = entry;
        count++;
    }

    void remove(Scheduled entry) {
        if (has(entry.number())) {
            slots[index(entry.number())] = null;
            count--;
        }
    }

    int count() {
        return count;
    }
}
