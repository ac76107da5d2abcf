package org.verbena.adapter;

import org.jspecify.annotations.Nullable;

/**
 * Queue pairs by number. A number is a slot of this table and a generation, so that a packet for a queue pair that is
 * gone does not reach the one that has its slot now.
 */
public final class QueuePairTable {
    private static final int INDEX_MASK = (1 << Limits.QUEUE_PAIR_INDEX_BITS) - 1;

    private @Nullable Transport[] slots = new @Nullable Transport[64];
    private int count;

    @Nullable
    public Transport find(int number) {
        int index = number & INDEX_MASK;
        Transport transport = index < slots.length ? slots[index] : null;
        return transport != null && transport.number() == number ? transport : null;
    }

    @Nullable
    Transport at(int index) {
        return index < slots.length ? slots[index] : null;
    }

    void put(Transport transport) {
        int index = index(transport.number());
        if (index >= slots.length) {
            slots = java.util.Arrays.copyOf(slots, Integer.highestOneBit(index) * 2);
        }
        assert slots[index] == null : "slot " + index + " is taken";
        slots[index] = transport;
        count++;
    }

    void remove(Transport transport) {
        int index = index(transport.number());
        if (find(transport.number()) != null) {
            slots[index] = null;
            count--;
        }
    }

    int count() {
        return count;
    }

    static int index(int number) {
        return number & INDEX_MASK;
    }
}
