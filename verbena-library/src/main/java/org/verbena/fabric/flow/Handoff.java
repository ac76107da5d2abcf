package org.verbena.fabric.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A bounded queue of parcels between two threads: one adds, one takes. No lock, no allocation. */
final class Handoff {
    private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(Parcel[].class);

    private final @Nullable Parcel[] elements;
    private final int mask;
    // Of the thread that adds.
    private int tail;
    // Of the thread that takes.
    private int head;

    /** {@code capacity} is a power of two. */
    Handoff(int capacity) {
        elements = new @Nullable Parcel[capacity];
        mask = capacity - 1;
    }

    /** Adds a parcel; false if there is no room. */
    boolean offer(Parcel parcel) {
        int at = tail & mask;
        if (ELEMENTS.getAcquire(elements, at) != null) {
            return false;
        }
        ELEMENTS.setRelease(elements, at, parcel);
        tail++;
        return true;
    }

    /** Takes the oldest parcel; null if there is none. */
    @Nullable
    Parcel poll() {
        int at = head & mask;
        Parcel parcel = (Parcel) ELEMENTS.getAcquire(elements, at);
        if (parcel != null) {
            ELEMENTS.setRelease(elements, at, null);
            head++;
        }
        return parcel;
    }

    /** Whether {@link #poll} of the thread that takes would return none. */
    boolean isEmpty() {
        return ELEMENTS.getAcquire(elements, head & mask) == null;
    }
}
