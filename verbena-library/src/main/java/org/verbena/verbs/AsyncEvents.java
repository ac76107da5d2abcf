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

/** The asynchronous events of an adapter, in order. Any thread. At most {@link Limits#EVENTS_MAX} wait to be taken. */
public final class AsyncEvents {
    private final LinkedBlockingQueue<AsyncEvent> waiting = new LinkedBlockingQueue<>(Limits.EVENTS_MAX);
    private final Map<Object, EventSource> sources = new ConcurrentHashMap<>();
    private final AtomicLong dropped = new AtomicLong();
    private final Events sink = this::onEvent;

    AsyncEvents() {}

    /** The oldest event not taken, or null. */
    public @Nullable AsyncEvent poll() {
        return waiting.poll();
    }

    /** The oldest event not taken; waits for one as long as given, then null. */
    public @Nullable AsyncEvent poll(Duration timeout) throws InterruptedException {
        return waiting.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Events that found no room because nobody took the earlier ones. */
    public long dropped() {
        return dropped.get();
    }

    Events sink() {
        return sink;
    }

    void know(Object subject, EventSource source) {
        sources.put(subject, source);
    }

    void forget(Object subject) {
        sources.remove(subject);
    }

    private void onEvent(EventKind kind, Object subject) {
        EventSource source = sources.get(subject);
        if (source != null && !waiting.offer(new AsyncEvent(kind, source))) {
            dropped.incrementAndGet();
        }
    }
}
