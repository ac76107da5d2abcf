package org.verbena.verbs;

import java.util.HashMap;
import java.util.Map;
import org.verbena.memory.MemoryDomain;

/** The owners of memory that protection domains of an adapter are bound to. When an owner is closed its queue pairs fail. Any thread. */
final class MemoryOwners {
    private final QueuePairs queuePairs;
    private final Map<MemoryDomain, Runnable> watched = new HashMap<>();

    MemoryOwners(QueuePairs queuePairs) {
        this.queuePairs = queuePairs;
    }

    /**
     * Watches an owner.
     *
     * @throws IllegalStateException if it is closed
     */
    void watch(MemoryDomain owner) {
        if (owner.isClosed()) {
            throw new IllegalStateException(owner + " is closed");
        }
        Runnable action = () -> onClosed(owner);
        synchronized (watched) {
            if (watched.putIfAbsent(owner, action) != null) {
                return;
            }
        }
        owner.onClosed(action);
    }

    private void onClosed(MemoryDomain owner) {
        synchronized (watched) {
            watched.remove(owner);
        }
        for (QueuePair queuePair : queuePairs.all()) {
            if (queuePair
                    .options()
                    .domain()
                    .memoryDomain()
                    .filter(owner::equals)
                    .isPresent()) {
                abort(queuePair);
            }
        }
    }

    private static void abort(QueuePair queuePair) {
        try {
            queuePair.abort();
        } catch (IllegalStateException closed) {
            // It was closed meanwhile, or its adapter was: it is not in use any more.
        }
    }

    /** Watches no owner any more. */
    void close() {
        Map<MemoryDomain, Runnable> all;
        synchronized (watched) {
            all = Map.copyOf(watched);
            watched.clear();
        }
        all.forEach(MemoryDomain::forgetClosed);
    }
}
