package org.verbena.verbs;

import org.verbena.adapter.Runner;
import org.verbena.link.sleep.AttachedSource;
import org.verbena.queue.CompletionRing;

/** Waits for completions of an engine in this process. */
final class LocalCompletionQueue implements CompletionQueueControl {
    private final LocalAdapter adapter;
    private final Runner runner;
    private final AsyncEvents events;

    LocalCompletionQueue(LocalAdapter adapter) {
        this.adapter = adapter;
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
    public void wake(Thread waiter) {
        runner.wake(waiter);
    }

    @Override
    public void attach(AttachedSource source) {
        adapter.attach(source);
    }

    @Override
    public void detach(AttachedSource source) {
        adapter.detach(source);
    }

    @Override
    public void onClosed(CompletionRing ring) {
        events.forget(ring);
        ring.shut();
        runner.wakeWaiters();
    }
}
