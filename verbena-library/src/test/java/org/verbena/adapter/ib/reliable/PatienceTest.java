package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The silence before a question, with round trips of 10 µs. */
final class PatienceTest {
    private static final long USUAL_NS = RoundTrip.PROBE_MIN_NS;
    private static final long TIMEOUT_NS = 67_000_000;

    private final RoundTrip roundTrip = new RoundTrip();
    private final Patience patience = new Patience(roundTrip);

    @BeforeEach
    void measure() {
        for (int psn = 0; psn < 100; psn++) {
            roundTrip.onSent(psn, 0);
            roundTrip.onAcknowledged(psn + 1, 10_000);
        }
    }

    private boolean askAndAnswer(long afterNs) {
        patience.onAsked(1000);
        return patience.onAnswered(1, 1000 + afterNs);
    }

    @Test
    void aConnectionWithoutSignsOfLossBearsSilence() {
        assertEquals(Patience.CALM_NS, patience.silenceNs(TIMEOUT_NS));
        assertEquals(Patience.CALM_NS, patience.silenceNs(0));
    }

    @Test
    void aLossMakesItAskSoonUntilManyPacketsWereAnswered() {
        patience.onLoss();
        assertEquals(USUAL_NS, patience.silenceNs(TIMEOUT_NS));
        patience.onAnswered(Patience.WARY_PACKETS - 1, 0);
        assertEquals(USUAL_NS, patience.silenceNs(TIMEOUT_NS));
        patience.onAnswered(1, 0);
        assertEquals(Patience.CALM_NS, patience.silenceNs(TIMEOUT_NS));
    }

    @Test
    void anAnswerAtOnceShowsThatTheQuestionWasNeeded() {
        assertFalse(askAndAnswer(Patience.AT_ONCE_NS));
        assertEquals(USUAL_NS, patience.silenceNs(TIMEOUT_NS));
    }

    @Test
    void anAnswerLongAfterTheQuestionShowsASlowPeer() {
        patience.onLoss();
        assertTrue(askAndAnswer(Patience.AT_ONCE_NS + 1));
        assertEquals(Patience.CALM_MAX_NS, patience.silenceNs(TIMEOUT_NS));
        assertTrue(askAndAnswer(Patience.AT_ONCE_NS + 1));
        assertEquals(Patience.CALM_MAX_NS, patience.silenceNs(TIMEOUT_NS), "patience has an end");
        patience.onLoss();
        patience.onAnswered(Patience.WARY_PACKETS, 0);
        assertEquals(Patience.CALM_NS, patience.silenceNs(TIMEOUT_NS));
    }

    @Test
    void onlyTheFirstAnswerAfterAQuestionIsJudged() {
        assertTrue(askAndAnswer(1_000_000));
        assertFalse(patience.onAnswered(1, 2_000_000));
    }

    @Test
    void theAnswerAfterARefusalIsNotJudged() {
        patience.onAsked(0);
        patience.onRefused();
        assertFalse(patience.onAnswered(1, 1_000_000));
        assertEquals(Patience.CALM_NS, patience.silenceNs(TIMEOUT_NS));
    }

    @Test
    void onALongWayAnAnswerWithinFourRoundTripsFollowsAtOnce() {
        RoundTrip longWay = new RoundTrip();
        longWay.onSent(0, 0);
        longWay.onAcknowledged(1, 1_000_000);
        Patience patient = new Patience(longWay);
        patient.onAsked(0);
        assertFalse(patient.onAnswered(1, 4_000_000));
        patient.onAsked(0);
        assertTrue(patient.onAnswered(1, 4_000_001));
    }

    @Test
    void aQuestionComesLongBeforeTheConsumersTimeout() {
        assertEquals(250_000, patience.silenceNs(1_000_000));
        assertEquals(USUAL_NS, patience.silenceNs(USUAL_NS));
    }

    @Test
    void aNewConnectionIsCalm() {
        patience.onLoss();
        patience.begin();
        assertEquals(Patience.CALM_NS, patience.silenceNs(TIMEOUT_NS));
    }
}
