package org.verbena.adapter;

import java.util.concurrent.locks.LockSupport;
import org.verbena.time.NanoClock;

/**
 * The thread of an engine that its consumers drive: it drives while they do not.
 *
 * <p>While consumers give turns, it only looks at each tick whether they still do. When they have stopped, or one of them calls it, it gives turns until
 * there is no more work, and then watches. If a consumer watches, it needs no tick: it parks until that consumer leaves or another one gives a turn.
 */
final class StandbyThread {
    /** Time after which it looks whether consumers still drive. */
    static final long TICK_NS = 1_000_000;
    /** The same, after a tick that found work left by consumers. */
    private static final long TICK_MIN_NS = 125_000;

    private final SharedTurns turns;
    private final NanoClock clock;
    private final ShortSpin spin = new ShortSpin();
    private final Thread thread;
    private final WatcherRole watch;

    StandbyThread(SharedTurns turns, NanoClock clock, String name) {
        this.turns = turns;
        this.clock = clock;
        this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
        this.watch = new WatcherRole(thread);
    }

    WatcherRole watch() {
        return watch;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            drive();
        } catch (Throwable e) {
            turns.fail(e);
        } finally {
            watch.endWait();
        }
    }

    private void drive() {
        long seenTurns = 0;
        long tickNs = TICK_NS;
        boolean ticked = false;
        while (!turns.hasEnded()) {
            long given = turns.consumerTurns();
            boolean driven = given != seenTurns;
            seenTurns = given;
            boolean called = watch.takeCall();
            if (driven && !called && !watch.isEngineNeeded()) {
                watch.endWait();
                LockSupport.parkNanos(this, tickNs);
                tickNs = Math.min(tickNs * 2, TICK_NS);
                ticked = true;
            } else {
                boolean found = driveUntilIdle(seenTurns);
                tickNs = found && ticked ? TICK_MIN_NS : tickNs;
                ticked = false;
                rest(seenTurns);
            }
        }
    }

    /** Gives turns until there is no more work, or consumers give turns; whether there was work. */
    private boolean driveUntilIdle(long seenTurns) {
        boolean found = false;
        boolean idle = false;
        long spinsFromNs = 0;
        long spinsUntilNs = 0;
        while (!turns.hasEnded() && turns.consumerTurns() == seenTurns) {
            boolean worked = turns.turn(false) > 0;
            long nowNs = clock.nowNs();
            if (worked) {
                if (idle) {
                    spin.onHit();
                }
                found = true;
            } else if (!idle) {
                spinsFromNs = nowNs;
                spinsUntilNs = watch.isWatchedByConsumer() ? nowNs : spin.begin(nowNs);
            }
            idle = !worked;
            if (idle && nowNs - spinsUntilNs >= 0) {
                if (spinsUntilNs != spinsFromNs) {
                    spin.onMiss(spinsUntilNs, nowNs);
                }
                break;
            }
            long lostNs = idle ? turns.pause() : 0;
            if (lostNs > 0) {
                spin.onCrowd(lostNs, clock.nowNs());
                break;
            }
        }
        return found;
    }

    /** There is no work that this thread knows of. Watches, or leaves that to the consumer that does. */
    private void rest(long seenTurns) {
        if (turns.consumerTurns() != seenTurns && !watch.isEngineNeeded()) {
            return;
        }
        if (watch.take()) {
            turns.sleep(null, null, Long.MAX_VALUE, false);
            watch.offerToConsumers();
            return;
        }
        turns.wakeLateWatcher();
        watch.standBack(true);
        if (watch.isWatchedByConsumer() && turns.consumerTurns() == seenTurns && !turns.hasEnded()) {
            LockSupport.parkNanos(this, Sleep.LONGEST_NS);
        }
        watch.standBack(false);
    }

    /** Waits for its end, unless the current thread is this one. The engine has ended. */
    void join() {
        boolean interrupted = false;
        while (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
            try {
                LockSupport.unpark(thread);
                thread.join(1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
