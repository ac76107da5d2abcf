package org.verbena.adapter.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.verbena.adapter.FaultTimes;
import org.verbena.wire.ib.RnrTimer;

final class RnrPolicyTest {
    private static final long RTT = 20_000;

    private final FaultTimes times = new FaultTimes();
    private final RnrPolicy policy = new RnrPolicy(times);
    private long nowNs = 1_000_000_000;

    RnrPolicyTest() {
        // Median 100 µs, one in ten 900 µs and more.
        for (int i = 0; i < 10; i++) {
            times.add(i < 5 ? 100_000 : i < 8 ? 200_000 : 900_000);
        }
        policy.begin();
    }

    private void showThatItResumes() {
        policy.first(nowNs, RTT);
        policy.onInvited(nowNs + 10_000);
        policy.onCame(nowNs + 10_000 + RTT, RTT);
        nowNs += 10_000_000;
    }

    private void comeLate() {
        RnrTimer told = policy.first(nowNs, RTT);
        policy.onInvited(nowNs + 1000);
        policy.onCame(nowNs + told.nanoseconds() + RTT, RTT);
        nowNs += 10_000_000;
    }

    @Test
    void aPeerOfWhichNothingIsKnownIsToldTheUsualTime() {
        assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
        assertEquals(RnrTimer.US_120, policy.first(nowNs, RTT));
    }

    @Test
    void onlyWholeTimesCountNeverLess() {
        assertEquals(RnrTimer.US_160, policy.first(nowNs, RTT + 1));
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
        assertEquals(expected[0], policy.first(nowNs, RTT));
        for (int i = 1; i < expected.length; i++) {
            nowNs += expected[i - 1].nanoseconds() + RTT;
            assertEquals(expected[i], policy.again(nowNs, RTT), "repeat " + i);
        }
        for (int i = 0; i < 100; i++) {
            assertEquals(RnrTimer.US_5120, policy.again(nowNs, RTT));
        }
        assertEquals(RnrTimer.US_120, policy.first(nowNs, RTT), "another request begins anew");
    }

    @Test
    void oneThatComesWhenToldGetsASafetyNet() {
        showThatItResumes();
        assertEquals(RnrPolicy.Way.RESUMES, policy.way());
        assertEquals(RnrTimer.US_960, policy.first(nowNs, RTT));
    }

    @Test
    void oneThatDoesNotComeWhenToldIsFoundOut() {
        for (int i = 0; i < RnrPolicy.LATE_MAX; i++) {
            assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
            comeLate();
        }
        assertEquals(RnrPolicy.Way.WAITS, policy.way());
        showThatItResumes();
        assertEquals(RnrPolicy.Way.RESUMES, policy.way(), "one early coming proves more than late ones");
    }

    @Test
    void comingLateShowsNothingWhenItWasToldTooLate() {
        for (int i = 0; i < 10; i++) {
            RnrTimer told = policy.first(nowNs, RTT);
            policy.onInvited(nowNs + told.nanoseconds() - 1);
            policy.onCame(nowNs + told.nanoseconds() + RTT, RTT);
        }
        assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
    }

    @Test
    void comingEarlyWithoutBeingToldShowsNothing() {
        policy.first(nowNs, RTT);
        policy.onCame(nowNs + 1, RTT);
        assertEquals(RnrPolicy.Way.UNKNOWN, policy.way());
    }

    @Test
    void longFaultsAreToldAsTheyAre() {
        var slow = new FaultTimes();
        slow.add(10_000_000);
        var patient = new RnrPolicy(slow);
        assertEquals(RnrTimer.US_10240, patient.first(nowNs, RTT));
        assertEquals(RnrTimer.US_10240, patient.again(nowNs, RTT), "no shorter for the repeat");
        slow.add(10_000_000_000L);
        slow.add(10_000_000_000L);
        assertEquals(RnrTimer.US_655360, patient.first(nowNs, RTT), "the longest there is");
    }

    @Test
    void aRoundTripIsTakenFromThePeersComingIfNobodyMeasuredIt() {
        assertEquals(RnrPolicy.ROUND_TRIP_FIRST_NS, policy.roundTripNs(0));
        showThatItResumes();
        assertEquals(RTT, policy.roundTripNs(0));
        assertEquals(5, policy.roundTripNs(5));
    }
}
