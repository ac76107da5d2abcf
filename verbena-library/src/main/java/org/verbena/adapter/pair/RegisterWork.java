package org.verbena.adapter.pair;

import org.jspecify.annotations.Nullable;
import org.verbena.RegisterFailure;
import org.verbena.memory.protection.MemoryRange;

/**
 * Registrations by one send queue: the memory that posted requests bring, and the effect of a failure. A ring holds no objects, so the memory of a
 * request stands here, by the position of the request: as many places as the ring has slots. The publication of the slot makes the place visible
 * to the engine; the engine empties it before it gives the slot back.
 */
public final class RegisterWork {
    private final RegisterFailure failure;
    private final @Nullable MemoryRange[] staged;

    /** For a ring with this many slots, a power of two. */
    public RegisterWork(RegisterFailure failure, int capacity) {
        this.failure = failure;
        this.staged = new MemoryRange[capacity];
    }

    /**
     * The thread that has claimed a position hands the memory of its request over.
     *
     * @throws IllegalStateException if the memory is closed; nothing is handed over then
     */
    public void stage(long position, MemoryRange range) {
        range.take();
        staged[place(position)] = range;
    }

    /** The memory of the request at a position; null if it has brought none. */
    @Nullable
    MemoryRange staged(long position) {
        return staged[place(position)];
    }

    /** A key has got the memory of the request at a position. */
    void onRegistered(long position) {
        staged[place(position)] = null;
    }

    /** The request at a position is over: memory that no key has got is given back. */
    void onRetired(long position) {
        MemoryRange left = staged[place(position)];
        if (left != null) {
            staged[place(position)] = null;
            left.giveBack();
        }
    }

    /** Whether the connection stays when a registration fails. */
    boolean drains() {
        return failure == RegisterFailure.DRAIN;
    }

    private int place(long position) {
        return (int) position & (staged.length - 1);
    }
}
