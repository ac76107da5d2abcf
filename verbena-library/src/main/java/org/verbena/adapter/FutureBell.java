package org.verbena.adapter;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

/**
 * Wakes who waits for a future. However often and by however many one is waited for, it is asked to tell once: what it
 * were asked each time would stay with it until it is done.
 */
final class FutureBell {
    private final Runnable wake;
    private final Set<CompletableFuture<?>> watched =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    FutureBell(Runnable wake) {
        this.wake = wake;
    }

    /** Rings when the future is done, at once if it is. Who is to be woken must have said so before. */
    @SuppressWarnings("CollectionUndefinedEquality") // which one it is counts
    void watch(CompletableFuture<?> future) {
        if (watched.add(future)) {
            var _ = future.whenComplete((value, failed) -> wake.run());
        }
    }
}
