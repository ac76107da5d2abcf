package org.verbena.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wheel against the plainest model there is: an array of deadlines, looked through in full each time. */
final class TimerWheelModelTest {
    private static final int TIMERS = 60;
    private static final long NONE = Long.MAX_VALUE;

    private final long[] model = new long[TIMERS];
    private final boolean[] fired = new boolean[TIMERS];
    private final WheelTimer[] timers = new WheelTimer[TIMERS];

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void firesExactlyWhatTheModelSays(long value) {
        Seed seed = new Seed(value);
        long nowNs = seed.nextLong() >> seed.nextInt(40);
        TimerWheel wheel = new TimerWheel(nowNs);
        long originNs = nowNs;
        for (int i = 0; i < TIMERS; i++) {
            int index = i;
            model[i] = NONE;
            timers[i] = new WheelTimer(ignored -> fired[index] = true);
        }
        for (int step = 0; step < 20_000; step++) {
            int index = seed.nextInt(TIMERS);
            if (seed.chance(0.3)) {
                wheel.cancel(timers[index]);
                model[index] = NONE;
            } else {
                long deadlineNs = nowNs + (seed.nextLong() >>> (20 + seed.nextInt(44))) - seed.nextInt(20_000);
                wheel.schedule(timers[index], deadlineNs);
                model[index] = roundedUp(deadlineNs, originNs);
            }
            if (seed.chance(0.5)) {
                nowNs = later(nowNs, wheel, seed);
                expectDue(wheel, nowNs);
            }
        }
    }

    private static long later(long nowNs, TimerWheel wheel, Seed seed) {
        long nextNs = wheel.nextDeadlineNs();
        if (nextNs != NONE && seed.nextBoolean()) {
            return Math.max(nowNs, nextNs);
        }
        return nowNs + (seed.nextLong() >>> (30 + seed.nextInt(34)));
    }

    private void expectDue(TimerWheel wheel, long nowNs) {
        int due = 0;
        long earliestNs = NONE;
        for (long deadlineNs : model) {
            due += deadlineNs <= nowNs ? 1 : 0;
            earliestNs = Math.min(earliestNs, deadlineNs);
        }
        assertTrue(wheel.nextDeadlineNs() <= earliestNs || earliestNs <= nowNs, "next deadline is late");
        assertEquals(due, wheel.expire(nowNs));
        for (int i = 0; i < TIMERS; i++) {
            assertEquals(model[i] <= nowNs, fired[i]);
            if (fired[i]) {
                fired[i] = false;
                model[i] = NONE;
            }
            assertEquals(model[i] != NONE, timers[i].armed());
        }
    }

    private static long roundedUp(long deadlineNs, long originNs) {
        long since = Math.max(0, deadlineNs - originNs);
        return originNs + Math.ceilDiv(since, TimerWheel.TICK_NS) * TimerWheel.TICK_NS;
    }
}
