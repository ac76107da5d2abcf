package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.topology.Topology;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.Registers;
import org.verbena.manage.manager.ManagerOptions;

/** A bad cable between two switches under load: errors, training, traps, lifetimes. The hosts' cables are slower than that cable. */
final class LinkErrorsTest {
    private static final int LIFETIME = 8;
    private static final long LIFETIME_NS = 4096L << LIFETIME;

    private final LoadStand stand = new LoadStand(
            Topology.builder()
                    .rate(LinkWidth.X4, LinkSpeed.EDR)
                    .switchNode("s0", 4)
                    .switchNode("s1", 4)
                    .cable("s0", 4, "s1", 4)
                    .rate(LinkWidth.X4, LinkSpeed.QDR)
                    .adapter("h0", 1)
                    .adapter("h1", 1)
                    .cable("h0", 1, "s0", 1)
                    .cable("h1", 1, "s1", 1)
                    .build(),
            FabricOptions.DEFAULT,
            ManagerOptions.DEFAULT,
            "h0",
            2048);
    private final Fabric fabric = stand.fabric();
    private final ManagedPort near = fabric.port("s0", 4);
    private final ManagedPort far = fabric.port("s1", 4);

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void aCableThatDamagesMostPacketsIsTrainedAgainAndAgainAndTheManagerIsTold() {
        LoadStand.Stream stream = stand.stream("h0", "h1", 0, 3_000);
        long received = far.counters().receivedPackets;
        fabric.faults().cable(near, 0, 1e-3);
        for (int i = 0; i < 100; i++) {
            stand.run(fabric.nowNs() + 10_000);
        }
        long damaged = far.counters().receiveErrors;
        long good = far.counters().receivedPackets - received - damaged;
        long trained = far.counters().localLinkIntegrityErrors;
        // The manager has set a threshold of 8. Each training takes 9 damaged packets, each good packet takes at most
        // one off.
        assertTrue(9 * trained <= damaged, trained + " times for " + damaged);
        assertTrue(
                9 * trained + good + 8 >= damaged, trained + " times for " + damaged + " and " + good + " good ones");
        // A packet occupies the cable for less than 1 µs, and one of 2048 bytes passes in e^-16 of all cases.
        assertTrue(damaged > 1_000, damaged + " damaged");
        assertEquals(far.counters().localLinkIntegrityErrors, near.counters().linkErrorRecoveries);
        assertEquals(0, near.counters().localLinkIntegrityErrors);
        assertTrue(stand.manager().traps() > 0);
        assertEquals(PortState.ACTIVE, far.state());
        fabric.faults().cable(near, 0, 0);
        long owed = stream.received + stream.left;
        stand.run(fabric.nowNs() + 5_000_000);
        assertEquals(0, stream.left);
        assertTrue(stream.received >= owed, stream.received + " received, " + owed + " expected at least");
        assertEquals(List.of(), fabric.auditCredits());
    }

    @Test
    void aCableThatDamagesFewPacketsIsNotTrained() {
        stand.stream("h0", "h1", 0, 3_000);
        fabric.faults().cable(near, 0.01, 1e-6);
        stand.run(fabric.nowNs() + 5_000_000);
        assertTrue(far.counters().receiveErrors > 10);
        assertEquals(0, far.counters().linkErrorRecoveries);
    }

    @Test
    void aSenderWithoutFlowControlPacketsTrainsTheLinkAndGoesOn() {
        LoadStand.Stream stream = stand.stream("h0", "h1", 0, Long.MAX_VALUE);
        stand.run(fabric.nowNs() + 100_000);
        long before = stand.manager().traps();
        fabric.faults().cable(far, 1, 0);
        stand.run(fabric.nowNs() + 300_000);
        long stuck = stream.received;
        stand.run(fabric.nowNs() + 1_000_000);
        assertEquals(stuck, stream.received, "no credits, no packets");
        stand.run(fabric.nowNs() + 1_000_000);
        assertEquals(1, near.counters().linkErrorRecoveries);
        assertTrue(stream.received > stuck, "credits are given anew");
        assertTrue(stand.manager().traps() > before);
        fabric.faults().cable(far, 0, 0);
        stream.left = 0;
        stand.run(fabric.nowNs() + 5_000_000);
        assertEquals(List.of(), fabric.auditCredits());
    }

    @Test
    void aPacketThatStaysTooLongInASwitchIsDiscarded() {
        Registers.lifeTime(fabric.node("s0"), LIFETIME);
        fabric.faults().starve(far, 0, true);
        LoadStand.Stream stream = stand.stream("h0", "h1", 0, 100);
        stand.run(fabric.nowNs() + LIFETIME_NS - 1);
        assertEquals(0, near.counters().transmitDiscards);
        long before = stream.received;
        for (int i = 0; i < 20; i++) {
            stand.run(fabric.nowNs() + LIFETIME_NS);
        }
        assertEquals(100 - before, near.counters().transmitDiscards);
        assertEquals(0, stream.left);
        fabric.faults().starve(far, 0, false);
        stand.run(fabric.nowNs() + 5_000_000);
        assertEquals(before, stream.received);
        assertEquals(List.of(), fabric.auditCredits());
    }

    @Test
    void aLinkThatFlapsWhilePacketsComeInLosesNoCredits() {
        LoadStand.Stream stream = stand.stream("h0", "h1", 0, Long.MAX_VALUE);
        LoadStand.Stream back = stand.stream("h1", "h0", 0, Long.MAX_VALUE);
        stand.run(fabric.nowNs() + 1_000_000);
        for (int i = 0; i < 60; i++) {
            stand.run(fabric.nowNs() + 20_000 + 77L * i);
            fabric.faults().flap(fabric.port("h1", 1));
            stand.run(fabric.nowNs() + 2_000_000);
            stand.settle();
        }
        stream.left = 0;
        back.left = 0;
        stand.run(fabric.nowNs() + 20_000_000);
        // Of each 20 µs the port was up; a packet occupies the slowest cable for less than 1 µs, and is on its way for
        // less than 5 µs.
        assertTrue(stream.received > 60 * 15, stream.received + " received");
        assertEquals(List.of(), fabric.auditCredits());
        // A packet that was lost with its buffer at each flap would have filled the buffer of the switch by now.
        long owed = back.received + 200;
        back.left = 200;
        stand.run(fabric.nowNs() + 20_000_000);
        assertEquals(owed, back.received);
    }
}
