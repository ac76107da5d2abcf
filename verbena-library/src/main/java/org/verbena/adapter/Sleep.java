package org.verbena.adapter;

import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.time.NanoClock;

/** The sleep of a thread that drives an engine: it misses no post, command, packet or deadline. */
final class Sleep {
    /** Longest sleep, however far the next deadline is. */
    static final long LONGEST_NS = 1_000_000_000;

    private Sleep() {}

    /** Sleeps until there is an event, a deadline is due, or the time is over. */
    static void once(Engine engine, RunnerSleeper sleeper, NanoClock clock, long timeoutNs) {
        long boundNs = prepare(engine, sleeper, clock, timeoutNs);
        if (boundNs > 0) {
            block(engine, sleeper, boundNs);
            sleeper.tell();
        }
    }

    /**
     * The first part of a sleep: announces it and looks for work once more. The thread drives the engine. {@link #block} follows, unless there is no time
     * to sleep.
     *
     * @return the longest sleep; 0 or less: not at all, and nothing is announced
     */
    static long prepare(Engine engine, RunnerSleeper sleeper, NanoClock clock, long timeoutNs) {
        engine.doorbell().sleeping(true);
        long boundNs = 0;
        try {
            long sleepNs = lengthNs(engine.nextDeadlineNs(), clock.nowNs(), timeoutNs);
            boundNs = sleepNs > 0 ? sleeper.prepare(sleepNs) : 0;
        } finally {
            if (boundNs <= 0) {
                engine.doorbell().sleeping(false);
            }
        }
        return boundNs;
    }

    /** The second part: sleeps. Another thread may drive the engine meanwhile. {@link RunnerSleeper#tell} follows, by a thread that drives the engine. */
    static void block(Engine engine, RunnerSleeper sleeper, long boundNs) {
        try {
            sleeper.block(boundNs);
        } finally {
            engine.doorbell().sleeping(false);
        }
    }

    /**
     * How long to sleep.
     *
     * @param deadlineNs {@link Long#MIN_VALUE} for at once, {@link Long#MAX_VALUE} for never
     * @return 0 or less: not at all
     */
    static long lengthNs(long deadlineNs, long nowNs, long timeoutNs) {
        if (deadlineNs == Long.MIN_VALUE) {
            return 0;
        }
        long untilDeadline = deadlineNs == Long.MAX_VALUE ? LONGEST_NS : deadlineNs - nowNs;
        return Math.min(LONGEST_NS, Math.min(timeoutNs, untilDeadline));
    }
}
