package org.verbena.adapter;

import org.verbena.time.Clock;

/** How a driver of an engine sleeps without missing anything: posts, commands, packets, deadlines. */
final class Sleep {
    /** However far the next deadline is, a sleeper looks around this often. */
    private static final long LONGEST_NS = 1_000_000_000;

    private Sleep() {}

    /** Sleeps until something comes, a deadline is due, or the time is over. */
    static void once(Engine engine, Clock clock, long timeoutNs) {
        engine.doorbell().sleeping(true);
        try {
            if (!engine.hasWork()) {
                long deadlineNs = engine.nextDeadlineNs();
                long untilDeadline = deadlineNs == Long.MAX_VALUE ? LONGEST_NS : deadlineNs - clock.nowNs();
                long sleepNs = Math.min(LONGEST_NS, Math.min(timeoutNs, untilDeadline));
                if (sleepNs > 0) {
                    engine.link().await(sleepNs);
                }
            }
        } finally {
            engine.doorbell().sleeping(false);
        }
    }
}
