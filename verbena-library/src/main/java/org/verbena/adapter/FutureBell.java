package org.verbena.adapter;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

/**
 * Wakes the threads that wait for a future. A future gets one callback, however many threads wait for it and however
 * often: a callback stays with its future until the future is done.
 */
final class FutureBell {
    private final Runnable wake;
    private final Set<CompletableFuture<?>> watched =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    FutureBell(Runnable wake) {
        this.wake = wake;
    }

    /** Wakes when the future is done, at once if it is. A thread registers itself as a waiter before this call. */
    @SuppressWarnings("CollectionUndefinedEquality") // identity is meant
    void watch(CompletableFuture<?> future) {
        if (watched.add(future)) {
            var _ = future.whenComplete((value, failed) -> wake.run());
        }
    }
}
