package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Yields whose length in virtual time is given. */
final class UsefulYieldTest {
    private long nowNs;
    private long yieldNs;

    /** The clock is read once before and once after a yield. */
    private final UsefulYield yield = new UsefulYield(() -> {
        long readNs = nowNs;
        nowNs += yieldNs;
        return readNs;
    });

    private long yieldFor(long ns) {
        yieldNs = ns;
        return yield.yieldAndLearn();
    }

    @Test
    void aYieldThatLetNoThreadRunIsTriedAgainLater() {
        assertEquals(0, yieldFor(700));
        assertFalse(yield.isDue(nowNs));
        assertTrue(yield.isDue(nowNs + 50_000));
    }

    @Test
    void aYieldToAPeerThatSharesTheCoreIsRepeatedAtOnceAndIsNotLong() {
        assertEquals(0, yieldFor(10_000));
        assertTrue(yield.isDue(nowNs));
    }

    @Test
    void aYieldThatTookLongerThanASleepAndAWakeUpTellsItsLength() {
        assertEquals(3_000_000, yieldFor(3_000_000));
    }

    @Test
    void workPutsTheNextYieldOff() {
        yieldFor(700);
        yield.onWork(1_000_000);
        assertFalse(yield.isDue(1_010_000));
        assertTrue(yield.isDue(1_030_000));
    }
}
