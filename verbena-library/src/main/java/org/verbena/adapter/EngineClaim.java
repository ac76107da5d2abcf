package org.verbena.adapter;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The claim to an engine: the thread that has it gives a turn or runs a command. One thread at a time has it. */
final class EngineClaim {
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Read without a barrier: a thread compares it with itself only. */
    private @Nullable Thread holder;

    /** Takes the claim; false if a thread has it, this one included. */
    boolean tryTake() {
        if (taken.getPlain() || !taken.compareAndSet(false, true)) {
            return false;
        }
        holder = Thread.currentThread();
        return true;
    }

    void giveBack() {
        holder = null;
        taken.setRelease(false);
    }

    /** Whether the current thread has it. */
    boolean isMine() {
        return Thread.currentThread().equals(holder);
    }
}
