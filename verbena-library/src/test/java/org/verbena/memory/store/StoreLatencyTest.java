package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class StoreLatencyTest {
    private final StoreLatency latency = new StoreLatency();

    @Test
    void nothingIsNothing() {
        assertEquals("0 of p50 0 p90 0 p99 0 max 0 ns", latency.toString());
    }

    @Test
    void figuresAreAtMostAnEighthTooHighAndNeverTooLow() {
        for (int us = 1; us <= 1000; us++) {
            latency.record(us * 1_000L);
        }
        assertEquals(1000, latency.count());
        assertBetween(500_000, latency.p50Ns());
        assertBetween(900_000, latency.p90Ns());
        assertBetween(990_000, latency.p99Ns());
        assertEquals(1_000_000, latency.maxNs());
    }

    private static void assertBetween(long exact, long found) {
        assertTrue(found >= exact && found <= exact + exact / 8, exact + " exactly, found " + found);
    }

    @Test
    void everyDurationHasARange() {
        for (int bit = 0; bit < 63; bit++) {
            for (long near = -1; near <= 1; near++) {
                StoreLatency one = new StoreLatency();
                long ns = Math.max(0, (1L << bit) + near);
                one.record(ns);
                one.record(Long.MAX_VALUE);
                assertTrue(one.p50Ns() >= ns && one.p50Ns() - ns <= ns / 8, ns + " found as " + one.p50Ns());
            }
        }
        latency.record(-5);
        assertEquals(0, latency.maxNs());
    }
}
