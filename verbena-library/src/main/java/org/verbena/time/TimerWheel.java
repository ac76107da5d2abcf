package org.verbena.time;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Many timers, each scheduled and cancelled in constant time and without allocation.
 *
 * <p>Time is cut in ticks of {@value #TICK_NS} ns; a deadline is rounded up to a tick, so no timer fires early and none
 * is more than a tick late. A timer due at tick {@code t} is kept on the level of the highest 6-bit digit in which
 * {@code t} differs from the current tick, in the slot of that digit of {@code t}. Thereby every timer of a lower level
 * is due before every timer of a higher one, the earliest slot is the first bit set in the lowest level that has any,
 * and a slot whose time has come spreads over lower levels. Nine levels cover every {@code long}.
 *
 * <p>One thread, the one that drives the engine, calls everything.
 */
public final class TimerWheel {
    private static final int TICK_SHIFT = 13;
    /** Length of a tick. */
    public static final int TICK_NS = 1 << TICK_SHIFT;

    private static final int DIGIT_BITS = 6;
    private static final int SLOTS_PER_LEVEL = 1 << DIGIT_BITS;
    private static final int DIGIT_MASK = SLOTS_PER_LEVEL - 1;
    private static final int LEVELS = 9;
    /** Timers whose deadline had passed when they were scheduled: for the next {@link #expire}. */
    private static final int DUE = LEVELS * SLOTS_PER_LEVEL;
    /** Timers that the running {@link #expire} fires, in this order. */
    private static final int FIRING = DUE + 1;

    private final long originNs;
    /** First timer of each slot; the others follow in a ring, in the order in which they came. */
    private final @Nullable WheelTimer[] slots = new @Nullable WheelTimer[FIRING + 1];
    /** One bit for each slot of a level that has a timer. */
    private final long[] occupied = new long[LEVELS];

    private long currentTick;
    private int size;

    /** An empty wheel that starts at {@code startNs}, a reading of the clock whose times it will be given. */
    public TimerWheel(long startNs) {
        this.originNs = startNs;
    }

    /** How many timers are armed. */
    public int size() {
        return size;
    }

    /**
     * Arms a timer, or moves an armed one to another deadline. A deadline that has passed is met by the next
     * {@link #expire}, not by one that is running, so an action that schedules itself cannot keep the thread.
     */
    public void schedule(WheelTimer timer, long deadlineNs) {
        cancel(timer);
        timer.deadlineNs = deadlineNs;
        timer.deadlineTick = tickAtOrAfter(deadlineNs);
        link(timer, slotOf(timer.deadlineTick));
        size++;
    }

    /** Disarms a timer; an idle one stays idle. */
    public void cancel(WheelTimer timer) {
        if (timer.armed()) {
            unlink(timer);
            size--;
        }
    }

    /**
     * Fires every timer whose deadline has come, the earlier tick first, and returns their number. Timers that the
     * actions schedule wait for another call, even if due already. A time before that of an earlier call counts as that one.
     */
    public int expire(long nowNs) {
        advance(nowNs);
        int fired = 0;
        for (WheelTimer timer = slots[FIRING]; timer != null; timer = slots[FIRING]) {
            cancel(timer);
            timer.action.onTimer(nowNs);
            fired++;
        }
        return fired;
    }

    /**
     * When {@link #expire} should be called next, or {@link Long#MAX_VALUE} if no timer is armed. Never later than the
     * first timer can fire; may be earlier when a slot of a higher level must be spread first.
     */
    public long nextDeadlineNs() {
        if (size == 0) {
            return Long.MAX_VALUE;
        }
        if (slots[DUE] != null || slots[FIRING] != null) {
            return nsOf(currentTick);
        }
        return nsOf(startOf(firstSlot()));
    }

    /** Moves all timers due at {@code nowNs} to the firing slot and the current tick to that time. */
    private void advance(long nowNs) {
        moveAll(DUE, FIRING);
        long nowTick = tickAtOrBefore(nowNs);
        for (int slot = firstSlot(); slot != WheelTimer.IDLE; slot = firstSlot()) {
            long start = startOf(slot);
            if (start > nowTick) {
                break;
            }
            currentTick = start;
            if (slot < SLOTS_PER_LEVEL) {
                moveAll(slot, FIRING);
            } else {
                spread(slot);
            }
        }
        currentTick = Math.max(currentTick, nowTick);
    }

    /** Puts each timer of a slot whose time has come where it belongs now. */
    private void spread(int slot) {
        for (WheelTimer timer = slots[slot]; timer != null; timer = slots[slot]) {
            unlink(timer);
            link(timer, timer.deadlineTick <= currentTick ? FIRING : slotOf(timer.deadlineTick));
        }
    }

    private void moveAll(int from, int to) {
        for (WheelTimer timer = slots[from]; timer != null; timer = slots[from]) {
            unlink(timer);
            link(timer, to);
        }
    }

    private int slotOf(long tick) {
        if (tick <= currentTick) {
            return DUE;
        }
        int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(tick ^ currentTick)) / DIGIT_BITS;
        return level * SLOTS_PER_LEVEL + ((int) (tick >>> (level * DIGIT_BITS)) & DIGIT_MASK);
    }

    /** The slot of a level whose time comes first, or {@link WheelTimer#IDLE} if all are empty. */
    private int firstSlot() {
        for (int level = 0; level < LEVELS; level++) {
            if (occupied[level] != 0) {
                return level * SLOTS_PER_LEVEL + Long.numberOfTrailingZeros(occupied[level]);
            }
        }
        return WheelTimer.IDLE;
    }

    /** The first tick of a slot: the current tick's digits above the slot's level, the slot's digit, zeros. */
    private long startOf(int slot) {
        int shift = (slot >>> DIGIT_BITS) * DIGIT_BITS;
        long above = currentTick >>> (shift + DIGIT_BITS) << (shift + DIGIT_BITS);
        return above | (long) (slot & DIGIT_MASK) << shift;
    }

    private void link(WheelTimer timer, int slot) {
        WheelTimer first = slots[slot];
        timer.slot = slot;
        if (first == null) {
            timer.next = timer;
            timer.previous = timer;
            slots[slot] = timer;
            if (slot < DUE) {
                occupied[slot >>> DIGIT_BITS] |= 1L << slot;
            }
        } else {
            WheelTimer last = Objects.requireNonNull(first.previous);
            timer.next = first;
            timer.previous = last;
            last.next = timer;
            first.previous = timer;
        }
    }

    private void unlink(WheelTimer timer) {
        int slot = timer.slot;
        WheelTimer next = Objects.requireNonNull(timer.next);
        WheelTimer previous = Objects.requireNonNull(timer.previous);
        if (next == timer) {
            slots[slot] = null;
            if (slot < DUE) {
                occupied[slot >>> DIGIT_BITS] &= ~(1L << slot);
            }
        } else {
            previous.next = next;
            next.previous = previous;
            if (slots[slot] == timer) {
                slots[slot] = next;
            }
        }
        timer.slot = WheelTimer.IDLE;
        timer.next = null;
        timer.previous = null;
    }

    private long tickAtOrAfter(long ns) {
        return ((sinceOrigin(ns) - 1) >> TICK_SHIFT) + 1;
    }

    private long tickAtOrBefore(long ns) {
        return sinceOrigin(ns) >> TICK_SHIFT;
    }

    /** Nanoseconds from the origin, never negative, at most {@link Long#MAX_VALUE}: a far deadline does not wrap. */
    private long sinceOrigin(long ns) {
        if (ns <= originNs) {
            return 0;
        }
        long since = ns - originNs;
        return since < 0 ? Long.MAX_VALUE : since;
    }

    private long nsOf(long tick) {
        long since = tick << TICK_SHIFT;
        long ns = originNs + since;
        return since < 0 || ns < originNs ? Long.MAX_VALUE : ns;
    }
}
