package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.verbena.wire.ib.Psn;

/** Packets that come ahead of number 10: which of them has the peer told of a gap. */
final class GapWatchTest {
    private static final int EXPECTED = 10;
    private static final long TOLD_NS = 1000;
    private static final long ROUND_TRIP_NS = 100;

    private final GapWatch gaps = new GapWatch();

    @Test
    void packetsThatFollowOnTellOfOneGap() {
        assertTrue(gaps.onAhead(12, 0));
        assertFalse(gaps.onAhead(13, 1));
        assertFalse(gaps.onAhead(17, 2));
    }

    @Test
    void aPacketFromFurtherBackTellsThatTheExpectedOneWasLostAgain() {
        assertTrue(gaps.onAhead(12, 0));
        assertFalse(gaps.onAhead(13, 1));
        assertTrue(gaps.onAhead(12, 2));
        assertTrue(gaps.onAhead(12, 3), "the same number again has been sent again");
    }

    @Test
    void theExpectedPacketEndsTheGap() {
        assertTrue(gaps.onAhead(12, 0));
        gaps.onExpected();
        assertTrue(gaps.onAhead(13, 1));
    }

    @Test
    void numbersFollowOnAcrossTheirEnd() {
        assertTrue(gaps.onAhead(Psn.MASK, 0));
        assertFalse(gaps.onAhead(0, 1));
    }

    private void tellToWait() {
        gaps.onToldToWait(EXPECTED, TOLD_NS, ROUND_TRIP_NS, 0);
    }

    @Test
    void thePeerIsToldNothingInAnyOrderUntilItsTimeIsOver() {
        tellToWait();
        assertFalse(gaps.onAhead(12, 1));
        assertFalse(gaps.onAhead(11, 2));
        assertFalse(gaps.onAhead(15, TOLD_NS - 1));
    }

    @Test
    void aBurstThatFollowsOnWithoutAPauseLastsLongerThanTheTime() {
        tellToWait();
        int psn = EXPECTED;
        for (long nowNs = 0; nowNs < 10 * TOLD_NS; nowNs += TOLD_NS) {
            assertFalse(gaps.onAhead(++psn, nowNs));
        }
    }

    @Test
    void aPauseEndsTheBurst() {
        tellToWait();
        assertFalse(gaps.onAhead(11, 500));
        assertTrue(gaps.onAhead(12, 500 + TOLD_NS + ROUND_TRIP_NS));
        assertFalse(gaps.onAhead(13, 500 + TOLD_NS + ROUND_TRIP_NS + 1), "it follows on the gap that was told");
    }

    @Test
    void aPacketFromFurtherBackEndsTheBurstOnceTheTimeIsOver() {
        tellToWait();
        assertFalse(gaps.onAhead(15, TOLD_NS - 1));
        assertTrue(gaps.onAhead(12, TOLD_NS));
    }

    @Test
    void aPacketThatMayHaveBeenSentAgainProlongsNoBurst() {
        tellToWait();
        assertFalse(gaps.onAhead(15, 900));
        assertFalse(gaps.onAhead(12, 901));
        assertTrue(gaps.onAhead(16, TOLD_NS + ROUND_TRIP_NS));
    }

    @Test
    void anInvitationEndsTheBurstWhenThePeerCanHaveCome() {
        tellToWait();
        gaps.onInvited(300);
        assertFalse(gaps.onAhead(12, 299));
        assertTrue(gaps.onAhead(11, 300));
    }

    @Test
    void anInvitationNeverProlongsTheTime() {
        tellToWait();
        gaps.onInvited(5 * TOLD_NS);
        assertTrue(gaps.onAhead(11, TOLD_NS));
    }

    @Test
    void theExpectedPacketThatIsDroppedBeginsTheBurstAnew() {
        tellToWait();
        assertFalse(gaps.onAhead(15, TOLD_NS - 1));
        gaps.onRefused(EXPECTED);
        assertFalse(gaps.onAhead(11, TOLD_NS + 1), "it follows on the expected packet");
    }

    @Test
    void aNewConnectionKnowsOfNoGap() {
        tellToWait();
        gaps.begin();
        assertTrue(gaps.onAhead(12, 1));
    }
}
