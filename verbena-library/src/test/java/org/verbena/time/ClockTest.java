package org.verbena.time;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ClockTest {
    @Test
    void systemClockNeverGoesBack() {
        Clock clock = Clock.system();
        long first = clock.nowNs();
        assertTrue(clock.nowNs() - first >= 0);
    }
}
