package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.RnrTimer;

final class PeerRetriesTest {
    private static final long LIMIT = 5_000_000_000L;
    private static final long QUICK = 1_000_000;
    private static final long LONGEST = RnrTimer.US_655360.nanoseconds();

    private final PeerRetries retries = new PeerRetries();

    private RnrTimer refuse(RnrTimer usual, long expectedNs, long restNs) {
        RnrTimer timer = retries.lasting(usual, expectedNs, restNs);
        retries.onRefused(5, timer);
        return timer;
    }

    @Test
    void sevenMeansForEver() {
        assertTrue(retries.areEndless(), "of a peer of which nothing is known");
        retries.begin(6);
        assertFalse(retries.areEndless());
        retries.begin(7);
        assertTrue(retries.areEndless());
    }

    @Test
    void refusalsOfOneRequestAreCounted() {
        retries.begin(3);
        retries.onRequest(5);
        assertEquals(3, retries.left());
        retries.onRefused(5, RnrTimer.US_10);
        retries.onRequest(5);
        assertEquals(2, retries.left());
        retries.onRefused(5, RnrTimer.US_10);
        assertEquals(1, retries.left());
        retries.onRefused(5, RnrTimer.US_10);
        assertEquals(1, retries.left(), "it came again, so it has one");
        retries.onRequest(6);
        assertEquals(3, retries.left(), "another request");
    }

    @Test
    void theOnlyRetryLastsAsLongAsTheFaultMay() {
        retries.begin(1);
        assertEquals(RnrTimer.US_655360, retries.lasting(RnrTimer.US_480, QUICK, LIMIT), "the longest there is");
        assertEquals(RnrTimer.US_122880, retries.lasting(RnrTimer.US_480, QUICK, 100_000_000));
        assertEquals(RnrTimer.US_480, retries.lasting(RnrTimer.US_480, QUICK, 0), "but not less than the usual time");
    }

    @Test
    void timesGrowInEqualRatiosToTheLast() {
        retries.begin(6);
        RnrTimer[] expected = {
            RnrTimer.US_480,
            RnrTimer.US_2560,
            RnrTimer.US_10240,
            RnrTimer.US_40960,
            RnrTimer.US_163840,
            RnrTimer.US_655360
        };
        for (RnrTimer timer : expected) {
            assertEquals(timer, refuse(RnrTimer.US_480, QUICK, LIMIT));
        }
        assertEquals(RnrTimer.US_655360, refuse(RnrTimer.US_480, QUICK, LIMIT), "one that came though none was left");
    }

    @Test
    void ofTwoTheSecondIsTheLast() {
        retries.begin(2);
        assertEquals(RnrTimer.US_480, refuse(RnrTimer.US_480, QUICK, LIMIT));
        assertEquals(RnrTimer.US_81920, refuse(RnrTimer.US_480, QUICK, 80_000_000));
    }

    @Test
    void aRefusalForWantOfAReceiveCostsARetryToo() {
        retries.begin(2);
        retries.onRefused(5, RnrTimer.US_10);
        retries.onRequest(5);
        assertEquals(RnrTimer.US_655360, refuse(RnrTimer.US_480, QUICK, LIMIT));
    }

    @Test
    void noTimeIsShorterThanTheUsualOne() {
        retries.begin(4);
        assertEquals(RnrTimer.US_30720, refuse(RnrTimer.US_30720, QUICK, LIMIT));
        assertEquals(RnrTimer.US_245760, refuse(RnrTimer.US_245760, QUICK, LIMIT), "faults have become slower");
    }

    @Test
    void theTimesCoverFaultsThatTakeAsLongAsAllRetriesTogether() {
        for (int count = 1; count <= 6; count++) {
            retries.begin(count);
            retries.onRequest(count);
            long lastsNs = 0;
            for (int i = 0; i < count; i++) {
                RnrTimer timer = retries.lasting(RnrTimer.US_480, count * LONGEST - lastsNs, LIMIT - lastsNs);
                retries.onRefused(count, timer);
                lastsNs += timer.nanoseconds();
            }
            assertEquals(count * LONGEST, lastsNs, count + " retries");
        }
    }

    /** Whatever was measured: the waits together last at least as long as the limit allows, or as the longest wait. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void theWaitsTogetherLastToTheLimitOrTheLongestTime(int count) {
        for (long limitNs : new long[] {1, 100_000, 5_000_000, 77_000_000, 655_000_000, LIMIT, Long.MAX_VALUE}) {
            for (RnrTimer usual : RnrTimer.values()) {
                retries.begin(count);
                retries.onRequest(count);
                long lastsNs = 0;
                for (int i = 0; i < count; i++) {
                    RnrTimer timer = retries.lasting(usual, QUICK, Math.max(0, limitNs - lastsNs));
                    retries.onRefused(count, timer);
                    lastsNs += timer.nanoseconds();
                }
                assertTrue(lastsNs >= Math.min(limitNs, LONGEST), usual + " " + limitNs + ": " + lastsNs);
            }
        }
    }
}
