package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.fabric.topology.Topology;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.PortCounters;
import org.verbena.manage.agent.Registers;
import org.verbena.manage.manager.ManagerOptions;

/** Lanes, credits and arbitration under load. */
final class LoadTest {
    private static final int LANES = 15;
    private static final ManagerOptions ALL_LANES = ManagerOptions.DEFAULT.withLanesMax(LANES);

    /** Nine hosts on two switches with one cable between them: h0 … h7 on the first, h8 on the second. */
    private static Topology incast() {
        var builder = Topology.builder()
                .rate(LinkWidth.X4, LinkSpeed.EDR)
                .switchNode("s0", 12)
                .switchNode("s1", 12);
        for (int i = 0; i < 9; i++) {
            builder.adapter("h" + i, 1).cable("h" + i, 1, i < 8 ? "s0" : "s1", i + 1);
        }
        return builder.cable("s0", 12, "s1", 12).build();
    }

    private static LoadStand stand(boolean storeAndForward) {
        FabricOptions options = FabricOptions.DEFAULT.withLanes(LANES).withStoreAndForward(storeAndForward);
        return new LoadStand(incast(), options, ALL_LANES, "h8", 2048);
    }

    private static long discards(Fabric fabric) {
        long sum = 0;
        for (ManagedNode node : fabric.nodes()) {
            for (int port = 1; port <= node.portCount(); port++) {
                PortCounters counters = node.port(port).counters();
                sum += counters.transmitDiscards
                        + counters.receiveErrors
                        + counters.receiveSwitchRelayErrors
                        + counters.excessiveBufferOverruns
                        + counters.lane15Dropped;
            }
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void nothingIsDroppedWhenEightHostsSendToOneOnEveryLane(boolean storeAndForward) {
        try (LoadStand stand = stand(storeAndForward)) {
            List<LoadStand.Stream> streams = new ArrayList<>();
            for (int level = 0; level < LANES; level++) {
                for (int host = 0; host < 8; host++) {
                    streams.add(stand.stream("h" + host, "h8", level, 200));
                }
            }
            stand.drain();
            for (LoadStand.Stream stream : streams) {
                assertEquals(200, stream.received);
            }
            assertEquals(0, discards(stand.fabric()));
            assertEquals(List.of(), stand.fabric().auditCredits());
        }
    }

    @Test
    void packetsOfAllLanesPassALaneWithoutCredits() {
        try (LoadStand stand = stand(false)) {
            List<LoadStand.Stream> streams = new ArrayList<>();
            for (int level = 0; level < LANES; level++) {
                streams.add(stand.stream("h0", "h8", level, Long.MAX_VALUE));
            }
            int blocked = 6;
            stand.fabric().faults().starve(stand.fabric().port("s1", 12), blocked, true);
            long start = stand.fabric().nowNs();
            stand.run(start + 300_000);
            long stuck = streams.get(blocked).received;
            stand.run(start + 900_000);
            for (int level = 0; level < LANES; level++) {
                if (level != blocked) {
                    assertTrue(
                            streams.get(level).received > 100, "level " + level + ": " + streams.get(level).received);
                }
            }
            assertEquals(stuck, streams.get(blocked).received);
            stand.fabric().faults().starve(stand.fabric().port("s1", 12), blocked, false);
            stand.run(start + 1_200_000);
            assertTrue(streams.get(blocked).received > stuck);
            streams.forEach(stream -> stream.left = 0);
            stand.drain();
            assertEquals(List.of(), stand.fabric().auditCredits());
        }
    }

    @Test
    void aReceiverThatTakesNothingStopsItsSendersAndNothingIsLost() {
        try (LoadStand stand = stand(false)) {
            LoadStand.Stream slow = stand.stream("h0", "h8", 0, 500);
            LoadStand.Stream other = stand.stream("h1", "h2", 0, 500);
            stand.fabric().faults().slowReceiver(stand.fabric().port("h8", 1), Long.MAX_VALUE);
            stand.run(stand.fabric().nowNs() + 500_000);
            assertEquals(0, slow.received);
            assertEquals(500, other.received);
            stand.fabric().faults().slowReceiver(stand.fabric().port("h8", 1), 1_000);
            stand.drain();
            assertEquals(500, slow.received);
            assertEquals(0, discards(stand.fabric()));
        }
    }

    @Test
    void lostPacketsAndLostFlowControlCostNoCredits() {
        try (LoadStand stand = stand(false)) {
            LoadStand.Stream stream = stand.stream("h0", "h8", 3, 20_000);
            LoadStand.Stream back = stand.stream("h8", "h0", 3, 20_000);
            Fabric fabric = stand.fabric();
            fabric.faults().cable(fabric.port("s0", 12), 0.02, 0);
            fabric.faults().cable(fabric.port("s1", 12), 0.02, 0);
            stand.run(fabric.nowNs() + 20_000_000);
            assertEquals(0, stream.left + back.left);
            assertTrue(stream.received > 19_000 && stream.received < 20_000, "received " + stream.received);
            fabric.faults().cable(fabric.port("s0", 12), 0, 0);
            fabric.faults().cable(fabric.port("s1", 12), 0, 0);
            stand.run(fabric.nowNs() + 2_000_000);
            assertEquals(List.of(), fabric.auditCredits());
        }
    }

    @Test
    void damagedPacketsAreFoundByTheVariantCrc() {
        try (LoadStand stand = stand(false)) {
            LoadStand.Stream stream = stand.stream("h0", "h8", 0, 10_000);
            Fabric fabric = stand.fabric();
            fabric.faults().cable(fabric.port("s0", 12), 0, 1e-6);
            stand.run(fabric.nowNs() + 10_000_000);
            long damaged = fabric.port("s1", 12).counters().receiveErrors;
            assertTrue(damaged > 50, "damaged " + damaged);
            // A switch that cuts through passes damage on; the host drops the packet.
            assertTrue(fabric.port("h8", 1).counters().receiveRemotePhysicalErrors > 0);
            assertTrue(stream.received <= 10_000 - damaged);
            assertTrue(fabric.port("s1", 12).counters().symbolErrors >= damaged);
        }
    }

    @Test
    void twoHostsOnOneLaneHaveEqualShares() {
        try (LoadStand stand = stand(false)) {
            LoadStand.Stream first = stand.stream("h0", "h8", 0, Long.MAX_VALUE);
            LoadStand.Stream second = stand.stream("h1", "h8", 0, Long.MAX_VALUE);
            stand.run(stand.fabric().nowNs() + 1_000_000);
            // Two hosts on one lane: each has half.
            assertEquals(1.0, (double) first.received / second.received, 0.05);
        }
    }

    @Test
    void aLinkCarriesAsManyBitsAsItsRateAllows() {
        try (LoadStand stand = stand(false)) {
            LoadStand.Stream stream = stand.stream("h0", "h8", 0, Long.MAX_VALUE);
            long start = stand.fabric().nowNs();
            stand.run(start + 1_000_000);
            double gbits = stream.received * (2048 + 8 + 12 + 4 + 2 + 2) * 8.0 / 1_000_000;
            assertTrue(gbits > 95 && gbits <= 100.1, gbits + " Gbit/s");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false", "8192, true"})
    void packetsThatFindALongQueueAreMarked(int congestionBytes, boolean marked) {
        FabricOptions options = FabricOptions.DEFAULT.withLanes(LANES).withCongestionBytes(congestionBytes);
        try (LoadStand stand = new LoadStand(incast(), options, ALL_LANES, "h8", 2048)) {
            for (int host = 0; host < 8; host++) {
                stand.stream("h" + host, "h8", 0, 100);
            }
            stand.drain();
            assertEquals(marked, stand.marked() > 0, "marked: " + stand.marked());
            assertEquals(0, discards(stand.fabric()));
        }
    }

    /** The link s0 to s1 with a flow on lane 1 and one on lane 2, each of which could fill it alone. */
    private static double shares(int[] high, int[] low, int highLimit) {
        try (LoadStand stand = stand(false)) {
            Registers.arbitration(stand.fabric().port("s0", 12), high, low, highLimit);
            LoadStand.Stream first = stand.stream("h0", "h8", 1, Long.MAX_VALUE);
            LoadStand.Stream second = stand.stream("h1", "h8", 2, Long.MAX_VALUE);
            // Both queues fill first.
            stand.run(stand.fabric().nowNs() + 50_000);
            long firstBefore = first.received;
            long secondBefore = second.received;
            stand.run(stand.fabric().nowNs() + 500_000);
            assertTrue(first.received > firstBefore + 1000, "received " + (first.received - firstBefore));
            return (double) (second.received - secondBefore) / (first.received - firstBefore);
        }
    }

    @Test
    void lanesOfASaturatedLinkShareItByTheirWeights() {
        // Packets of 2072 bytes: 96 units of 64 bytes are three of them, 32 are one.
        assertEquals(1.0 / 3, shares(new int[0], new int[] {1, 96, 2, 32}, 0), 0.05 / 3);
        assertEquals(1.0, shares(new int[0], new int[] {1, 32, 2, 32}, 0), 0.05);
    }

    @ParameterizedTest
    @CsvSource({"0, 1.0", "1, 0.5", "2, 0.25", "255, 0.0"})
    void aHighLaneLeavesTheLowOneItsPacketAfterItsLimit(int limit, double share) {
        // Packets of 2072 bytes: 4096 bytes are used up by the second, 8192 by the fourth.
        assertEquals(share, shares(new int[] {1, 255}, new int[] {2, 1}, limit), 0.05 * share);
    }

    @Test
    void aLinkThatComesUpAgainBeginsWithFullCredits() {
        try (LoadStand stand = stand(false)) {
            Fabric fabric = stand.fabric();
            LoadStand.Stream stream = stand.stream("h0", "h8", 2, Long.MAX_VALUE);
            for (int time = 0; time < 5; time++) {
                stand.run(fabric.nowNs() + 50_000);
                fabric.faults().flap(fabric.port("s0", 12));
                long before = stand.manager().sweeps();
                while (stand.manager().sweeps() == before || !stand.manager().isSettled()) {
                    stand.run(fabric.nowNs() + 1_000_000);
                }
                long received = stream.received;
                stand.run(fabric.nowNs() + 200_000);
                assertTrue(stream.received > received + 500, "received " + (stream.received - received));
            }
            stream.left = 0;
            stand.run(fabric.nowNs() + 2_000_000);
            assertEquals(List.of(), fabric.auditCredits());
        }
    }
}
