package org.verbena.time;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class NanoClockTest {
    @Test
    void systemClockNeverGoesBack() {
        NanoClock clock = NanoClock.system();
        long first = clock.nowNs();
        assertTrue(clock.nowNs() - first >= 0);
    }
}
