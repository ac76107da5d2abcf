package org.verbena.verbs;

import java.time.Duration;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.verbena.link.WakeSource;
import org.verbena.link.sleep.AttachedSource;
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
    private final Object sourcesLock = new Object();
    private volatile AttachedSource[] sources = new AttachedSource[0];

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
     * @return null when the time is over, or {@link #wakeup} ended the wait; at once with {@link AdapterOptions.Run#MANUAL}
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
     * @return false when the time is over, or {@link #wakeup} ended the wait; at once with {@link AdapterOptions.Run#MANUAL}
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
     * @return whether there is a completion to poll; at the end of the time, or after {@link #wakeup}, it may be an unsolicited one
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws java.util.ConcurrentModificationException if another thread waits
     * @throws IllegalStateException as for {@link #poll(Duration)}
     */
    public boolean awaitSolicited(Duration timeout) throws InterruptedException {
        return await(CompletionRing.ARMED_SOLICITED, timeout);
    }

    private boolean await(long wish, Duration timeout) throws InterruptedException {
        requireOpen();
        if (!ring.isEmpty()) {
            return true;
        }
        beginWait();
        try {
            for (AttachedSource source : sources) {
                source.want();
            }
            return awaitAlone(wish, timeout);
        } finally {
            waiter.setRelease(null);
        }
    }

    /** A wake-up is taken by the wait that returns false: it is left where there is a completion. */
    private boolean awaitAlone(long wish, Duration timeout) throws InterruptedException {
        boolean woken = ring.takeRouse();
        boolean taken = false;
        try {
            // Woken before: a wait without time, which gives a turn and tells the end of the adapter all the same.
            control.await(ring, wish, woken ? 0 : Durations.toNanos(timeout));
            requireOpen();
            taken = ring.isEmpty();
            return !taken;
        } finally {
            if (taken) {
                ring.takeRouse();
            } else if (woken) {
                ring.rouse();
            }
        }
    }

    /**
     * Ends the wait that a thread is in on this queue ({@link #await}, {@link #awaitSolicited}, {@link #poll(Duration)}), or else the next one: {@code await} then returns false, and {@code poll} null. For a consumer
     * that waits for completions and for something else, with one thread: the thread that brings the other thing makes it visible and then calls this.
     *
     * <p>Several calls before the wait returns are one. A completion goes first: if there is one, the wait returns true, and the wake-up ends the next wait in which there is none. Any
     * thread, a callback of the adapter included. Makes no system call while no thread waits. After {@link #close} it does nothing.
     */
    public void wakeup() {
        Thread waiting = ring.rouse();
        if (waiting != null) {
            control.wake(waiting);
        }
    }

    /**
     * Has events of a source of the consumer's own, an interface to a network for instance, end the waits on this queue as {@link #wakeup} does: the thread that waits for completions sleeps for the
     * adapter's sockets and for the source at once. There is an event when a descriptor or channel that the source watches is ready, or when {@link WakeSource#sleepMaxNs} says 0. It ends waits until the consumer has taken it;
     * the consumer takes it after the wait, on its own thread. A wait may end although there is no event any more.
     *
     * <p>All methods of the source, and its {@code onReady}, are called by the thread that drives the adapter. They must not wait, and only {@link WakeSource#attach} may throw. Between the waits on
     * this queue an event costs the adapter nothing: it is looked at again when the next wait begins. With {@link AdapterOptions.Run#MANUAL} the source is never attached. {@link #detach} or {@link #close} ends this. Any thread.
     *
     * @throws org.verbena.link.LinkException if the adapter's thread cannot wait for this kind of source: it watches descriptors, and the adapter's sockets are channels, or the reverse
     * @throws IllegalStateException if the source is attached to this queue already; if this queue or the adapter is closed
     */
    public void attach(WakeSource source) {
        requireOpen();
        AttachedSource made = new AttachedSource(source, waiter, this::wakeup);
        add(made, source);
        try {
            control.attach(made);
        } catch (RuntimeException | Error refused) {
            remove(source);
            throw refused;
        }
    }

    /**
     * Ends {@link #attach}. When it returns, the source is called no more, and the watches that it made are closed: its descriptors may be closed. Does nothing if the source is not attached. Any thread.
     */
    public void detach(WakeSource source) {
        AttachedSource removed = remove(source);
        if (removed != null) {
            control.detach(removed);
        }
    }

    private void add(AttachedSource made, WakeSource source) {
        synchronized (sourcesLock) {
            AttachedSource[] before = sources;
            if (Arrays.stream(before).anyMatch(other -> other.isOf(source))) {
                throw new IllegalStateException("the source is attached to the completion queue already");
            }
            AttachedSource[] after = Arrays.copyOf(before, before.length + 1);
            after[before.length] = made;
            sources = after;
        }
    }

    private @Nullable AttachedSource remove(WakeSource source) {
        synchronized (sourcesLock) {
            AttachedSource[] before = sources;
            for (AttachedSource each : before) {
                if (each.isOf(source)) {
                    sources = Arrays.stream(before)
                            .filter(other -> !other.equals(each))
                            .toArray(AttachedSource[]::new);
                    return each;
                }
            }
            return null;
        }
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
     * Closes it. Completions that are left are lost; a thread that waits is woken, and gets an {@link IllegalStateException}. Sources are detached. A second call does nothing more.
     *
     * @throws IllegalStateException while an open queue pair uses it; nothing is closed then
     */
    @Override
    public void close() {
        queuePairs.close("the completion queue");
        for (AttachedSource source : sources) {
            control.detach(source);
        }
        control.onClosed(ring);
    }

    @Override
    public String toString() {
        return "completion queue of " + ring.capacity() + " of " + adapter;
    }
}
