package org.verbena.verbs;

import org.verbena.adapter.Runner;
import org.verbena.queue.CompletionRing;

/** Waits for completions of an engine in this process. */
final class LocalCompletionQueue implements CompletionQueueControl {
    private final Runner runner;
    private final AsyncEvents events;

    LocalCompletionQueue(LocalAdapter adapter) {
        this.runner = adapter.runner();
        this.events = adapter.events();
    }

    @Override
    public int progress() {
        return runner.progress();
    }

    @Override
    public void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException {
        runner.await(ring, wish, timeoutNs);
    }

    @Override
    public void onClosed(CompletionRing ring) {
        events.forget(ring);
        ring.shut();
        runner.wakeWaiters();
    }
}
