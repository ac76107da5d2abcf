package org.verbena.verbs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.adapter.Events;
import org.verbena.adapter.Limits;
import org.verbena.time.Durations;

/**
 * The asynchronous events of an adapter, in order. Any thread may call every method. At most 4096 events are kept until they
 * are taken; later ones are dropped and counted.
 */
public final class AsyncEvents {
    private final Lock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    // Under the lock:
    private final Deque<AsyncEvent> waiting = new ArrayDeque<>();
    private boolean closed;

    private final Map<Object, EventSource> sources = new ConcurrentHashMap<>();
    private final Map<EventSource, Watcher> watchers = new ConcurrentHashMap<>();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final Events sink = new Events() {
        @Override
        public void onEvent(EventKind kind, Object subject) {
            onEvent(kind, subject, "");
        }

        @Override
        public void onEvent(EventKind kind, Object subject, String detail) {
            AsyncEvents.this.onEvent(kind, subject, detail);
        }
    };

    AsyncEvents() {}

    /** Takes the oldest event; null if there is none. Does not wait. */
    public @Nullable AsyncEvent poll() {
        lock.lock();
        try {
            return waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the oldest event; waits for one if there is none. An adapter that runs {@link AdapterOptions.Run#INLINE} or
     * {@link AdapterOptions.Run#MANUAL} is not driven meanwhile.
     *
     * @param timeout the longest wait; zero or less does not wait
     * @return null when the time is over
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException if there is no event and the adapter is closed, or is closed meanwhile
     */
    public @Nullable AsyncEvent poll(Duration timeout) throws InterruptedException {
        long leftNs = Durations.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && leftNs > 0 && !closed) {
                leftNs = news.awaitNanos(leftNs);
            }
            if (closed && waiting.isEmpty()) {
                throw new IllegalStateException("the adapter is closed");
            }
            return waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether there was room for it. */
    private boolean add(AsyncEvent event) {
        lock.lock();
        try {
            if (waiting.size() >= Limits.EVENTS_MAX) {
                return false;
            }
            waiting.add(event);
            news.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** No event comes any more: threads that wait are woken. Events that are left can be taken. */
    void close() {
        lock.lock();
        try {
            closed = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Sees the events of one queue pair before they are queued. */
    @FunctionalInterface
    public interface Watcher {
        /**
         * An event happened. Called on the thread that drives the adapter; must not block. An exception is counted, and the event is
         * queued.
         *
         * @return true if the event is not to be queued
         */
        boolean onEvent(EventKind kind);

        /** The queue pair is being closed and takes no packets any more. Called once, on the thread that drives the adapter. */
        default void onClosed() {}
    }

    /**
     * Shows the events of a queue pair to a watcher before they are queued, from now on until the queue pair is closed. A
     * queue pair has one watcher: a new one replaces the old one.
     *
     * @param watcher null ends it
     */
    public void watch(QueuePair queuePair, @Nullable Watcher watcher) {
        if (watcher == null) {
            watchers.remove(queuePair);
        } else {
            watchers.put(queuePair, watcher);
        }
    }

    /** The queue pair of this subject is being closed: its watcher is told, and not called again. Engine's thread. */
    void onClosed(Object subject) {
        EventSource source = sources.get(subject);
        Watcher watcher = source == null ? null : watchers.remove(source);
        if (watcher != null) {
            watcher.onClosed();
        }
    }

    /** Number of events that were dropped because earlier ones were not taken. */
    public long dropped() {
        return dropped.get();
    }

    /** Number of times that a watcher has thrown an exception. */
    public long watcherFailures() {
        return failures.get();
    }

    Events sink() {
        return sink;
    }

    void know(Object subject, EventSource source) {
        sources.put(subject, source);
    }

    void forget(Object subject) {
        EventSource source = sources.remove(subject);
        if (source != null) {
            watchers.remove(source);
        }
    }

    /** Asks the watcher. Its exception must not end the engine; the event is queued then. */
    private boolean watches(Watcher watcher, EventKind kind) {
        try {
            return watcher.onEvent(kind);
        } catch (RuntimeException | Error e) {
            failures.incrementAndGet();
            return false;
        }
    }

    private void onEvent(EventKind kind, Object subject, String detail) {
        EventSource source = sources.get(subject);
        Watcher watcher = source == null ? null : watchers.get(source);
        if (watcher != null && watches(watcher, kind)) {
            return;
        }
        if (source != null && !add(new AsyncEvent(kind, source, detail))) {
            dropped.incrementAndGet();
        }
    }
}
