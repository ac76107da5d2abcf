package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class SleepTest {
    private static final long SECOND_NS = 1_000_000_000;

    @Test
    void workThatIsThereLeavesNoTimeToSleep() {
        for (long nowNs : new long[] {1, SECOND_NS, Long.MAX_VALUE - 1, 0, -1, Long.MIN_VALUE + 1}) {
            assertTrue(Sleep.lengthNs(Long.MIN_VALUE, nowNs, Long.MAX_VALUE) <= 0, "now " + nowNs);
        }
    }

    @Test
    void deadlinesAndTimeoutsLimitASleep() {
        assertEquals(300, Sleep.lengthNs(1300, 1000, Long.MAX_VALUE));
        assertEquals(200, Sleep.lengthNs(1300, 1000, 200));
        assertEquals(SECOND_NS, Sleep.lengthNs(Long.MAX_VALUE, 1000, Long.MAX_VALUE));
        assertEquals(SECOND_NS, Sleep.lengthNs(1000 + 2 * SECOND_NS, 1000, Long.MAX_VALUE));
        assertTrue(Sleep.lengthNs(900, 1000, Long.MAX_VALUE) <= 0);
        // A clock may be about to pass its largest value.
        assertEquals(20, Sleep.lengthNs(Long.MIN_VALUE + 9, Long.MAX_VALUE - 10, Long.MAX_VALUE));
    }
}
