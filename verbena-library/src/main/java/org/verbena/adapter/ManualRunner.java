package org.verbena.adapter;

import org.verbena.queue.CompletionRing;

/** An engine whose turns somebody gives by hand, with a time of its own: a simulation or a test, on one thread. */
public final class ManualRunner implements Runner {
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
    public void await(CompletionRing ring, long wish, long timeoutNs) {}

    @Override
    public void close() {}
}
