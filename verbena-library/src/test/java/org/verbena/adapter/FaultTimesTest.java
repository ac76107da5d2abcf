package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class FaultTimesTest {
    private final FaultTimes times = new FaultTimes();

    @Test
    void beforeTheFirstADiskIsAssumed() {
        assertEquals(FaultTimes.FIRST_MEDIAN_NS, times.medianNs());
        assertEquals(FaultTimes.FIRST_NINTH_NS, times.ninthNs());
    }

    @Test
    void oneIsBoth() {
        times.add(7);
        assertEquals(7, times.medianNs());
        assertEquals(7, times.ninthNs());
    }

    @Test
    void ranksDoNotDependOnTheOrderOfComing() {
        for (int ns : new int[] {90, 10, 50, 30, 70, 100, 20, 80, 60, 40}) {
            times.add(ns);
        }
        assertEquals(50, times.medianNs());
        assertEquals(90, times.ninthNs());
    }

    @Test
    void oldOnesAreForgotten() {
        for (int i = 0; i < 10 * FaultTimes.REMEMBERED; i++) {
            times.add(1_000_000);
        }
        for (int i = 1; i <= FaultTimes.REMEMBERED; i++) {
            times.add(i);
        }
        assertEquals(FaultTimes.REMEMBERED / 2, times.medianNs());
        assertEquals(15, times.ninthNs());
    }

    /** However many faults met it. */
    @Test
    void aStallOfTheStoreIsSoonForgotten() {
        for (int i = 0; i < 1000; i++) {
            times.add(1_000_000_000);
        }
        for (int i = 0; i < 8; i++) {
            times.add(100);
        }
        assertEquals(100, times.medianNs());
    }

    @Test
    void theLongestIsForgottenSlowly() {
        times.add(FaultTimes.FIRST_LONGEST_NS / 2);
        assertTrue(times.longestNs() > FaultTimes.FIRST_LONGEST_NS * 99 / 100);
        times.add(10_000_000);
        assertEquals(10_000_000, times.longestNs());
        for (int i = 0; i < 100; i++) {
            times.add(100_000);
        }
        assertTrue(times.longestNs() > 5_000_000, "one in a hundred is remembered, at half its length at least");
        for (int i = 0; i < 2000; i++) {
            times.add(100_000);
        }
        assertEquals(100_000, times.longestNs());
    }
}
