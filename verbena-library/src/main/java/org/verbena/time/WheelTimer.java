package org.verbena.time;

import org.jspecify.annotations.Nullable;

/**
 * Something that happens once, at a deadline. Made once by its owner and scheduled again and again on one
 * {@link TimerWheel}; the wheel's thread does everything with it.
 */
public final class WheelTimer {
    /** What a timer does when its deadline has come. */
    @FunctionalInterface
    public interface Action {
        /**
         * Told that the deadline has passed. The timer is not armed any more; the action may schedule and cancel any
         * timer of the wheel, this one too. It must not throw.
         *
         * @param nowNs the time given to {@link TimerWheel#expire}
         */
        void onTimer(long nowNs);
    }

    static final int IDLE = -1;

    final Action action;
    long deadlineNs;
    long deadlineTick;
    /** Where the wheel keeps this timer, or {@link #IDLE}. */
    int slot = IDLE;
    /** Neighbours in the ring of timers of one slot; null when idle, so that nothing is kept from collection. */
    @Nullable
    WheelTimer next;

    @Nullable
    WheelTimer previous;

    /** An idle timer that does {@code action}. */
    public WheelTimer(Action action) {
        this.action = action;
    }

    /** Whether the timer waits for its deadline. */
    public boolean armed() {
        return slot != IDLE;
    }

    /** The deadline scheduled last, or {@link Long#MAX_VALUE} while idle. */
    public long deadlineNs() {
        return armed() ? deadlineNs : Long.MAX_VALUE;
    }

    @Override
    public String toString() {
        return armed() ? "WheelTimer[" + deadlineNs + " ns]" : "WheelTimer[idle]";
    }
}
