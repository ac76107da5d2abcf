package org.verbena.adapter;

import java.util.concurrent.CompletableFuture;
import org.verbena.queue.CompletionRing;

/** An engine whose turns the consumer gives by hand, with a time of its own: a simulation or a test, on one thread. */
public final class ManualRunner implements Runner {
    private volatile boolean closed;

    @Override
    public void call(Runnable command) {
        command.run();
    }

    @Override
    public int progress() {
        return 0;
    }

    /** Does not wait: time stands still until the next turn. */
    @Override
    public void await(CompletionRing ring, long wish, long timeoutNs) {
        if (closed && ring.isEmpty()) {
            throw new IllegalStateException("the adapter is closed");
        }
    }

    /** Never waits: the thread that waits could give no turns. */
    @Override
    public void await(CompletableFuture<?> future, long timeoutNs) {
        if (!future.isDone()) {
            throw new IllegalStateException(
                    "an adapter that is run by hand does not wait: use a method that returns a future");
        }
    }

    @Override
    public void wake(Thread waiter) {}

    @Override
    public void wakeWaiters() {}

    @Override
    public void close() {
        closed = true;
    }
}
