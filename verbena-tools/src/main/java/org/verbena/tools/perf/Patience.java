package org.verbena.tools.perf;

import java.time.Duration;
import org.verbena.IdleStrategy;
import org.verbena.tools.console.StopSign;
import org.verbena.verbs.CompletionQueue;

/**
 * Waiting of a consumer. With an engine thread the consumer sleeps until a completion comes, to leave the core to the engine;
 * when it drives the engine itself, it follows the idle strategy. One thread.
 */
final class Patience {
    /** How long an initiator waits for its peer. */
    static final long LIMIT_NS = 10_000_000_000L;

    private static final long LIMIT_WHEN_STOPPED_NS = 1_000_000_000L;
    private static final Duration NAP = Duration.ofMillis(20);
    private static final int SPINS_BEFORE_YIELD = 50;
    private static final int CLOCK_MASK = (1 << 12) - 1;
    private static final long NEVER = Long.MIN_VALUE;

    private final CompletionQueue completions;
    private final boolean mayAwait;
    private final int spins;
    private final int yields;
    private final StopSign stop;
    private int empty;
    private int pauses;
    private long quietSinceNs = NEVER;

    /**
     * @param watchesMemory whether arrival has no completion
     * @param stop once raised there is little patience left
     */
    Patience(Side side, boolean watchesMemory, StopSign stop) {
        this.completions = side.completions();
        this.stop = stop;
        this.mayAwait = !watchesMemory;
        IdleStrategy idle = side.setting().idle();
        boolean drives = side.setting().isDrivenByPolls();
        this.spins = drives ? idle.spins() : watchesMemory ? SPINS_BEFORE_YIELD : 0;
        this.yields = drives ? idle.yields() : 0;
    }

    /** Something came. */
    void renew() {
        empty = 0;
        quietSinceNs = NEVER;
    }

    /** Nothing came: waits a little. False when the patience is at its end. */
    @SuppressWarnings("ThreadPriorityCheck") // the yield is the strategy
    boolean pause() {
        empty = empty == Integer.MAX_VALUE ? empty : empty + 1;
        if (empty <= spins) {
            Thread.onSpinWait();
        } else if (!mayAwait || empty - spins <= yields) {
            Thread.yield();
        } else {
            return await() && isLeft();
        }
        return (++pauses & CLOCK_MASK) != 0 || isLeft();
    }

    private boolean await() {
        try {
            completions.await(NAP);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean isLeft() {
        long nowNs = System.nanoTime();
        if (quietSinceNs == NEVER) {
            quietSinceNs = nowNs;
        }
        return nowNs - quietSinceNs < (stop.isRaised() ? LIMIT_WHEN_STOPPED_NS : LIMIT_NS);
    }
}
