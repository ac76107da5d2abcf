package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Spins in virtual time. */
final class ShortSpinTest {
    /** From a message's sending to its arrival at a peer that is awake. */
    private static final long MESSAGE_NS = 5_000;
    /** What the arrival takes longer at a peer that sleeps on an idle core. */
    private static final long WAKE_UP_NS = 60_000;

    /** One of two ends that answer each other. */
    private static final class End {
        final ShortSpin spin = new ShortSpin();
        private long waitsFromNs;
        int sleeps;

        void waitFrom(long nowNs) {
            waitsFromNs = nowNs;
        }

        /** The time at which a message that was sent at this time is taken. */
        long take(long sentNs) {
            long arrivesNs = sentNs + MESSAGE_NS;
            long spinsUntilNs = spin.begin(waitsFromNs);
            boolean spins = spinsUntilNs != waitsFromNs;
            if (spins && arrivesNs < spinsUntilNs) {
                spin.onHit();
                return arrivesNs;
            }
            if (spins) {
                spin.onMiss();
            }
            sleeps++;
            return arrivesNs + WAKE_UP_NS;
        }
    }

    private final End asking = new End();
    private final End answering = new End();
    private long nowNs;

    private void makeRoundTrips(int count, long thinkNs) {
        for (int i = 0; i < count; i++) {
            nowNs += thinkNs;
            asking.waitFrom(nowNs);
            long answeredNs = answering.take(nowNs);
            answering.waitFrom(answeredNs);
            nowNs = asking.take(answeredNs);
        }
    }

    private void forgetSleeps() {
        asking.sleeps = 0;
        answering.sleeps = 0;
    }

    @Test
    void twoEndsThatAnswerEachOtherDoNotSleep() {
        makeRoundTrips(1_000, 0);
        assertEquals(0, asking.sleeps + answering.sleeps);
    }

    @Test
    void twoEndsThatHaveSleptAnswerEachOtherWithoutSleepSoon() {
        makeRoundTrips(1_000, 1_000_000);
        assertTrue(answering.sleeps > 900, () -> answering.sleeps + " sleeps of the answering end");
        makeRoundTrips(2 * ShortSpin.SKIPS_MAX, 0);
        forgetSleeps();
        makeRoundTrips(1_000, 0);
        assertEquals(0, asking.sleeps + answering.sleeps);
    }

    @Test
    void anEndThatWaitsForLongSpinsSeldom() {
        ShortSpin spin = new ShortSpin();
        int spins = 0;
        for (int i = 0; i < 10 * ShortSpin.SKIPS_MAX; i++) {
            if (spin.begin(0) != 0) {
                spins++;
                spin.onMiss();
            }
        }
        assertTrue(spins < 20, spins + " spins");
    }

    @Test
    void anEndWhoseCoreIsNeededSpinsSeldomerStillAndSpinsAgainAfterAHit() {
        ShortSpin spin = new ShortSpin();
        int spins = 0;
        for (int i = 0; i < 2 * ShortSpin.CROWDED_SKIPS_MAX; i++) {
            if (spin.begin(0) != 0) {
                spins++;
                spin.onCrowd();
            }
        }
        assertTrue(spins < 15, spins + " spins");
        while (spin.begin(0) == 0) {
            // without a spin
        }
        spin.onHit();
        assertEquals(ShortSpin.LONGEST_NS, spin.begin(0));
    }
}
