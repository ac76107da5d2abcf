package org.verbena.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class VirtualClockTest {
    @Test
    void standsStillUntilToldToMove() {
        VirtualClock clock = new VirtualClock(17);
        assertEquals(17, clock.nowNs());
        clock.advance(3);
        assertEquals(20, clock.nowNs());
        clock.advanceTo(100);
        assertEquals(100, clock.nowNs());
    }

    @Test
    void neverGoesBack() {
        VirtualClock clock = new VirtualClock(50);
        clock.advanceTo(49);
        assertEquals(50, clock.nowNs());
        assertThrows(IllegalArgumentException.class, () -> clock.advance(-1));
        assertEquals(50, clock.nowNs());
    }

    @Test
    void doesNotWrap() {
        VirtualClock clock = new VirtualClock(Long.MAX_VALUE - 1);
        assertThrows(ArithmeticException.class, () -> clock.advance(2));
        assertEquals(Long.MAX_VALUE - 1, clock.nowNs());
    }
}
