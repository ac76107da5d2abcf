package org.verbena.fabric.flow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Shares of lanes by the tables of a port. */
final class ArbiterTest {
    private static final byte[] NONE = {};
    private static final int PACKET = 2048;

    private final Arbiter arbiter = new Arbiter();

    /** Bytes that each lane sent in this many packets, all lanes in the mask always ready. */
    private long[] bytes(int ready, int packets) {
        long[] sent = new long[16];
        for (int i = 0; i < packets; i++) {
            int lane = arbiter.choose(ready);
            arbiter.charge(PACKET);
            sent[lane] += PACKET;
        }
        return sent;
    }

    @Test
    void lanesOfTheLowTableShareByWeight() {
        arbiter.load(NONE, new byte[] {0, 64, 1, (byte) 128, 2, 0}, 0);
        long[] sent = bytes(0b011, 30_000);
        assertEquals(2.0, (double) sent[1] / sent[0], 0.01);
    }

    @Test
    void anEntryOfWeightZeroIsSkippedAndItsLaneGoesLast() {
        arbiter.load(NONE, new byte[] {0, 10, 2, 0}, 0);
        assertEquals(0, bytes(0b101, 1000)[2]);
        assertEquals(1000L * PACKET, bytes(0b100, 1000)[2]);
    }

    @Test
    void withoutALimitTheHighTableLeavesNothingToTheLowTable() {
        arbiter.load(new byte[] {3, 1}, new byte[] {0, (byte) 255}, 255);
        assertEquals(0, bytes(0b1001, 10_000)[0]);
    }

    @Test
    void theLimitGivesTheLowTableOnePacketInTurn() {
        arbiter.load(new byte[] {3, 1}, new byte[] {0, 1}, 0);
        long[] sent = bytes(0b1001, 10_000);
        assertEquals(sent[3], sent[0]);
        arbiter.load(new byte[] {3, 1}, new byte[] {0, 1}, 4);
        sent = bytes(0b1001, 10_000);
        // 16 KiB, and the packet that reaches the limit, for each packet of the low table.
        assertEquals(9.0, (double) sent[3] / sent[0], 0.1);
    }

    @Test
    void lanesWithoutAnEntryTakeTurns() {
        arbiter.load(NONE, NONE, 0);
        long[] sent = bytes(0b111_0000, 3000);
        assertArrayEquals(new long[] {1000L * PACKET, 1000L * PACKET, 1000L * PACKET}, Arrays.copyOfRange(sent, 4, 7));
    }

    @Test
    void noReadyLaneOfATableStarves() {
        arbiter.load(new byte[] {1, 1, 2, 2, 1, 3}, new byte[] {3, 1, 4, 200 - 256, 5, 9}, 1);
        long[] sent = bytes(0b11_1110, 100_000);
        for (int lane = 1; lane <= 5; lane++) {
            assertTrue(sent[lane] > 0, "lane " + lane);
        }
    }
}
