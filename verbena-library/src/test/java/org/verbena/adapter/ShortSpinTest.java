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
                spin.onMiss(spinsUntilNs, spinsUntilNs);
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
                spin.onMiss(ShortSpin.LONGEST_NS, ShortSpin.LONGEST_NS);
            }
        }
        assertTrue(spins < 20, spins + " spins");
    }

    /** Time that spins cost in one virtual second without a message, if each wait takes 20 µs and each spin lets another thread have the core for this time. */
    private static long lossNsPerSecond(long lossNs) {
        ShortSpin spin = new ShortSpin();
        long lostNs = 0;
        for (long nowNs = 0; nowNs < 1_000_000_000; nowNs += 20_000) {
            if (spin.begin(nowNs) != nowNs) {
                lostNs += lossNs;
                nowNs += lossNs;
                spin.onCrowd(lossNs, nowNs);
            }
        }
        return lostNs;
    }

    @Test
    void spinsBesideAThreadThatNeedsTheCoreCostASmallShareOfTheTime() {
        for (long lossNs : new long[] {150_000, 1_000_000, 3_000_000, 4_000_000}) {
            long lostNs = lossNsPerSecond(lossNs);
            assertTrue(lostNs > 0, "no spin");
            assertTrue(lostNs < 40_000_000, () -> lostNs + " ns lost in a second, " + lossNs + " ns at a time");
        }
    }

    @Test
    void anEndThatAnotherThreadHasHeldUpForLongSpinsAgainAfterTheLongestPause() {
        ShortSpin spin = new ShortSpin();
        spin.onCrowd(Long.MAX_VALUE, 0);
        long endNs = ShortSpin.PAUSE_MAX_NS;
        assertEquals(endNs - 1, spin.begin(endNs - 1));
        assertEquals(endNs + ShortSpin.LONGEST_NS, spin.begin(endNs));
    }

    @Test
    void aShortHoldUpStopsSpinsForAShortTime() {
        ShortSpin spin = new ShortSpin();
        spin.onCrowd(200_000, 0);
        assertEquals(1_000_000, spin.begin(1_000_000));
        assertEquals(10_000_000 + ShortSpin.LONGEST_NS, spin.begin(10_000_000));
    }

    @Test
    void aSpinThatEndsLateIsTakenForOneThatAnotherThreadHasHeldUp() {
        ShortSpin spin = new ShortSpin();
        long lateNs = 3_000_000;
        long nowNs = ShortSpin.LONGEST_NS + lateNs;
        spin.onMiss(ShortSpin.LONGEST_NS, nowNs);
        for (int i = 0; i <= ShortSpin.SKIPS_MAX; i++) {
            assertEquals(nowNs, spin.begin(nowNs), "a spin in the pause");
        }
        long laterNs = nowNs + lateNs * ShortSpin.PAUSE_PER_LOSS;
        assertEquals(laterNs + ShortSpin.LONGEST_NS, spin.begin(laterNs));
    }

    @Test
    void aSpinThatEndsInTimeIsFollowedByOneWaitWithoutASpin() {
        ShortSpin spin = new ShortSpin();
        long nowNs = ShortSpin.LONGEST_NS;
        spin.onMiss(nowNs, nowNs + 1_000);
        assertEquals(nowNs, spin.begin(nowNs));
        assertEquals(nowNs + ShortSpin.LONGEST_NS, spin.begin(nowNs));
    }
}
