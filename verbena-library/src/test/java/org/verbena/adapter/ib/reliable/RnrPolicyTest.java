package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.verbena.RnrTimer;
import org.verbena.adapter.FaultTimes;

final class RnrPolicyTest {
    private static final long RTT = 20_000;
    private static final long LIMIT = 5_000_000_000L;

    private final FaultTimes times = new FaultTimes();
    private final PeerRetries retries = new PeerRetries();
    private final RnrPolicy policy = new RnrPolicy(times, retries);
    private long nowNs = 1_000_000_000;

    RnrPolicyTest() {
        // Median 100 µs, one in ten 900 µs and more.
        for (int i = 0; i < 10; i++) {
            times.add(i < 5 ? 100_000 : i < 8 ? 200_000 : 900_000);
        }
        policy.begin();
    }

    private void comeWhenTold() {
        policy.first(nowNs, RTT, true, LIMIT);
        policy.onInvited(nowNs + 10_000);
        policy.onCame(nowNs + 10_000 + RTT, RTT);
        nowNs += 10_000_000;
    }

    private void showThatItResumes() {
        for (int i = 0; i < RnrPolicy.PROMPT_MIN; i++) {
            comeWhenTold();
        }
    }

    private void comeLate() {
        RnrTimer told = policy.first(nowNs, RTT, true, LIMIT);
        policy.onInvited(nowNs + 1000);
        policy.onCame(nowNs + told.nanoseconds() + RTT, RTT);
        nowNs += 10_000_000;
    }

    @Test
    void aPeerOfWhichNothingIsKnownIsToldWhatNineInTenTake() {
        assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
        assertEquals(RnrTimer.US_960, policy.first(nowNs, RTT, true, LIMIT));
        assertEquals(
                RnrTimer.US_120, policy.first(nowNs, RTT, false, LIMIT), "the usual time where it can't be called");
    }

    private void showThatItWaits() {
        for (int i = 0; i < RnrPolicy.LATE_MAX; i++) {
            comeLate();
        }
        assertEquals(RnrPolicy.Way.WAITS, policy.way());
    }

    @Test
    void onlyWholeTimesCountNeverLess() {
        showThatItWaits();
        assertEquals(RnrTimer.US_120, policy.first(nowNs, RTT, true, LIMIT));
        assertEquals(RnrTimer.US_160, policy.first(nowNs, RTT + 1, true, LIMIT));
    }

    @Test
    void repeatsDoubleUpTo5120Microseconds() {
        RnrTimer[] expected = {
            RnrTimer.US_120,
            RnrTimer.US_240,
            RnrTimer.US_480,
            RnrTimer.US_960,
            RnrTimer.US_1920,
            RnrTimer.US_3840,
            RnrTimer.US_5120,
            RnrTimer.US_5120
        };
        showThatItWaits();
        assertEquals(expected[0], policy.first(nowNs, RTT, true, LIMIT));
        for (int i = 1; i < expected.length; i++) {
            nowNs += expected[i - 1].nanoseconds() + RTT;
            assertEquals(expected[i], policy.again(nowNs, RTT, LIMIT), "repeat " + i);
        }
        for (int i = 0; i < 100; i++) {
            assertEquals(RnrTimer.US_5120, policy.again(nowNs, RTT, LIMIT));
        }
        assertEquals(RnrTimer.US_120, policy.first(nowNs, RTT, true, LIMIT), "another request begins anew");
    }

    @Test
    void oneThatComesWhenToldGetsASafetyNet() {
        for (int i = 0; i < RnrPolicy.PROMPT_MIN; i++) {
            assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
            comeWhenTold();
        }
        assertEquals(RnrPolicy.Way.RESUMES, policy.way());
        // Twice the longest, which is a millisecond before one was longer.
        assertEquals(RnrTimer.US_2560, policy.first(nowNs, RTT, true, LIMIT));
        assertEquals(RnrTimer.US_120, policy.first(nowNs, RTT, false, LIMIT), "none where it can't be called");
    }

