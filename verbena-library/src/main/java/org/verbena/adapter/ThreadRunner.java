package org.verbena.adapter;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.IdleStrategy;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.queue.CompletionRing;
import org.verbena.time.NanoClock;

/** An engine on a thread of its own. */
public final class ThreadRunner implements Runner {
    private final Engine engine;
    private final RunnerSleeper sleeper;
    private final NanoClock clock;
    private final IdleStrategy idle;
    private final Thread thread;
    private volatile boolean closed;
    private final Set<Thread> waiters = ConcurrentHashMap.newKeySet();
    private final FutureBell bell = new FutureBell(this::wakeWaiters);
    private volatile @Nullable Throwable failure;

    public ThreadRunner(Engine engine, RunnerSleeper sleeper, NanoClock clock, IdleStrategy idle, String name) {
        this.engine = engine;
        this.sleeper = sleeper;
        this.clock = clock;
        this.idle = idle;
        this.thread = Thread.ofPlatform().name(name).daemon(true).start(this::run);
    }

    private void run() {
        try {
            for (int empty = 0; !closed; ) {
                empty = engine.work(clock.nowNs()) > 0 ? 0 : empty + 1;
                sleeper.onTurn();
                if (empty > 0) {
                    idle(empty);
                }
            }
        } catch (Throwable e) { // checked ones, too: a callback may throw one it does not declare
            // A bug of ours. No thread may wait for an engine that has ended.
            failure = e;
            closed = true;
            wakeWaiters();
            engine.events().onEvent(EventKind.ADAPTER_FATAL, engine);
        } finally {
            sleeper.close();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the yield is the strategy
    private void idle(int empty) {
        if (empty <= idle.spins()) {
            Thread.onSpinWait();
        } else if (empty - idle.spins() <= idle.yields()) {
            Thread.yield();
        } else {
            Sleep.once(engine, sleeper, clock, Long.MAX_VALUE);
        }
    }

    @Override
    public void call(Runnable command) {
        if (thread.equals(Thread.currentThread())) {
            command.run();
            return;
        }
        var done = new CompletableFuture<Void>();
        Thread caller = Thread.currentThread();
        engine.submit(() -> {
            try {
                command.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
            LockSupport.unpark(caller);
        });
        sleeper.wakeup();
        awaitCommand(done);
    }

    private void awaitCommand(CompletableFuture<Void> done) {
        while (!done.isDone()) {
            if (closed) {
                throw gone();
            }
            LockSupport.parkNanos(done, 20_000);
        }
        try {
            done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw CommandFailure.forCaller(cause);
            }
            throw e;
        }
    }

    private IllegalStateException gone() {
        return new IllegalStateException(failure == null ? "the adapter is closed" : "the adapter failed", failure);
    }

    @Override
    public int progress() {
        return 0;
    }

    @Override
    public void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException {
        long deadlineNs = clock.nowNs() + timeoutNs;
        waiters.add(Thread.currentThread());
        try {
            while (ring.armUnlessFilled(wish)) {
                if (closed) {
                    throw gone();
                }
                if (!parkWhileArmed(ring, deadlineNs, timeoutNs)) {
                    return;
                }
                // Woken without a completion: the notification of one that was taken before came late. Waits on.
            }
        } finally {
            ring.disarm();
            waiters.remove(Thread.currentThread());
        }
    }

    /** False when the time is over. */
    private boolean parkWhileArmed(CompletionRing ring, long deadlineNs, long timeoutNs) throws InterruptedException {
        while (ring.armed() && !closed) {
            long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : deadlineNs - clock.nowNs();
            if (leftNs <= 0) {
                return false;
            }
            LockSupport.parkNanos(ring, leftNs);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return true;
    }

    @Override
    public void await(CompletableFuture<?> future, long timeoutNs) throws InterruptedException {
        Thread waiter = Thread.currentThread();
        if (thread.equals(waiter) && !future.isDone()) {
            throw new IllegalStateException("the engine's own thread must not wait for the engine");
        }
        long deadlineNs = clock.nowNs() + timeoutNs;
        waiters.add(waiter);
        try {
            bell.watch(future);
            while (!future.isDone() && !closed) {
                long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : deadlineNs - clock.nowNs();
                if (leftNs <= 0) {
                    return;
                }
                LockSupport.parkNanos(future, leftNs);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            waiters.remove(waiter);
        }
        if (!future.isDone()) {
            throw gone();
        }
    }

    @Override
    public void wake(Thread waiter) {
        LockSupport.unpark(waiter);
    }

    @Override
    public void wakeWaiters() {
        waiters.forEach(LockSupport::unpark);
    }

    @Override
    public void close() {
        closed = true;
        wakeWaiters();
        sleeper.wakeup();
        boolean interrupted = false;
        while (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
            try {
                sleeper.wakeup();
                thread.join(10);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
