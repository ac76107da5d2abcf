package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.topology.NetFile;
import org.verbena.link.LinkFlow;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.RoutingEngine;

/** A ring of switches under load: with minhop routing its lanes wait for each other, with up/down routing or with layers they do not. */
final class DeadlockTest {
    private static final Path RING = Path.of("src/test/resources/subnets/ring6/ring6.net");
    private static final int SWITCHES = 6;

    private final List<Deadlock> found = new ArrayList<>();

    /** Loads the ring: each host sends to a host of every other switch. */
    private LoadStand ring(RoutingEngine routing) {
        LoadStand stand = new LoadStand(
                NetFile.read(RING).topology(),
                FabricOptions.DEFAULT.withBufferBytes(8192),
                ManagerOptions.DEFAULT.withRouting(routing),
                "h0-0",
                2048);
        stand.fabric().onDeadlock(found::add);
        for (int i = 0; i < SWITCHES; i++) {
            for (int other = 1; other < SWITCHES; other++) {
                for (int host = 0; host < 2; host++) {
                    stand.stream(
                            "h" + i + "-" + host,
                            "h" + (i + other) % SWITCHES + "-" + host,
                            LinkFlow.MANAGED,
                            Long.MAX_VALUE);
                }
            }
        }
        return stand;
    }

    @Test
    void minhopRoutingOnARingDeadlocksAndTheDetectorNamesThePorts() {
        try (LoadStand stand = ring(RoutingEngine.minHop())) {
            stand.run(stand.fabric().nowNs() + 20_000_000);
            assertFalse(found.isEmpty(), "no deadlock in 20 ms of load");
            Deadlock first = found.getFirst();
            assertEquals(SWITCHES, first.waits().size(), first.toString());
            assertEquals(SWITCHES, new HashSet<>(first.waits()).size());
            for (int i = 0; i < SWITCHES; i++) {
                var port = first.waits().get(i).port();
                var next = first.waits().get((i + 1) % SWITCHES).port();
                assertTrue(port.peer() != null && port.peer().node() == next.node(), first.toString());
            }
            assertEquals(1, found.size(), found.toString());
            assertTrue(first.toString().contains(" lane "), first.toString());
        }
    }

    @Test
    void upDownRoutingOnTheSameRingDoesNotDeadlock() {
        try (LoadStand stand = ring(RoutingEngine.upDown())) {
            stand.run(stand.fabric().nowNs() + 20_000_000);
            assertEquals(List.of(), found);
        }
    }

    @Test
    void layersOnTheSameRingDoNotDeadlock() {
        try (LoadStand stand = ring(RoutingEngine.layered(8))) {
            stand.run(stand.fabric().nowNs() + 20_000_000);
            assertEquals(List.of(), found);
        }
    }

    @Test
    void packetsThatWaitTooLongAreDiscardedAndTheRingGoesOn() {
        try (LoadStand stand = ring(RoutingEngine.minHop())) {
            Fabric fabric = stand.fabric();
            stand.run(fabric.nowNs() + 5_000_000);
            assertFalse(found.isEmpty());
            // The manager's lifetime at the head of a queue is 1.07 s.
            stand.run(fabric.nowNs() + 1_200_000_000L);
            long discarded = fabric.nodes().stream()
                    .filter(node -> node.isSwitch())
                    .mapToLong(node -> {
                        long sum = 0;
                        for (int port = 1; port <= node.portCount(); port++) {
                            sum += node.port(port).counters().transmitDiscards;
                        }
                        return sum;
                    })
                    .sum();
            assertTrue(discarded > 0, "no packet was discarded");
            assertTrue(found.size() > 1, "the ring did not deadlock again");
        }
    }
}
