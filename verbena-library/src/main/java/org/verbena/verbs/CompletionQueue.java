package org.verbena.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Runner;
import org.verbena.queue.CompletionRing;

/**
 * Where completions are found. One thread at a time polls or waits; a second one gets a {@link
 * java.util.ConcurrentModificationException}. Make it large enough for everything outstanding on its queue pairs: one
 * completion too many puts its queue pair in error, with an event.
 */
public final class CompletionQueue implements EventSource, AutoCloseable {
    private final Adapter adapter;
    private final Runner runner;
    private final CompletionRing ring;
    private final Completions single = new Completions(1);
    private final UseCount uses = new UseCount("completion queue");

    CompletionQueue(Adapter adapter, Runner runner, CompletionRing ring) {
        this.adapter = adapter;
        this.runner = runner;
        this.ring = ring;
    }

    /**
     * Takes what is there, without waiting and without allocating.
     *
     * @return how many, 0 if none: they are in {@code batch}, which forgets what it had
     */
    public int poll(Completions batch) {
        int count = batch.fill(ring);
        if (count == 0 && runner.progress() > 0) {
            count = batch.fill(ring);
        }
        return count;
    }

    /** The oldest completion, or null; does not wait. */
    public @Nullable Completion poll() {
        return poll(single) == 0 ? null : single.get(0);
    }

    /**
     * Waits for any completion and takes it. Costs nothing while there is none.
     *
     * @return null when the time is over
     */
    public @Nullable Completion poll(Duration timeout) throws InterruptedException {
        return await(timeout) ? poll() : null;
    }

    /** Waits until there is a completion to poll; false when the time is over. */
    public boolean await(Duration timeout) throws InterruptedException {
        return await(CompletionRing.ARMED_ANY, timeout);
    }

    /** Waits until there is a completion to poll, but sleeps on while only unsolicited successes arrive. */
    public boolean awaitSolicited(Duration timeout) throws InterruptedException {
        return await(CompletionRing.ARMED_SOLICITED, timeout);
    }

    private boolean await(long wish, Duration timeout) throws InterruptedException {
        if (ring.isEmpty()) {
            runner.await(ring, wish, nanoseconds(timeout));
        }
        return !ring.isEmpty();
    }

    static long nanoseconds(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Completions it has room for. */
    public int capacity() {
        return ring.capacity();
    }

    public Adapter adapter() {
        return adapter;
    }

    CompletionRing ring() {
        return ring;
    }

    UseCount uses() {
        return uses;
    }

    /**
     * Ends it.
     *
     * @throws IllegalStateException while a queue pair uses it
     */
    @Override
    public void close() {
        uses.close();
        adapter.asyncEvents().forget(ring);
    }
}
