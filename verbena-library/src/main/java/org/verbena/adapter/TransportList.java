package org.verbena.adapter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Transports in the order they came. Grows as needed and is never more than all there are. */
final class TransportList {
    private @Nullable Transport[] ring = new @Nullable Transport[64];
    private int head;
    private int size;

    int size() {
        return size;
    }

    void append(Transport transport) {
        if (size == ring.length) {
            grow();
        }
        ring[(head + size) & (ring.length - 1)] = transport;
        size++;
    }

    /** The first; there must be one. */
    Transport take() {
        Transport transport = ring[head];
        assert transport != null : "the list has " + size + " but nothing at its head";
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        size--;
        return transport;
    }

    private void grow() {
        @Nullable Transport[] larger = Arrays.copyOfRange(ring, head, head + ring.length * 2);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        Arrays.fill(larger, ring.length, larger.length, null);
        ring = larger;
        head = 0;
    }
}
