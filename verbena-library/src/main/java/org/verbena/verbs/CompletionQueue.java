package org.verbena.verbs;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.verbena.pool.HoldCount;
import org.verbena.queue.CompletionRing;
import org.verbena.time.Durations;

/**
 * The queue that completions of work requests arrive in. Made by {@link Adapter#createCompletionQueue}.
 *
 * <p>One thread at a time polls or waits; a second one gets a {@link java.util.ConcurrentModificationException}. A queue needs room for all requests that are outstanding on its queue pairs: a
 * completion that finds no room puts its queue pair in ERROR, with the event {@code COMPLETION_QUEUE_OVERRUN}.
 */
public final class CompletionQueue implements EventSource, AutoCloseable {
    private final Adapter adapter;
    private final CompletionRing ring;
    private final CompletionQueueControl control;
    private final Completions single = new Completions(1);
    private final HoldCount queuePairs = new HoldCount();
    private final AtomicReference<@Nullable Thread> waiter = new AtomicReference<>();

    CompletionQueue(Adapter adapter, CompletionRing ring, CompletionQueueControl control) {
        this.adapter = adapter;
        this.ring = ring;
        this.control = control;
    }

    /**
     * Takes the completions that are there, oldest first, as many as the batch has room for. Does not wait and does not
     * allocate. An adapter that runs {@link AdapterOptions.Run#SHARED} or {@link AdapterOptions.Run#INLINE} takes a turn, on this
     * thread, when there is none. Completions that are left when the adapter is closed can still be taken.
     *
     * @param batch filled with them; what it held before is forgotten
     * @return the number of completions taken; 0 if there is none
     * @throws java.util.ConcurrentModificationException if another thread polls at the same time
     * @throws IllegalStateException if this queue is closed; or if the adapter fails in the turn
     */
    public int poll(Completions batch) {
        requireOpen();
        int count = batch.fill(ring);
        if (count == 0 && control.progress() > 0) {
            count = batch.fill(ring);
        }
        return count;
    }

    /**
     * Takes the oldest completion. Does not wait. Otherwise as {@link #poll(Completions)}.
     *
     * @return null if there is none
     * @throws java.util.ConcurrentModificationException if another thread polls at the same time
     * @throws IllegalStateException if this queue is closed; or if the adapter fails in the turn
     */
    public @Nullable Completion poll() {
        return poll(single) == 0 ? null : single.get(0);
    }

    /**
     * Takes the oldest completion; waits for one if there is none. The thread drives the adapter while it waits, if the adapter runs {@link
     * AdapterOptions.Run#SHARED} or {@link AdapterOptions.Run#INLINE}, and sleeps while there is no work.
     *
     * @param timeout the longest wait; zero or less does not wait
     * @return null when the time is over; at once with {@link AdapterOptions.Run#MANUAL}
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws java.util.ConcurrentModificationException if another thread waits, or polls at the same time
     * @throws IllegalStateException if there is no completion and the adapter is closed or has failed, or is closed or fails meanwhile; if this queue is
     *     closed, or is closed meanwhile; on a virtual thread, with {@link AdapterOptions.Run#INLINE}; within a callback of the adapter
     */
    public @Nullable Completion poll(Duration timeout) throws InterruptedException {
        return await(timeout) ? poll() : null;
    }

    /**
     * Waits until there is a completion to poll. Takes none.
     *
     * @param timeout as for {@link #poll(Duration)}
     * @return false when the time is over; at once with {@link AdapterOptions.Run#MANUAL}
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws java.util.ConcurrentModificationException if another thread waits
     * @throws IllegalStateException as for {@link #poll(Duration)}
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return await(CompletionRing.ARMED_ANY, timeout);
    }

    /**
     * Waits until there is a completion to poll, as {@link #await} does, but is not woken by successes that are not
     * solicited ({@link SendOptions#solicited}). A completion that is there already ends the wait, whatever it is.
     *
     * @param timeout as for {@link #poll(Duration)}
     * @return whether there is a completion to poll; at the end of the time it may be an unsolicited one
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws java.util.ConcurrentModificationException if another thread waits
     * @throws IllegalStateException as for {@link #poll(Duration)}
     */
    public boolean awaitSolicited(Duration timeout) throws InterruptedException {
        return await(CompletionRing.ARMED_SOLICITED, timeout);
    }

    private boolean await(long wish, Duration timeout) throws InterruptedException {
        requireOpen();
        if (ring.isEmpty()) {
            beginWait();
            try {
                control.await(ring, wish, Durations.toNanos(timeout));
            } finally {
                waiter.setRelease(null);
            }
            requireOpen();
        }
        return !ring.isEmpty();
    }

    private void beginWait() {
        if (!waiter.compareAndSet(null, Thread.currentThread())) {
            Thread other = waiter.get();
            throw new ConcurrentModificationException("one thread at a time waits for a completion queue; "
                    + (other == null ? "another one" : other.getName()) + " waits already");
        }
    }

    private void requireOpen() {
        if (queuePairs.isClosed()) {
            throw new IllegalStateException("the completion queue is closed");
        }
    }

    /** Completions it has room for: the number asked for, rounded up to a power of two. */
    public int capacity() {
        return ring.capacity();
    }

    /** The adapter that made it. */
    public Adapter adapter() {
        return adapter;
    }

    CompletionRing ring() {
        return ring;
    }

    /**
     * Adds a queue pair that uses it.
     *
     * @throws IllegalStateException if it is closed
     */
    void hold() {
        queuePairs.hold("the completion queue");
    }

    /** Removes a queue pair that used it. */
    void release() {
        queuePairs.release();
    }

    /**
     * Closes it. Completions that are left are lost; a thread that waits is woken, and gets an {@link IllegalStateException}. A second call does nothing more.
     *
     * @throws IllegalStateException while an open queue pair uses it; nothing is closed then
     */
    @Override
    public void close() {
        queuePairs.close("the completion queue");
        control.onClosed(ring);
    }

    @Override
    public String toString() {
        return "completion queue of " + ring.capacity() + " of " + adapter;
    }
}
