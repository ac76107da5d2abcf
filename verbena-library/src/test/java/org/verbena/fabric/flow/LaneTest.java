package org.verbena.fabric.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.manage.NodeKind;
import org.verbena.manage.agent.ManagedNode;

/** The counts of blocks and credits of one lane. */
final class LaneTest {
    private static final int LONGEST = (Parcel.ROOM + Parcel.BLOCK - 1) / Parcel.BLOCK;
    private static final int BUFFER = 32 * 1024;
    private static final int CAPACITY = BUFFER / Parcel.BLOCK;

    private final ManagedNode node = new ManagedNode(NodeKind.ADAPTER, "host", 1, 1);
    private final Flow flow = new Flow(List.of(node), _ -> 0, BUFFER, 0, false, 0);
    private final PortFlow port = flow.directory.flowOf(node.port(1));

    @AfterEach
    void close() {
        flow.close();
    }

    private Lane lane(int bufferBytes) {
        return new Lane(port, 0, bufferBytes);
    }

    @Test
    void creditsAreTheDistanceToTheLimitOverTheWrap() {
        Lane lane = lane(BUFFER);
        assertEquals(CAPACITY, lane.credits());
        lane.sent = 4090;
        lane.limit = 10;
        assertEquals(16, lane.credits());
        lane.limit = 4090;
        assertEquals(0, lane.credits());
    }

    @Test
    void aLimitBehindWhatWasSentGivesNoCredits() {
        Lane lane = lane(BUFFER);
        lane.sent = 10;
        lane.limit = 5;
        assertEquals(0, lane.credits());
        lane.limit = 10 + Lane.CREDITS_MAX;
        assertEquals(Lane.CREDITS_MAX, lane.credits());
        lane.limit++;
        assertEquals(0, lane.credits());
    }

    @Test
    void aBufferIsNoLargerThanCreditsCanSay() {
        assertEquals(Lane.CREDITS_MAX, lane(1 << 20).capacity);
    }

    @Test
    void theLimitForThePeerIsWhatWasReceivedAndWhatIsFree() {
        Lane lane = lane(BUFFER);
        assertTrue(lane.onReceived(100));
        assertEquals(CAPACITY, lane.limitForPeer());
        assertTrue(lane.onFreed(100));
        assertEquals(CAPACITY + 100, lane.limitForPeer());
        lane.received = 4000;
        assertEquals(4000 + CAPACITY - 4096, lane.limitForPeer());
    }

    @Test
    void thePeerIsToldWhenAnEighthOfTheBufferIsFreeAnew() {
        Lane lane = lane(BUFFER);
        assertTrue(lane.onReceived(CAPACITY));
        assertFalse(lane.onFreed(CAPACITY / 8 - 1));
        assertTrue(lane.onFreed(1));
    }

    @Test
    void thePeerAlwaysGetsCreditsForTheLongestPacketInTheEnd() {
        for (int blocks = LONGEST; blocks <= 16 * LONGEST; blocks += 3) {
            Lane lane = lane(blocks * Parcel.BLOCK);
            for (int fill = 1; fill <= LONGEST; fill++) {
                assertTrue(lane.onReceived(fill));
                for (int i = 0; i < fill; i++) {
                    if (lane.onFreed(1)) {
                        lane.told = lane.limitForPeer();
                    }
                }
                int credits = lane.told - lane.received & Lane.WRAP_MASK;
                assertTrue(credits >= LONGEST, credits + " credits of a buffer of " + blocks + " blocks");
            }
        }
    }

    @Test
    void aPacketThatDoesNotFitIsRefusedAndCounted() {
        Lane lane = lane(BUFFER);
        assertTrue(lane.onReceived(CAPACITY - 1));
        assertFalse(lane.onReceived(2));
        assertEquals(CAPACITY - 1, lane.used);
        assertEquals(CAPACITY + 1, lane.received);
    }

    @Test
    void aLinkThatComesUpGivesTheRoomThatIsLeft() {
        Lane one = lane(BUFFER);
        Lane other = lane(BUFFER);
        assertTrue(one.onReceived(30));
        one.sent = 77;
        other.sent = 30;
        one.stalls = 2;
        Lane.begin(one, other);
        assertEquals(CAPACITY, one.credits());
        assertEquals(CAPACITY - 30, other.credits());
        assertEquals(0, one.sent + one.received + other.sent + other.received + one.stalls);
        assertTrue(one.onFreed(30) || one.limitForPeer() - one.told == 30);
    }
}
