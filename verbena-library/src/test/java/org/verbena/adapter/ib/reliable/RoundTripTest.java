package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class RoundTripTest {
    private final RoundTrip roundTrip = new RoundTrip();
    private int psn;

    private void measure(long ns) {
        roundTrip.onSent(psn, 0);
        roundTrip.onAcknowledged(++psn, ns);
    }

    @Test
    void beforeTheFirstSampleSilenceIsBorneForLong() {
        assertEquals(RoundTrip.PROBE_FIRST_NS, roundTrip.probeNs());
        assertEquals(RoundTrip.PROBE_FIRST_NS, roundTrip.leastNs());
        assertEquals(0, roundTrip.carried(64));
    }

    @Test
    void steadyRoundTripsAreWaitedForTwice() {
        for (int i = 0; i < 100; i++) {
            measure(1_000_000);
        }
        assertTrue(Math.abs(roundTrip.probeNs() - 2_000_000) < 50_000);
    }

    @Test
    void shortRoundTripsAreGivenAsLongAsASchedulerMayTake() {
        for (int i = 0; i < 100; i++) {
            measure(10_000);
        }
        assertEquals(RoundTrip.PROBE_MIN_NS, roundTrip.probeNs());
    }

    @Test
    void unsteadyRoundTripsAreWaitedForLonger() {
        for (int i = 0; i < 100; i++) {
            measure(i % 2 == 0 ? 100_000 : 1_900_000);
        }
        assertTrue(roundTrip.probeNs() > 4_000_000);
        assertEquals(100_000, roundTrip.leastNs());
    }

    @Test
    void whatIsSentTwiceIsNoSample() {
        roundTrip.onSent(0, 0);
        roundTrip.onResent();
        roundTrip.onAcknowledged(1, 77);
        assertEquals(RoundTrip.PROBE_FIRST_NS, roundTrip.probeNs());
    }

    @Test
    void anAnswerToWhatWasSentBeforeIsNoSample() {
        roundTrip.onSent(5, 0);
        roundTrip.onAcknowledged(5, 77);
        assertEquals(RoundTrip.PROBE_FIRST_NS, roundTrip.leastNs());
        roundTrip.onAcknowledged(6, 88);
        assertEquals(88, roundTrip.leastNs());
    }

    @Test
    void queuesShowInLongerRoundTrips() {
        measure(10_000);
        assertEquals(64, roundTrip.carried(64));
        for (int i = 0; i < 200; i++) {
            measure(40_000);
        }
        assertEquals(16, roundTrip.carried(64), 1);
    }
}
