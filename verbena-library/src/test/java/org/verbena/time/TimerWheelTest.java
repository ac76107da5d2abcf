package org.verbena.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TimerWheelTest {
    private static final long TICK_NS = TimerWheel.TICK_NS;
    private static final long HOUR_NS = 3_600_000_000_000L;

    private final TimerWheel wheel = new TimerWheel(0);
    private final List<String> fired = new ArrayList<>();

    private WheelTimer named(String name) {
        return new WheelTimer(nowNs -> fired.add(name));
    }

    @Test
    void firesOnceWhenTheDeadlineHasCome() {
        WheelTimer timer = named("a");
        wheel.schedule(timer, 10 * TICK_NS);
        assertTrue(timer.armed());
        assertEquals(10 * TICK_NS, timer.deadlineNs());
        assertEquals(0, wheel.expire(10 * TICK_NS - 1));
        assertEquals(1, wheel.expire(10 * TICK_NS));
        assertFalse(timer.armed());
        assertEquals(Long.MAX_VALUE, timer.deadlineNs());
        assertEquals(0, wheel.expire(HOUR_NS));
        assertEquals(List.of("a"), fired);
    }

    @Test
    void deadlineIsRoundedUpToATickAndNeverEarly() {
        wheel.schedule(named("a"), 10 * TICK_NS + 1);
        assertEquals(0, wheel.expire(10 * TICK_NS + 1));
        assertEquals(11 * TICK_NS, wheel.nextDeadlineNs());
        assertEquals(1, wheel.expire(11 * TICK_NS));
    }

    @Test
    void cancelledTimerDoesNotFire() {
        WheelTimer timer = named("a");
        wheel.schedule(timer, TICK_NS);
        wheel.cancel(timer);
        wheel.cancel(timer);
        assertFalse(timer.armed());
        assertEquals(0, wheel.size());
        assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
        assertEquals(0, wheel.expire(HOUR_NS));
    }

    @Test
    void schedulingAgainMovesTheDeadline() {
        WheelTimer timer = named("a");
        wheel.schedule(timer, TICK_NS);
        wheel.schedule(timer, HOUR_NS);
        assertEquals(1, wheel.size());
        assertEquals(0, wheel.expire(HOUR_NS - 1));
        wheel.schedule(timer, HOUR_NS + TICK_NS);
        assertEquals(1, wheel.expire(HOUR_NS + 2 * TICK_NS));
    }

    @Test
    void earlierTickFiresFirstAcrossLevels() {
        wheel.schedule(named("hour"), HOUR_NS);
        wheel.schedule(named("tick"), TICK_NS);
        wheel.schedule(named("second"), 1_000_000_000L);
        wheel.schedule(named("millisecond"), 1_000_000L);
        assertEquals(4, wheel.expire(2 * HOUR_NS));
        assertEquals(List.of("tick", "millisecond", "second", "hour"), fired);
    }

    @Test
    void passedDeadlineIsMetByTheNextCall() {
        wheel.expire(HOUR_NS);
        wheel.schedule(named("late"), 5);
        assertTrue(wheel.nextDeadlineNs() <= HOUR_NS);
        assertEquals(1, wheel.expire(HOUR_NS));
    }

    @Test
    void actionThatSchedulesItselfInThePastWaitsForAnotherCall() {
        WheelTimer[] self = new WheelTimer[1];
        self[0] = new WheelTimer(nowNs -> wheel.schedule(self[0], nowNs));
        wheel.schedule(self[0], TICK_NS);
        for (int i = 0; i < 5; i++) {
            assertEquals(1, wheel.expire(TICK_NS));
        }
        assertTrue(self[0].armed());
    }

    @Test
    void actionMayCancelAndScheduleOthersThatAreDueToo() {
        WheelTimer victim = named("victim");
        WheelTimer moved = named("moved");
        WheelTimer killer = new WheelTimer(nowNs -> {
            wheel.cancel(victim);
            wheel.schedule(moved, nowNs + 10 * TICK_NS);
        });
        wheel.schedule(killer, TICK_NS);
        wheel.schedule(victim, TICK_NS);
        wheel.schedule(moved, 2 * TICK_NS);
        assertEquals(1, wheel.expire(3 * TICK_NS));
        assertEquals(List.of(), fired);
        assertEquals(1, wheel.expire(13 * TICK_NS));
        assertEquals(List.of("moved"), fired);
    }

    @Test
    void deadlinesWithoutEndNeverFireAndDoNotWrap() {
        TimerWheel early = new TimerWheel(Long.MIN_VALUE / 2);
        early.schedule(named("never"), Long.MAX_VALUE);
        assertEquals(0, early.expire(Long.MIN_VALUE / 2 + HOUR_NS));
        assertTrue(early.nextDeadlineNs() > HOUR_NS);
        assertEquals(1, early.size());
    }

    @Test
    void worksAcrossTheSignOfTheClock() {
        TimerWheel negative = new TimerWheel(-HOUR_NS);
        negative.schedule(named("before"), -5 * TICK_NS);
        negative.schedule(named("after"), 5 * TICK_NS);
        assertEquals(1, negative.expire(-4 * TICK_NS));
        assertEquals(1, negative.expire(6 * TICK_NS));
        assertEquals(List.of("before", "after"), fired);
    }

    @Test
    void timeThatGoesBackFiresNothingAgain() {
        wheel.schedule(named("a"), HOUR_NS);
        wheel.expire(HOUR_NS);
        assertEquals(0, wheel.expire(0));
        wheel.schedule(named("b"), HOUR_NS + TICK_NS);
        assertEquals(0, wheel.expire(0));
        assertEquals(1, wheel.expire(HOUR_NS + TICK_NS));
    }

    @Test
    void scheduleCancelAndExpireAllocateNothing() {
        WheelTimer[] timers = new WheelTimer[100];
        long[] count = new long[1];
        for (int i = 0; i < timers.length; i++) {
            timers[i] = new WheelTimer(nowNs -> count[0]++);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Seed seed = new Seed(1);
        long nowNs = churn(timers, seed, 0);
        long before = threads.getCurrentThreadAllocatedBytes();
        churn(timers, seed, nowNs);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(count[0] > 0);
        assertTrue(allocated < 512, () -> allocated + " bytes");
    }

    private long churn(WheelTimer[] timers, Seed seed, long startNs) {
        long nowNs = startNs;
        for (int i = 0; i < 20_000; i++) {
            WheelTimer timer = timers[seed.nextInt(timers.length)];
            wheel.schedule(timer, nowNs + (1L << seed.nextInt(36)));
            wheel.cancel(timers[seed.nextInt(timers.length)]);
            nowNs += seed.nextInt(1_000_000);
            wheel.expire(nowNs);
        }
        return nowNs;
    }
}
