package org.verbena.verbs;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Events;
import org.verbena.adapter.Limits;
import org.verbena.queue.EventKind;
import org.verbena.time.Durations;

/** The asynchronous events of an adapter, in order. Any thread. At most {@link Limits#EVENTS_MAX} wait to be taken. */
public final class AsyncEvents {
    private final LinkedBlockingQueue<AsyncEvent> waiting = new LinkedBlockingQueue<>(Limits.EVENTS_MAX);
    private final Map<Object, EventSource> sources = new ConcurrentHashMap<>();
    private final Map<EventSource, Watcher> watchers = new ConcurrentHashMap<>();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final Events sink = this::onEvent;

    AsyncEvents() {}

    /** The oldest event not taken, or null. */
    public @Nullable AsyncEvent poll() {
        return waiting.poll();
    }

    /** The oldest event not taken; waits for one as long as given, then null. */
    public @Nullable AsyncEvent poll(Duration timeout) throws InterruptedException {
        return waiting.poll(Durations.toNanos(timeout), TimeUnit.NANOSECONDS);
    }

    /** Looks at the events of one queue pair before they are queued. */
    @FunctionalInterface
    public interface Watcher {
        /**
         * Something happened. Called on the engine's thread; must not block. What it throws is counted, no more.
         *
         * @return whether that was all: the event is then not queued
         */
        boolean onEvent(EventKind kind);

        /** The queue pair is being closed. Called on the engine's thread, once it takes no packets any more. */
        default void onClosed() {}
    }

    /** From now on shows a queue pair's events to the watcher first; null ends that. One watcher each, until the queue pair is closed. */
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

    /** Events that found no room because nobody took the earlier ones. */
    public long dropped() {
        return dropped.get();
    }

    /** Times that a watcher has thrown something instead of an answer. */
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

    /** What a watcher throws must not end the engine; the event is queued then. */
    private boolean watches(Watcher watcher, EventKind kind) {
        try {
            return watcher.onEvent(kind);
        } catch (RuntimeException | Error e) {
            failures.incrementAndGet();
            return false;
        }
    }

    private void onEvent(EventKind kind, Object subject) {
        EventSource source = sources.get(subject);
        Watcher watcher = source == null ? null : watchers.get(source);
        if (watcher != null && watches(watcher, kind)) {
            return;
        }
        if (source != null && !waiting.offer(new AsyncEvent(kind, source))) {
            dropped.incrementAndGet();
        }
    }
}
