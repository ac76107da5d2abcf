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
    private final UsefulYield yield;

    public InlineRunner(Engine engine, RunnerSleeper sleeper, NanoClock clock) {
        this.engine = engine;
        this.sleeper = sleeper;
        this.clock = clock;
        this.bell = new FutureBell(this::wakeWaiters);
        this.yield = new UsefulYield(clock);
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

    /** The thread sleeps in the sleeper, or drives, or is parked until the thread that does one of the two gives the engine back. */
    @Override
    public void wake(Thread waiter) {
        if (!waiter.equals(Thread.currentThread())) {
            sleeper.wakeup();
        }
    }

    @Override
    public void wakeWaiters() {
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
            sleeper.onTurn();
            idle = done == 0 && yield.isDue(nowNs);
            if (done > 0) {
                yield.onWork(nowNs);
            }
        } finally {
            leave();
        }
        if (idle) {
            yield.yieldAndLearn();
        }
        return done;
    }

    /**
     * A virtual thread that slept in the system would hold its carrier. When all carriers are held, the virtual thread that could wake them has none.
     *
     * @throws IllegalStateException if the current thread is a virtual one
     */
    private static void requirePlatformThread() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread must not wait for an adapter that runs INLINE:"
                    + " its sleep would hold the carrier thread; run the adapter SHARED or THREAD");
        }
    }

    @Override
    public void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException {
        long startNs = clock.nowNs();
        if (timeoutNs > 0 && ring.isEmpty()) {
            requirePlatformThread();
        }
        try {
            while (ring.armUnlessFilled(wish)) {
                if (closed) {
                    throw new IllegalStateException("the adapter is closed");
                }
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
            int done = progress(); // also where there is no time to wait: a consumer may poll in this way only
            long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : startNs + timeoutNs - clock.nowNs();
            if (leftNs <= 0) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (done == 0 && ring.armed()) {
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
        if (!future.isDone()) {
            requirePlatformThread();
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
