package org.verbena.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class HistogramTest {
    private final Histogram histogram = new Histogram();

    @Test
    void anEmptyHistogramIsAllZero() {
        assertEquals("0 values, p50 0 p90 0 p99 0 max 0", histogram.toString());
    }

    @Test
    void percentilesAreAtMostAnEighthTooHighAndNeverTooLow() {
        for (int us = 1; us <= 1000; us++) {
            histogram.record(us * 1_000L);
        }
        HistogramValues values = histogram.values();
        assertEquals(1000, values.count());
        assertBetween(500_000, values.percentile(0.5));
        assertBetween(900_000, values.percentile(0.9));
        assertBetween(990_000, values.percentile(0.99));
        assertEquals(1_000_000, values.max());
        assertEquals(500_500_000, values.sum());
    }

    private static void assertBetween(long exact, long found) {
        assertTrue(found >= exact && found <= exact + exact / 8, exact + " exactly, found " + found);
    }

    @Test
    void everyValueHasARange() {
        for (int bit = 0; bit < 63; bit++) {
            for (long near = -1; near <= 1; near++) {
                Histogram one = new Histogram();
                long value = Math.max(0, (1L << bit) + near);
                one.record(value);
                one.record(Long.MAX_VALUE);
                long found = one.values().percentile(0.5);
                assertTrue(found >= value && found - value <= value / 8, value + " found as " + found);
            }
        }
        histogram.record(-5);
        assertEquals(0, histogram.values().max());
    }

    @Test
    void valuesUpToABoundAreCounted() {
        histogram.record(7);
        histogram.record(1023);
        histogram.record(1024);
        HistogramValues values = histogram.values();
        histogram.record(1);
        assertEquals(0, values.countUpTo(6));
        assertEquals(1, values.countUpTo(7));
        assertEquals(2, values.countUpTo(1023));
        assertEquals(3, values.countUpTo(Long.MAX_VALUE));
    }
}
