package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class IdleSpinTest {
    private static final long LONGEST_NS = 1000;

    private final IdleSpin spin = new IdleSpin(LONGEST_NS);
    private long nowNs;

    /** A wait that work ends after this time; whether it began with a spin. */
    private boolean waitFor(long lengthNs) {
        boolean spins = spin.looksAgain(nowNs);
        if (lengthNs > LONGEST_NS) {
            assertFalse(spin.looksAgain(nowNs + LONGEST_NS));
        }
        nowNs += lengthNs;
        spin.onWork(nowNs);
        return spins;
    }

    private int waitsWithoutSpin(long lengthNs) {
        int count = 0;
        while (!waitFor(lengthNs)) {
            count++;
        }
        return count;
    }

    @Test
    void aSpinEndsAfterItsLongestTime() {
        assertTrue(spin.looksAgain(nowNs));
        assertTrue(spin.looksAgain(nowNs + LONGEST_NS - 1));
        assertFalse(spin.looksAgain(nowNs + LONGEST_NS));
        assertFalse(spin.looksAgain(nowNs + LONGEST_NS + 1));
    }

    @Test
    void everyWaitSpinsWhileWaitsAreShort() {
        for (int i = 0; i < 1000; i++) {
            assertTrue(waitFor(LONGEST_NS - 1));
        }
    }

    @Test
    void longWaitsSpinLessAndLessOften() {
        assertTrue(waitFor(5 * LONGEST_NS));
        for (int skips = 1; skips <= IdleSpin.SKIPS_MAX; skips *= 2) {
            assertEquals(skips, waitsWithoutSpin(5 * LONGEST_NS));
        }
        assertEquals(IdleSpin.SKIPS_MAX, waitsWithoutSpin(5 * LONGEST_NS));
    }

    @Test
    void shortWaitsBringTheSpinBack() {
        for (int i = 0; i < 1000; i++) {
            waitFor(5 * LONGEST_NS);
        }
        // At most 64, halved by each of them: six waits, and those that count down meanwhile.
        assertTrue(waitsWithoutSpin(LONGEST_NS / 2) <= 7);
        assertTrue(waitFor(LONGEST_NS / 2));
    }

    @Test
    void aSpinOfZeroIsNone() {
        IdleSpin none = new IdleSpin(0);
        for (int i = 0; i < 10; i++) {
            assertFalse(none.looksAgain(i));
            none.onWork(i);
        }
    }
}
