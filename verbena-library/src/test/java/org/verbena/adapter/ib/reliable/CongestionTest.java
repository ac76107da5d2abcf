package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The window: how it opens, how far a loss closes it, and that it always stays within its bounds. */
final class CongestionTest {
    private final RoundTrip roundTrip = new RoundTrip();
    private final Congestion congestion = new Congestion(roundTrip);
    private int psn;

    private void roundTrips(int count, long ns) {
        for (int i = 0; i < count; i++) {
            roundTrip.onSent(psn, 0);
            roundTrip.onAcknowledged(++psn, ns);
        }
    }

    private void acknowledge(int packets) {
        psn += packets;
        congestion.onAcknowledged(packets, psn);
    }

    @Test
    void withoutLossItOpensToItsBoundAndNoFurther() {
        for (int i = 0; i < 1000; i++) {
            acknowledge(10);
        }
        assertEquals(Congestion.WINDOW_MAX, congestion.window());
    }

    @Test
    void aLossWithoutQueuesTakesAnEighth() {
        roundTrips(10, 20_000);
        congestion.onLoss(psn + 64);
        assertEquals(Congestion.WINDOW_FIRST * 7 / 8, congestion.window());
    }

    @Test
    void aLossBehindLongQueuesTakesHalf() {
        roundTrips(1, 20_000);
        roundTrips(50, 400_000);
        congestion.onLoss(psn + 64);
        assertEquals(Congestion.WINDOW_FIRST / 2, congestion.window());
    }

    @Test
    void aLossBehindShortQueuesTakesWhatWaitsInThem() {
        roundTrips(1, 20_000);
        roundTrips(200, 30_000);
        congestion.onLoss(psn + 64);
        assertEquals(42.0, congestion.window(), 2);
    }

    @Test
    void whatWasOnItsWayTogetherIsOneLoss() {
        congestion.onLoss(psn + 64);
        int once = congestion.window();
        congestion.onLoss(psn + 64);
        assertEquals(once, congestion.window());
        acknowledge(64);
        int open = congestion.window();
        congestion.onLoss(psn + open);
        assertTrue(congestion.window() < open);
    }

    @Test
    void lossesThatAreToldLeaveEnoughToTellOfTheNext() {
        for (int i = 0; i < 100; i++) {
            congestion.onLoss(psn);
            acknowledge(1);
        }
        assertTrue(congestion.window() >= Congestion.WINDOW_TOLD_MIN);
        assertTrue(congestion.window() <= Congestion.WINDOW_TOLD_MIN + 1);
    }

    @Test
    void silenceLeavesTheLeastAndAnswersOpenItQuicklyToWhereItWas() {
        congestion.onSilence(psn + 64);
        assertEquals(Congestion.WINDOW_MIN, congestion.window());
        acknowledge(2);
        assertEquals(4, congestion.window());
        acknowledge(4);
        assertEquals(8, congestion.window());
        acknowledge(8);
        acknowledge(16);
        assertEquals(32, congestion.window());
        acknowledge(16);
        assertEquals(32, congestion.window());
    }

    @Test
    void anAnswerThatWasOnlyLateGivesTheWindowBack() {
        congestion.onSilence(psn + 64);
        congestion.onSilence(psn + 64);
        congestion.onLate();
        assertEquals(Congestion.WINDOW_FIRST, congestion.window());
        congestion.onLate();
        assertEquals(Congestion.WINDOW_FIRST, congestion.window());
    }

    @Test
    void aRefusalLeavesLittleAndAnswersOpenItQuicklyToWhereItWas() {
        roundTrips(10, 20_000);
        congestion.onLoss(psn + 64);
        acknowledge(64);
        int before = congestion.window();
        assertTrue(before > Congestion.WINDOW_TOLD_MIN && before < Congestion.WINDOW_FIRST);
        congestion.onRefused();
        assertEquals(Congestion.WINDOW_TOLD_MIN, congestion.window());
        for (int window = Congestion.WINDOW_TOLD_MIN; window < before; ) {
            acknowledge(1);
            assertEquals(++window, congestion.window());
        }
        acknowledge(1);
        assertEquals(before, congestion.window());
    }

    @Test
    void refusedAgainItLeavesNoLessAndRemembersWhereItWas() {
        roundTrips(10, 20_000);
        congestion.onLoss(psn + 64);
        int before = congestion.window();
        congestion.onRefused();
        congestion.onRefused();
        assertEquals(Congestion.WINDOW_TOLD_MIN, congestion.window());
        acknowledge(4);
        congestion.onRefused();
        assertEquals(Congestion.WINDOW_TOLD_MIN, congestion.window());
        for (int packets = Congestion.WINDOW_TOLD_MIN; packets < before; packets++) {
            acknowledge(1);
        }
        assertEquals(before, congestion.window());
        acknowledge(1);
        assertEquals(before, congestion.window());
    }

    @Test
    void aRefusalOpensNothingAfterSilence() {
        congestion.onSilence(psn + 64);
        congestion.onRefused();
        assertEquals(Congestion.WINDOW_MIN, congestion.window());
    }
}
