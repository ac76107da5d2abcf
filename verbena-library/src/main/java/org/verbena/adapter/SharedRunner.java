package org.verbena.adapter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.queue.CompletionRing;
import org.verbena.time.NanoClock;

/**
 * An engine that its consumers drive while they poll or wait, and its own thread while they do not.
 *
 * <p>One thread at a time gives a turn ({@link SharedTurns}). The <em>watcher</em> ({@link WatcherRole}) is the one thread that sleeps in the
 * sleeper, for packets, posts and deadlines. Other threads can give turns while it sleeps. All other threads that wait are parked. The rules:
 *
 * <ul>
 *   <li>A watcher gives a turn after each sleep. It looks for work once more before each sleep.
 *   <li>A thread that parks makes sure that there is a watcher. A thread that ends its wait does the same for the threads that are
 *       still parked.
 *   <li>A turn that completes the wait of the watcher ends the watcher's sleep.
 *   <li>A virtual thread never watches: a sleep in the system would hold its carrier. The engine's thread watches for it.
 *   <li>The engine's thread drives while consumers do not ({@link StandbyThread}).
 * </ul>
 */
public final class SharedRunner implements Runner {
    private final RunnerSleeper sleeper;
    private final NanoClock clock;
    private final SharedTurns turns;
    private final WatcherRole watch;
    private final StandbyThread standby;
    private final FutureBell bell = new FutureBell(this::wakeWaiters);
    private final ShortSpin spin = new ShortSpin();

    /**
     * Starts the engine's thread.
     *
     * @param name of the thread
     */
    public SharedRunner(Engine engine, RunnerSleeper sleeper, NanoClock clock, String name) {
        this.sleeper = sleeper;
        this.clock = clock;
        this.turns = new SharedTurns(engine, sleeper, clock, this::wakeWaiters);
        this.standby = new StandbyThread(turns, clock, name);
        this.watch = standby.watch();
        standby.start();
    }

    @Override
    public void call(Runnable command) {
        turns.call(command);
    }

    @Override
    public int progress() {
        int done = turns.turn(true);
        if (done == SharedTurns.NONE) {
            Thread.onSpinWait();
            return 0;
        }
        watch.recallEngine();
        if (done == 0) {
            turns.pause();
        }
        return done;
    }

    @Override
    public void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException {
        requireOutside();
        long startNs = clock.nowNs();
        try {
            while (ring.armUnlessFilled(wish)) {
                if (turns.hasEnded()) {
                    throw turns.gone();
                }
                if (!awaitEvent(ring, null, startNs, timeoutNs)) {
                    return;
                }
                // Notified without a completion: the notification of one that was taken before came late. Goes on.
            }
        } finally {
            ring.disarm();
        }
    }

    @Override
    public void await(CompletableFuture<?> future, long timeoutNs) throws InterruptedException {
        if (future.isDone()) {
            return;
        }
        requireOutside();
        bell.watch(future);
        if (!awaitEvent(null, future, clock.nowNs(), timeoutNs)) {
            return;
        }
        if (!future.isDone()) {
            throw turns.gone();
        }
        progress(); // lets an answer leave at once: the next poll may come late
    }

    private void requireOutside() {
        if (turns.isWithin()) {
            throw new IllegalStateException("a turn of the engine must not wait for the engine");
        }
    }

    /** Drives until the event is there or the engine has ended; false when the time is over. */
    private boolean awaitEvent(
            @Nullable CompletionRing ring, @Nullable CompletableFuture<?> future, long startNs, long timeoutNs)
            throws InterruptedException {
        boolean asleep = false;
        try {
            int done = turns.turn(true);
            long spinsUntilNs = spin.begin(startNs);
            while (SharedTurns.isMissing(ring, future) && !turns.hasEnded()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long nowNs = clock.nowNs();
                long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : timeoutNs - (nowNs - startNs);
                if (leftNs <= 0) {
                    return false;
                }
                if (done <= 0 && nowNs - spinsUntilNs >= 0) {
                    if (!asleep && spinsUntilNs != startNs) {
                        spin.onMiss();
                    }
                    asleep = true;
                    done = sleepOrPark(ring, future, leftNs);
                } else {
                    if (done <= 0) {
                        turns.pause();
                    }
                    done = turns.turn(true);
                }
            }
            if (!asleep && clock.nowNs() - spinsUntilNs < 0) {
                spin.onHit();
            }
            return true;
        } finally {
            watch.endWait();
        }
    }

    /** Sleeps as the watcher if it can be the watcher, parks if not; then gives a turn. */
    private int sleepOrPark(@Nullable CompletionRing ring, @Nullable CompletableFuture<?> future, long timeoutNs) {
        if (!Thread.currentThread().isVirtual() && watch.take()) {
            return turns.sleep(ring, future, timeoutNs, true);
        }
        Thread waiter = watch.enlist();
        try {
            if (SharedTurns.isMissing(ring, future) && !turns.hasEnded() && watch.mayPark(waiter)) {
                LockSupport.parkNanos(this, timeoutNs);
            }
        } finally {
            watch.delist(waiter);
        }
        return SharedTurns.isMissing(ring, future) ? turns.turn(true) : 0;
    }

    @Override
    public void wakeWaiters() {
        sleeper.wakeup();
        watch.unparkAll();
    }

    @Override
    public void close() {
        turns.end();
        standby.join();
        Thread self = Thread.currentThread();
        for (Thread other = watch.watcher(); other != null && !other.equals(self); other = watch.watcher()) {
            wakeWaiters();
            LockSupport.parkNanos(this, SharedTurns.CLAIM_PARK_NS);
        }
        turns.closeSleeper();
        wakeWaiters();
    }
}
