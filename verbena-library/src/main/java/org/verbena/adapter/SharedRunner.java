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
 *   <li>The engine's thread drives while consumers do not ({@link StandbyThread}). A consumer that leaves calls it if consumers are often away for
 *       long ({@link Absences}).
 *   <li>A thread that finds another thread in need of its core for long sleeps instead of looking again ({@link UsefulYield}). A virtual thread looks
 *       again only while no other thread waits.
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
    private final Absences absences = new Absences();

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
        long leftNs = turns.consumerNs();
        int done = turns.turn(true);
        if (done == SharedTurns.NONE) {
            Thread.onSpinWait();
            return 0;
        }
        watch.recallEngine();
        onReturn(turns.consumerNs() - leftNs);
        onLeave();
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

    private void onReturn(long awayNs) {
        if (!watch.isWatchedByConsumer()) {
            absences.onReturn(awayNs);
        }
    }

    private void onLeave() {
        if (absences.areUsual()) {
            watch.callEngine();
        }
    }

    /** Drives until the event is there or the engine has ended; false when the time is over. */
    private boolean awaitEvent(
            @Nullable CompletionRing ring, @Nullable CompletableFuture<?> future, long startNs, long timeoutNs)
            throws InterruptedException {
        boolean virtual = Thread.currentThread().isVirtual();
        if (virtual) {
            watch.beginVirtualWait();
        }
        try {
            onReturn(startNs - turns.consumerNs());
            return drive(ring, future, startNs, timeoutNs, virtual);
        } finally {
            if (virtual) {
                watch.endVirtualWait();
            }
            watch.endWait();
            onLeave();
        }
    }

    private boolean drive(
            @Nullable CompletionRing ring,
            @Nullable CompletableFuture<?> future,
            long startNs,
            long timeoutNs,
            boolean virtual)
            throws InterruptedException {
        int done = turns.turn(true);
        long spinsUntilNs = virtual && watch.hasOtherWaits() ? startNs : spin.begin(startNs);
        boolean spins = spinsUntilNs != startNs;
        boolean slept = false;
        while (SharedTurns.isMissing(ring, future) && !turns.hasEnded()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long nowNs = clock.nowNs();
            long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : timeoutNs - (nowNs - startNs);
            if (leftNs <= 0) {
                return false;
            }
            if (spins && done <= 0 && nowNs - spinsUntilNs >= 0) {
                spin.onMiss(spinsUntilNs, nowNs);
                spins = false;
            } else if (spins && virtual && watch.hasOtherWaits()) {
                spins = false;
            }
            if (spins) {
                spins = done > 0 || mayGoOn();
                done = turns.turn(true);
            } else if (slept && done > 0) {
                done = turns.turn(true);
            } else {
                slept = true;
                done = sleepOrPark(ring, future, leftNs, done, virtual);
            }
        }
        if (spins) {
            onEndWithinSpin(spinsUntilNs);
        }
        return true;
    }

    private void onEndWithinSpin(long spinsUntilNs) {
        long nowNs = clock.nowNs();
        if (nowNs - spinsUntilNs < 0) {
            spin.onHit();
        } else {
            spin.onMiss(spinsUntilNs, nowNs);
        }
    }

    /** Pauses between two looks; whether the spin goes on: no other thread needs the core for long. */
    private boolean mayGoOn() {
        long lostNs = turns.pause();
        if (lostNs > 0) {
            spin.onCrowd(lostNs, clock.nowNs());
            return false;
        }
        return true;
    }

    /** Sleeps as the watcher if it can be the watcher; parks if not, unless the last turn did something: it may have left work. Then gives a turn. */
    private int sleepOrPark(
            @Nullable CompletionRing ring,
            @Nullable CompletableFuture<?> future,
            long timeoutNs,
            int done,
            boolean virtual) {
        if (!virtual && watch.take()) {
            return turns.sleep(ring, future, timeoutNs, true); // looks for work before
        }
        if (done > 0) {
            return turns.turn(true);
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

    /** The thread is the watcher, or is parked, or drives. One that becomes the watcher later looks at its ring before it sleeps. */
    @Override
    public void wake(Thread waiter) {
        if (waiter.equals(Thread.currentThread())) {
            return;
        }
        if (waiter.equals(watch.watcher())) {
            sleeper.wakeup();
        }
        LockSupport.unpark(waiter);
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