    @Test
    void oneThatDoesNotComeWhenToldIsFoundOut() {
        for (int i = 0; i < RnrPolicy.LATE_MAX; i++) {
            assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
            comeLate();
        }
        assertEquals(RnrPolicy.Way.WAITS, policy.way());
        showThatItResumes();
        assertEquals(RnrPolicy.Way.RESUMES, policy.way());
    }

    @Test
    void oneThatResumesMayBeLateNowAndThen() {
        showThatItResumes();
        for (int i = 0; i < 20; i++) {
            comeLate();
            comeLate();
            comeWhenTold();
        }
        assertEquals(RnrPolicy.Way.RESUMES, policy.way());
        comeLate();
        comeLate();
        comeLate();
        assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
        comeWhenTold();
        comeWhenTold();
        comeLate();
        comeWhenTold();
        assertEquals(RnrPolicy.Way.UNKNOWN, policy.way(), "only in a row");
        showThatItWaits();
    }

    /** The peer comes late, but long before its timer could be over: it comes at invitations, and was busy. */
    @Test
    void oneThatResumesAndIsBusyIsNotTakenForOneThatWaits() {
        showThatItResumes();
        for (int i = 0; i < 20; i++) {
            RnrTimer told = policy.first(nowNs, RTT, true, LIMIT);
            policy.onInvited(nowNs + 1000);
            policy.onCame(nowNs + told.nanoseconds() / 2, RTT);
            nowNs += 10_000_000;
        }
        assertEquals(RnrPolicy.Way.RESUMES, policy.way());
    }

    @Test
    void onlyOneThatResumesIsWorthCallingAgain() {
        policy.first(nowNs, RTT, true, LIMIT);
        assertFalse(policy.isWorthCalling(nowNs + 1));
        showThatItResumes();
        RnrTimer told = policy.first(nowNs, RTT, true, LIMIT);
        assertTrue(policy.isWorthCalling(nowNs + told.nanoseconds() - 1));
        assertFalse(policy.isWorthCalling(nowNs + told.nanoseconds()));
    }

    /** The peer comes before its time, but long after the invitation: its own timer was over early. */
    @Test
    void comingEarlyButNotWhenToldShowsThatItWaits() {
        var slow = new FaultTimes();
        slow.add(4_000_000);
        var patient = new RnrPolicy(slow, new PeerRetries());
        for (int i = 0; i < RnrPolicy.LATE_MAX; i++) {
            RnrTimer told = patient.first(nowNs, RTT, true, LIMIT);
            patient.onInvited(nowNs + 1000);
            patient.onCame(nowNs + told.nanoseconds() - 1000, RTT);
        }
        assertEquals(RnrPolicy.Way.WAITS, patient.way());
    }

    /** Linux ignores invitations, and its timer counts in ticks: it may be over early, by chance just after an invitation. */
    @Test
    void aPeerThatCountsInTicksIsNeverTakenForOneThatResumes() {
        long tickNs = 4_000_000;
        int early = 0;
        int justWhenTold = 0;
        for (long i = 0; i < 20_000; i++) {
            long faultNs = 1 + i * 7_919 % (i % 10 == 0 ? 5_000_000 : 150_000);
            RnrTimer told = policy.first(nowNs, RTT, true, LIMIT);
            long comesNs = comes(nowNs, told, tickNs);
            while (comesNs < nowNs + faultNs) {
                told = policy.again(comesNs, RTT, LIMIT);
                faultNs -= comesNs - nowNs;
                nowNs = comesNs;
                comesNs = comes(nowNs, told, tickNs);
            }
            long invitedNs = nowNs + faultNs;
            policy.onInvited(invitedNs);
            policy.onCame(comesNs, RTT);
            early += comesNs < nowNs + told.nanoseconds() ? 1 : 0;
            justWhenTold += comesNs < nowNs + told.nanoseconds() && comesNs <= invitedNs + 2 * RTT ? 1 : 0;
            assertNotEquals(RnrPolicy.Way.RESUMES, policy.way(), "fault " + i);
            nowNs = comesNs + 1 + i * 104_729 % 9_000_000;
        }
        assertTrue(early > 100 && justWhenTold > 10, early + " early, " + justWhenTold + " just when told");
    }

