package org.verbena.memory.hypervisor;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.PageFault;
import org.verbena.Verdict;
import org.verbena.memory.paging.FaultEvents;
import org.verbena.memory.paging.FaultRing;

/** A listener of page faults that a hypervisor calls, until this is closed. Any thread. */
public final class FaultWatch implements AutoCloseable {
    /** News that can wait for the listener: of a fault that has begun, or of one that has ended. */
    public static final int WAITING_MAX = FaultRing.CAPACITY;

    private final FaultEvents events;
    private final FaultListener listener;
    private final Executor executor;
    private final FaultRing ring;
    private final Runnable work = this::work;
    private final FaultRing.Receiver calls = new Calls();
    private final AtomicBoolean working = new AtomicBoolean();
    private final AtomicLong failures = new AtomicLong();
    private volatile @Nullable Throwable lastFailure;
    private volatile boolean closed;

    /** Calls the listener. */
    private final class Calls implements FaultRing.Receiver {
        @Override
        public void onBegin(PageFault fault) {
            listener.onBegin(fault);
        }

        @Override
        public void onEnd(PageFault fault, Verdict outcome, long durationNs) {
            listener.onEnd(fault, outcome, Duration.ofNanos(durationNs));
        }
    }

    FaultWatch(FaultEvents events, FaultListener listener, Executor executor) {
        this.events = events;
        this.listener = listener;
        this.executor = executor;
        this.ring = new FaultRing(this::onNews);
        events.watch(ring);
    }

    /** Number of news that was dropped because {@link #WAITING_MAX} others waited for the listener. */
    public long dropped() {
        return ring.dropped();
    }

    /** Number of times that the listener threw an exception or could not be called. */
    public long failures() {
        return failures.get();
    }

    /** The last exception of the listener, or null. */
    public @Nullable Throwable lastFailure() {
        return lastFailure;
    }

    /** An engine's thread: has the listener called, unless it is being called. */
    private void onNews() {
        if (!working.get() && working.compareAndSet(false, true)) {
            Throwable failed = HandOver.to(executor, work, "a listener of page faults");
            if (failed != null) {
                onFailure(failed);
                working.set(false); // the news waits for the next
            }
        }
    }

    private void work() {
        do {
            while (!closed && takeOne()) {}
            working.set(false);
        } while (!closed && !ring.isEmpty() && working.compareAndSet(false, true));
    }

    private boolean takeOne() {
        try {
            return ring.take(calls);
        } catch (Throwable thrown) { // of a listener that is not ours
            onFailure(thrown);
            return true;
        }
    }

    private void onFailure(Throwable thrown) {
        failures.getAndIncrement();
        lastFailure = thrown;
        events.onFailure();
    }

    /** Ends the calls of the listener; one that is under way goes on. News that waits is forgotten. Idempotent. */
    @Override
    public void close() {
        closed = true;
        events.unwatch(ring);
    }
}
