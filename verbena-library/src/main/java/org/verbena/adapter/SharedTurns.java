package org.verbena.adapter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.queue.CompletionRing;
import org.verbena.time.NanoClock;

/** Turns of an engine that several threads drive, one at a time, and the sleep of one of them between turns. Any thread. */
final class SharedTurns {
    /** The result of a turn that was not given: another thread has the claim, or the engine has ended. */
    static final int NONE = -1;

    private static final int CLAIM_SPINS = 100;
    private static final int CLAIM_YIELDS = 20;
    /** Longest park of a thread that waits for the claim. */
    static final long CLAIM_PARK_NS = 50_000;

    private final Engine engine;
    private final RunnerSleeper sleeper;
    private final NanoClock clock;
    private final Runnable wakeWaiters;
    private final EngineClaim claim = new EngineClaim();
    private final UsefulYield yield;

    /** Turns that consumers gave. Written under the claim. */
    private final AtomicLong consumerTurns = new AtomicLong();

    // Under the claim:
    /** The ring that the sleeping watcher waits for; null if it waits for none. */
    private @Nullable CompletionRing watched;
    /** The end of the watcher's sleep, if no event ends it earlier. */
    private long watchedUntilNs;
    /** The time of the last turn. A thread that reads that of another one may yield once more. */
    private long turnNs;
    /** The end of the last turn that a consumer gave. A thread that reads an old one takes an absence for longer than it was. */
    private long consumerNs;

    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    /** @param wakeWaiters wakes all threads that wait, so that they see the end of the engine */
    SharedTurns(Engine engine, RunnerSleeper sleeper, NanoClock clock, Runnable wakeWaiters) {
        this.engine = engine;
        this.sleeper = sleeper;
        this.clock = clock;
        this.wakeWaiters = wakeWaiters;
        this.yield = new UsefulYield(clock);
        this.consumerNs = clock.nowNs();
    }

    /** Whether what a thread waits for, a completion or a future, is missing. A thread that waits for neither waits for ever. */
    static boolean isMissing(@Nullable CompletionRing ring, @Nullable CompletableFuture<?> future) {
        return ring != null ? ring.armed() : future == null || !future.isDone();
    }

    /** A turn; {@link #NONE} if another thread has the claim: that one, or the watcher, does the work. */
    int turn(boolean consumer) {
        if (ended || !claim.tryTake()) {
            return NONE;
        }
        try {
            return ended ? NONE : work(consumer);
        } finally {
            claim.giveBack();
        }
    }

    /** A turn. The thread has the claim. */
    private int work(boolean consumer) {
        long nowNs = clock.nowNs();
        turnNs = nowNs;
        int done;
        try {
            done = engine.work(nowNs);
            sleeper.onTurn();
        } catch (Throwable e) { // checked ones, too: a callback may throw one it does not declare
            fail(e);
            throw gone();
        }
        if (done > 0) {
            yield.onWork(nowNs);
        }
        if (consumer) {
            consumerNs = done > 0 ? clock.nowNs() : nowNs; // a turn with work may be as long as an absence
            consumerTurns.set(consumerTurns.getPlain() + 1);
        }
        CompletionRing awaited = watched;
        if (awaited != null && !awaited.armed()) {
            watched = null;
            sleeper.wakeup();
        }
        return done;
    }

    /** Turns that consumers have given so far. */
    long consumerTurns() {
        return consumerTurns.get();
    }

    /** The end of the last turn that a consumer gave. */
    long consumerNs() {
        return consumerNs;
    }

    /** After a turn without work, before the next one. The time for which other threads had the core, if it was long; else 0. */
    long pause() {
        if (yield.isDue(turnNs)) {
            return yield.yieldAndLearn();
        }
        Thread.onSpinWait();
        return 0;
    }

    /** Runs a command between turns, at once. Its exceptions are thrown here. */
    void call(Runnable command) {
        if (claim.isMine()) {
            command.run(); // from within a turn
            return;
        }
        if (!take()) {
            throw gone();
        }
        try {
            command.run();
        } finally {
            claim.giveBack();
            sleeper.wakeup(); // the command may have brought work, a deadline or a source
        }
    }

    /** Takes the claim; waits for it if another thread has it, for a turn is short. False when the engine has ended. */
    @SuppressWarnings("ThreadPriorityCheck") // the thread that has the claim may need this core
    private boolean take() {
        for (int tries = 0; !ended; tries++) {
            if (claim.tryTake()) {
                if (!ended) {
                    return true;
                }
                claim.giveBack();
            } else if (tries < CLAIM_SPINS) {
                Thread.onSpinWait();
            } else if (tries < CLAIM_SPINS + CLAIM_YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, CLAIM_PARK_NS);
            }
        }
        return false;
    }

    /** Sleeps in the sleeper, then gives a turn. The thread is the watcher. Other threads may give turns while it sleeps. */
    int sleep(@Nullable CompletionRing ring, @Nullable CompletableFuture<?> future, long timeoutNs, boolean consumer) {
        long boundNs = prepare(ring, future, timeoutNs);
        if (boundNs <= 0) {
            return turn(consumer);
        }
        Sleep.block(engine, sleeper, boundNs);
        if (!take()) {
            return NONE;
        }
        try {
            watched = null;
            sleeper.tell();
            return work(consumer);
        } finally {
            claim.giveBack();
        }
    }

    /** The last look before a sleep; the longest sleep, 0 or less for none. */
    private long prepare(@Nullable CompletionRing ring, @Nullable CompletableFuture<?> future, long timeoutNs) {
        if (!take()) {
            return 0;
        }
        try {
            if (!isMissing(ring, future)) {
                return 0;
            }
            long boundNs = Sleep.prepare(engine, sleeper, clock, timeoutNs);
            if (boundNs > 0) {
                watched = ring;
                watchedUntilNs = clock.nowNs() + boundNs;
            }
            return boundNs;
        } catch (RuntimeException e) {
            fail(e);
            throw gone();
        } finally {
            claim.giveBack();
        }
    }

    /** Ends the watcher's sleep if a turn of another thread has left work, or a deadline before the end of the sleep. */
    void wakeLateWatcher() {
        if (take()) {
            try {
                long deadlineNs = engine.nextDeadlineNs();
                if (deadlineNs == Long.MIN_VALUE || (deadlineNs != Long.MAX_VALUE && deadlineNs - watchedUntilNs < 0)) {
                    sleeper.wakeup();
                }
            } finally {
                claim.giveBack();
            }
        }
    }

    // --- the end

    /** A bug of ours. No thread may wait for an engine that has ended. */
    void fail(Throwable e) {
        if (failure == null) {
            failure = e;
            end();
            engine.events().onEvent(EventKind.ADAPTER_FATAL, engine);
        }
    }

    /** No turn begins from now on. */
    void end() {
        ended = true;
        wakeWaiters.run();
    }

    boolean hasEnded() {
        return ended;
    }

    IllegalStateException gone() {
        return new IllegalStateException(failure == null ? "the adapter is closed" : "the adapter failed", failure);
    }

    /** Whether the current thread gives a turn or runs a command now. */
    boolean isWithin() {
        return claim.isMine();
    }

    /** Waits for the turn under way, unless it is this thread's own, and closes the sleeper. No thread watches any more. */
    void closeSleeper() {
        boolean mine = claim.isMine();
        while (!mine && !claim.tryTake()) {
            LockSupport.parkNanos(this, CLAIM_PARK_NS);
        }
        try {
            sleeper.close();
        } finally {
            if (!mine) {
                claim.giveBack();
            }
        }
    }
}