    private static long comes(long toldNs, RnrTimer told, long tickNs) {
        return (toldNs / tickNs + (told.nanoseconds() + tickNs - 1) / tickNs) * tickNs;
    }

    @Test
    void comingLateShowsNothingWhenItWasToldTooLate() {
        for (int i = 0; i < 10; i++) {
            RnrTimer told = policy.first(nowNs, RTT, true, LIMIT);
            policy.onInvited(nowNs + told.nanoseconds() - 1);
            policy.onCame(nowNs + told.nanoseconds() + RTT, RTT);
        }
        assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
    }

    @Test
    void comingEarlyWithoutBeingToldShowsNothing() {
        policy.first(nowNs, RTT, true, LIMIT);
        policy.onCame(nowNs + 1, RTT);
        assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
    }

    @Test
    void longFaultsAreToldAsTheyAreOnlyToOneThatResumes() {
        times.add(10_000_000);
        times.add(10_000_000);
        showThatItResumes();
        assertEquals(RnrTimer.US_20480, policy.first(nowNs, RTT, true, LIMIT));
        assertEquals(RnrTimer.US_20480, policy.again(nowNs, RTT, LIMIT), "no shorter for the repeat");
        times.add(1_000_000_000L);
        assertEquals(
                RnrTimer.US_122880,
                policy.first(nowNs, RTT, true, LIMIT),
                "one that took long is no reason to wait as long");
        times.add(10_000_000_000L);
        times.add(10_000_000_000L);
        assertEquals(RnrTimer.US_655360, policy.first(nowNs, RTT, true, LIMIT), "the longest there is");
        policy.begin();
        for (int i = 0; i < 20; i++) {
            times.add(10_000_000_000L);
        }
        assertEquals(RnrTimer.US_5120, policy.first(nowNs, RTT, true, LIMIT));
        assertEquals(RnrTimer.US_5120, policy.again(nowNs, RTT, LIMIT));
    }

    @Test
    void onesWithFewRetriesAreToldWhatNineInTenTakeWhateverTheirKind() {
        showThatItWaits();
        retries.begin(3);
        assertEquals(RnrTimer.US_960, policy.first(nowNs, RTT, true, LIMIT));
        assertEquals(RnrTimer.US_960, policy.first(nowNs, RTT, false, LIMIT));
        for (int i = 0; i < 20; i++) {
            times.add(40_000_000);
        }
        assertEquals(RnrTimer.US_40960, policy.first(nowNs, RTT, true, LIMIT), "no cap");
    }

    @Test
    void theWaitBeforeTheLastIsOneThatFewFaultsExceed() {
        retries.begin(2);
        assertEquals(RnrTimer.US_2560, policy.first(nowNs, RTT, true, LIMIT), "twice the longest");
        retries.onRefused(1, RnrTimer.US_2560);
        assertEquals(RnrTimer.US_655360, policy.again(nowNs, RTT, LIMIT));
    }

    @Test
    void onesThatResumeKeepTheirSafetyNetWithFewRetries() {
        showThatItResumes();
        retries.begin(6);
        assertEquals(RnrTimer.US_2560, policy.first(nowNs, RTT, true, LIMIT));
        assertEquals(RnrTimer.US_960, policy.first(nowNs, RTT, false, LIMIT), "none where it can't be called");
    }

    @Test
    void aReminderIsTheSameTimeUnlessItCostsOneOfFewRetries() {
        assertEquals(RnrTimer.US_960, policy.first(nowNs, RTT, true, LIMIT));
        assertEquals(RnrTimer.US_960, policy.remind(nowNs, RTT, LIMIT));
        retries.begin(3);
        retries.onRefused(1, RnrTimer.US_960);
        assertEquals(RnrTimer.US_30720, policy.remind(nowNs, RTT, LIMIT));
    }

    @Test
    void aRoundTripIsTakenFromThePeersComingIfNobodyMeasuredIt() {
        assertEquals(RnrPolicy.ROUND_TRIP_FIRST_NS, policy.roundTripNs(0));
        showThatItResumes();
        assertEquals(RTT, policy.roundTripNs(0));
        assertEquals(5, policy.roundTripNs(5));
    }
}
