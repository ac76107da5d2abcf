package org.verbena.wire.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

final class PsnTest {
    @Test
    void afterTheLargestComesZero() {
        assertEquals(0, Psn.next(0xffffff));
        assertEquals(0xffffff, Psn.previous(0));
        assertEquals(4, Psn.add(0xfffffe, 6));
        assertEquals(0xfffffe, Psn.add(4, -6));
    }

    @Test
    void distanceIsSigned() {
        assertEquals(2, Psn.distance(0xffffff, 1));
        assertEquals(-2, Psn.distance(1, 0xffffff));
        assertEquals(0, Psn.distance(7, 7));
        assertEquals(0x7fffff, Psn.distance(0, 0x7fffff));
        assertEquals(-0x800000, Psn.distance(0, 0x800000));
    }

    @Test
    void orderHoldsAcrossTheWrap() {
        assertTrue(Psn.isBefore(0xffffff, 0));
        assertTrue(Psn.isAfter(0, 0xffffff));
        assertFalse(Psn.isBefore(5, 5));
        assertFalse(Psn.isAfter(5, 5));
    }

    @Test
    void rangeHoldsAcrossTheWrap() {
        assertTrue(Psn.isWithin(0xffffff, 0xfffffe, 4));
        assertTrue(Psn.isWithin(1, 0xfffffe, 4));
        assertFalse(Psn.isWithin(2, 0xfffffe, 4));
        assertFalse(Psn.isWithin(0xfffffd, 0xfffffe, 4));
        assertFalse(Psn.isWithin(3, 3, 0));
    }

    @Test
    void addAndDistanceAreInverse() {
        Seed seed = new Seed(24);
        for (int i = 0; i < 100_000; i++) {
            int psn = seed.nextInt(1 << 24);
            int steps = seed.nextInt(1 << 24) - (1 << 23);
            int other = Psn.add(psn, steps);
            assertEquals(other & Psn.MASK, other);
            assertEquals(steps, Psn.distance(psn, other));
            assertEquals(steps > 0, Psn.isBefore(psn, other));
            assertEquals(steps < 0, Psn.isAfter(psn, other));
            assertEquals(steps, Msn.distance(psn, Msn.add(psn, steps)));
            assertEquals(Psn.next(psn), Msn.next(psn));
        }
    }
}
