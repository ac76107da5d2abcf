package org.verbena.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DurationsTest {
    @Test
    void aDurationThatFitsIsExact() {
        assertEquals(0, Durations.toNanos(Duration.ZERO));
        assertEquals(1_500_000_000, Durations.toNanos(Duration.ofMillis(1500)));
        assertEquals(-7, Durations.toNanos(Duration.ofNanos(-7)));
        assertEquals(Long.MAX_VALUE - 1, Durations.toNanos(Duration.ofNanos(Long.MAX_VALUE - 1)));
        assertEquals(Long.MIN_VALUE + 1, Durations.toNanos(Duration.ofNanos(Long.MIN_VALUE + 1)));
    }

    @Test
    void aDurationThatDoesNotFitIsTheLongestOrTheShortest() {
        assertEquals(
                Long.MAX_VALUE,
                Durations.toNanos(Duration.ofNanos(Long.MAX_VALUE).plusNanos(1)));
        assertEquals(Long.MAX_VALUE, Durations.toNanos(Duration.ofSeconds(Long.MAX_VALUE)));
        assertEquals(
                Long.MIN_VALUE,
                Durations.toNanos(Duration.ofNanos(Long.MIN_VALUE).minusNanos(1)));
        assertEquals(Long.MIN_VALUE, Durations.toNanos(Duration.ofSeconds(Long.MIN_VALUE)));
    }

    @Test
    void aDeadlineIsTheSumOfTimeAndDuration() {
        assertEquals(1_005, Durations.deadlineNs(5, Duration.ofNanos(1_000)));
        assertEquals(-995, Durations.deadlineNs(-1_000, 5));
    }

    @Test
    void aDeadlineThatDoesNotFitNeverComes() {
        assertEquals(Long.MAX_VALUE, Durations.deadlineNs(1, Duration.ofDays(1_000_000)));
        assertEquals(Long.MAX_VALUE, Durations.deadlineNs(1, Long.MAX_VALUE));
        assertEquals(Long.MAX_VALUE - 1, Durations.deadlineNs(-1, Long.MAX_VALUE));
    }
}
