package org.verbena.adapter;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.queue.CompletionRing;
import org.verbena.time.NanoClock;

/**
 * An engine driven by the polls of its consumer, on the consumer's thread: no hand-over between threads, the best latency
 * where cores are few. Nothing moves between polls, acknowledgements included.
 */
public final class InlineRunner implements Runner {
    /** A yield that takes longer has let another thread run: perhaps the peer, which waits for this core. */
    private static final long YIELD_OF_USE_NS = 1_500;
    /** Time without work after which a yield is tried, and tried again if the last one let no thread run. */
    private static final long YIELD_EVERY_NS = 20_000;

    /** Longest park of a thread that waits for the turn of another thread to end. */
    private static final long PARK_MAX_NS = 1_000_000;

    private final Engine engine;
    private final RunnerSleeper sleeper;
    private final NanoClock clock;
    private final AtomicBoolean busy = new AtomicBoolean();
    /** The thread that gives a turn or runs a command now. Read without a barrier: a thread compares it with itself only. */
    private @Nullable Thread driver;

    /** Threads that wait for the engine while another thread drives it. */
    private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

    private final FutureBell bell;
    private volatile boolean closed;
    private long yieldNs;
    private boolean yieldOfUse;

    public InlineRunner(Engine engine, RunnerSleeper sleeper, NanoClock clock) {
        this.engine = engine;
        this.sleeper = sleeper;
        this.clock = clock;
        this.bell = new FutureBell(this::wakeAll);
    }

    @Override
    public void call(Runnable command) {
        if (isDriving()) {
            command.run(); // from within a turn
            return;
        }
        enter();
        try {
            driver = Thread.currentThread();
            command.run();
        } finally {
            leave();
        }
    }

    private boolean isDriving() {
        return Thread.currentThread().equals(driver);
    }

    private void leave() {
        driver = null;
        busy.setRelease(false);
        if (!parked.isEmpty()) {
            parked.forEach(LockSupport::unpark); // their event may be there; if not, one of them drives
        }
    }

    /** Wakes all threads that wait, in the sleeper or parked. A thread that completes a future calls this. */
    private void wakeAll() {
        sleeper.wakeup();
        parked.forEach(LockSupport::unpark);
    }

    /** A turn, unless another thread is giving one. */
    @Override
    public int progress() {
        if (closed || !busy.compareAndSet(false, true)) {
            return 0;
        }
        int done;
        boolean idle;
        try {
            driver = Thread.currentThread();
            if (closed) {
                return 0;
            }
            long nowNs = clock.nowNs();
            done = engine.work(nowNs);
            idle = done == 0 && isTimeToYield(nowNs);
            if (done > 0) {
                yieldNs = nowNs + YIELD_EVERY_NS;
            }
        } finally {
            leave();
        }
        if (idle) {
            yieldAndLearn();
        }
        return done;
    }

    private boolean isTimeToYield(long nowNs) {
        return yieldOfUse || nowNs - yieldNs >= 0;
    }

    /** A yield wastes time if no thread waits for the core; if one does, polling on wastes time. */
    @SuppressWarnings("ThreadPriorityCheck") // whether it was of use is measured
    private void yieldAndLearn() {
        long beforeNs = clock.nowNs();
        Thread.yield();
        long afterNs = clock.nowNs();
        yieldOfUse = afterNs - beforeNs > YIELD_OF_USE_NS;
        yieldNs = afterNs + YIELD_EVERY_NS;
    }

    @Override
    public void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException {
        long startNs = clock.nowNs();
        try {
            while (ring.armUnlessFilled(wish) && !closed) {
                if (!drive(ring, startNs, timeoutNs)) {
                    return;
                }
                // Notified without a completion: the notification of one that was taken before came late. Goes on.
            }
        } finally {
            ring.disarm();
        }
    }

    /** Gives turns until the ring has a completion of the wanted kind; false when the time is over. */
    private boolean drive(CompletionRing ring, long startNs, long timeoutNs) throws InterruptedException {
        while (ring.armed() && !closed) {
            long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : startNs + timeoutNs - clock.nowNs();
            if (leftNs <= 0) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (progress() == 0 && ring.armed()) {
                if (busy.compareAndSet(false, true)) {
                    sleep(ring.armed(), leftNs);
                } else {
                    park(leftNs);
                }
            }
        }
        return true;
    }

    @Override
    public void await(CompletableFuture<?> future, long timeoutNs) throws InterruptedException {
        if (isDriving() && !future.isDone()) {
            throw new IllegalStateException("a turn of the engine must not wait for the engine");
        }
        long startNs = clock.nowNs();
        bell.watch(future);
        while (!future.isDone() && !closed) {
            long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : startNs + timeoutNs - clock.nowNs();
            if (leftNs <= 0) {
                return;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (progress() == 0 && !future.isDone()) {
                if (busy.compareAndSet(false, true)) {
                    sleep(!future.isDone(), leftNs);
                } else {
                    park(leftNs);
                }
            }
        }
        if (!future.isDone()) {
            throw new IllegalStateException("the adapter is closed");
        }
        progress(); // lets an answer leave at once: the next poll may come late
    }

    /**
     * Sleeps in the sleeper. The calling thread has claimed the engine, and gives it back at the end.
     *
     * @param worthIt whether the event was still missing after the claim: from then on no other thread can bring it about
     */
    private void sleep(boolean worthIt, long timeoutNs) {
        try {
            if (worthIt && !closed) {
                Sleep.once(engine, sleeper, clock, timeoutNs);
            }
        } finally {
            leave();
        }
    }

    /** Parks until the thread that drives the engine, or sleeps in its sleeper, gives it back. */
    private void park(long timeoutNs) {
        Thread waiter = Thread.currentThread();
        parked.add(waiter);
        try {
            if (busy.get()) {
                LockSupport.parkNanos(this, Math.min(timeoutNs, PARK_MAX_NS));
            }
        } finally {
            parked.remove(waiter);
        }
    }

    private void enter() {
        while (!busy.compareAndSet(false, true)) {
            sleeper.wakeup();
            Thread.onSpinWait();
        }
        if (closed) {
            leave();
            throw new IllegalStateException("the adapter is closed");
        }
    }

    @Override
    public void close() {
        if (isDriving()) {
            closed = true; // from within a turn, which is the last one
            sleeper.close();
            return;
        }
        while (!closed) {
            if (busy.compareAndSet(false, true)) {
                closed = true;
                sleeper.close();
                leave();
            } else {
                sleeper.wakeup();
                Thread.onSpinWait();
            }
        }
    }
}
