package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.topology.Topology;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.Registers;
import org.verbena.manage.manager.ManagerOptions;

/** Packets that wait for credits at the head of a switch's queue for longer than their lifetime there, and lanes that stall (specification 18.2.5.4). */
final class HeadOfQueueTest {
    private static final int LANE = 2;
    private static final int LIFE_CODE = 8;
    private static final long LIFE_NS = 4096L << LIFE_CODE;
    /** Longer than the packets need that fill all buffers. */
    private static final long FILL_NS = 20_000;
    /** Packets of 2072 bytes that fit into the buffer of a lane, 32 KiB. */
    private static final int FITTING = 15;

    /** The link takes all of them while the lane is blocked. */
    private static final int PACKETS = 90;

    private final LoadStand stand = new LoadStand(
            Topology.builder()
                    .rate(LinkWidth.X4, LinkSpeed.EDR)
                    .switchNode("s0", 4)
                    .switchNode("s1", 4)
                    .adapter("from", 1)
                    .adapter("to", 1)
                    .cable("from", 1, "s0", 1)
                    .cable("to", 1, "s1", 1)
                    .cable("s0", 4, "s1", 4)
                    .build(),
            FabricOptions.DEFAULT,
            ManagerOptions.DEFAULT.withLanesMax(8),
            "to",
            2048);
    private final ManagedPort out = stand.fabric().port("s0", 4);
    private final LoadStand.Stream stream = stand.stream("from", "to", LANE, PACKETS);
    private final long startNs = stand.fabric().nowNs();

    @AfterEach
    void close() {
        stand.close();
    }

    private void starve(boolean now) {
        stand.fabric().faults().starve(stand.fabric().port("s1", 4), LANE, now);
    }

    private long discardsAt(long timeNs) {
        stand.run(startNs + timeNs);
        return out.counters().transmitDiscards;
    }

    @Test
    void aPacketIsDiscardedWhenItsTimeIsOverAndNotBefore() {
        Registers.life(out, LIFE_CODE, 7);
        starve(true);
        assertEquals(0, discardsAt(LIFE_NS));
        assertEquals(FITTING, stream.received);
        assertEquals(1, discardsAt(LIFE_NS + FILL_NS));
        assertEquals(1, discardsAt(2 * LIFE_NS));
        assertEquals(2, discardsAt(2 * LIFE_NS + FILL_NS));
        starve(false);
        stand.run(stand.fabric().nowNs() + LIFE_NS);
        assertEquals(PACKETS - 2, stream.received);
    }

    @Test
    void aLaneStallsAfterSeveralPacketsInARow() {
        Registers.life(out, LIFE_CODE, 3);
        starve(true);
        assertEquals(2, discardsAt(2 * LIFE_NS + FILL_NS));
        // All that wait go with the third, and all that come.
        assertEquals(PACKETS - FITTING, discardsAt(3 * LIFE_NS + FILL_NS));
        starve(false);
        stream.left = 5;
        assertEquals(PACKETS - FITTING + 5, discardsAt(10 * LIFE_NS));
        assertEquals(FITTING, stream.received);
        stand.run(startNs + 11 * LIFE_NS + FILL_NS);
        stream.left = 5;
        stand.run(stand.fabric().nowNs() + LIFE_NS);
        assertEquals(FITTING + 5, stream.received);
        assertEquals(PACKETS - FITTING + 5, out.counters().transmitDiscards);
    }

    @Test
    void aPacketThatLeavesEndsTheRow() {
        Registers.life(out, LIFE_CODE, 3);
        starve(true);
        assertEquals(2, discardsAt(2 * LIFE_NS + FILL_NS));
        starve(false);
        assertEquals(2, discardsAt(2 * LIFE_NS + 2 * FILL_NS));
        assertTrue(stream.received > FITTING);
        starve(true);
        stream.left += PACKETS;
        assertEquals(4, discardsAt(4 * LIFE_NS + 4 * FILL_NS));
    }

    @Test
    void aPortWithoutALimitKeepsItsPackets() {
        Registers.life(out, 20, 1);
        starve(true);
        assertEquals(0, discardsAt(100 * LIFE_NS));
        starve(false);
        stand.run(stand.fabric().nowNs() + LIFE_NS);
        assertEquals(PACKETS, stream.received);
    }
}
