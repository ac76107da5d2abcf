package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Gid;
import org.verbena.fabric.topology.NetFile;
import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyBuilder;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.RoutingEngine;
import org.verbena.manage.manager.SaClient;
import org.verbena.manage.manager.SubnetManager;

/** The manager, its administration and its client over the real data path, in virtual time. */
final class FabricManagerTest {
    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final long LIMIT_NS = 60_000_000_000L;

    private static Fabric golden(String name) {
        return Fabric.of(
                NetFile.read(RESOURCES.resolve("subnets", name, name + ".net")).topology());
    }

    private static void runUntil(Fabric fabric, BooleanSupplier condition) {
        long end = fabric.nowNs() + LIMIT_NS;
        while (!condition.getAsBoolean()) {
            assertTrue(fabric.nextEventNs() < end, "not reached at " + fabric.nowNs() + " ns");
            fabric.run(fabric.nextEventNs());
        }
    }

    private static SubnetManager up(Fabric fabric, ManagerOptions options) {
        ManagedNode first = fabric.nodes().stream()
                .filter(node -> !node.isSwitch())
                .findFirst()
                .orElseThrow();
        SubnetManager manager = fabric.manage(first.port(1), options);
        runUntil(fabric, manager::isSettled);
        assertEquals(List.of(), manager.problems());
        return manager;
    }

    private static List<ManagedPort> ends(Fabric fabric) {
        List<ManagedPort> ends = new ArrayList<>();
        for (ManagedNode node : fabric.nodes()) {
            for (int number = node.isSwitch() ? 0 : 1; number <= (node.isSwitch() ? 0 : node.portCount()); number++) {
                if (node.isSwitch() || node.port(number).peer() != null) {
                    ends.add(node.port(number));
                }
            }
        }
        return ends;
    }

    /** Follows the tables in the switches' registers. */
    private static @Nullable ManagedPort arrival(ManagedPort from, int lid) {
        ManagedPort at = from.node().isSwitch() ? from : from.peer();
        for (int hop = 0; hop < 64 && at != null; hop++) {
            if (!at.node().isSwitch()) {
                return at.owns(lid) ? at : null;
            }
            int out = at.node().outputTo(lid);
            if (out == 0) {
                return at.node().port(0);
            }
            ManagedPort port = out == ManagedNode.NO_PORT ? null : at.node().port(out);
            at = port == null || port.state() != PortState.ACTIVE ? null : port.peer();
        }
        return null;
    }

    private static void assertAllReachable(Fabric fabric) {
        List<ManagedPort> ends = ends(fabric);
        for (ManagedPort from : ends) {
            for (ManagedPort to : ends) {
                if (from != to) {
                    assertEquals(to, arrival(from, to.lid()), () -> from + " to " + to);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-switch", "ring6", "fattree2-16", "mesh4x4"})
    void goldenSubnetsGetTheIdentifiersOfOpenSmAndAreReachable(String name) throws IOException {
        try (Fabric fabric = golden(name)) {
            up(fabric, ManagerOptions.DEFAULT);
            Map<String, Integer> wanted = new HashMap<>();
            for (String line : Files.readAllLines(RESOURCES.resolve("vectors/subnets", name, "guid2lid.txt"))) {
                String[] words = line.split(" ", -1);
                if (words.length == 3) {
                    wanted.put(words[0], Integer.decode(words[1]));
                }
            }
            Map<String, Integer> lids = new HashMap<>();
            ends(fabric).forEach(port -> lids.put("0x%016x".formatted(port.guid()), port.lid()));
            assertEquals(wanted, lids);
            assertAllReachable(fabric);
            assertEquals(List.of(), fabric.auditCredits());
        }
    }

    /** Three levels: 4 cores, 4 groups of 2 and 2 switches, 16 hosts. */
    private static Topology tree() {
        TopologyBuilder builder = Topology.builder();
        for (int core = 0; core < 4; core++) {
            builder.switchNode("core" + core, 4);
        }
        for (int pod = 0; pod < 4; pod++) {
            for (int at = 0; at < 2; at++) {
                builder.switchNode("middle" + pod + at, 4).switchNode("leaf" + pod + at, 4);
            }
            for (int at = 0; at < 2; at++) {
                builder.cable("middle" + pod + at, 1, "leaf" + pod + "0", 3 + at)
                        .cable("middle" + pod + at, 2, "leaf" + pod + "1", 3 + at)
                        .cable("middle" + pod + at, 3, "core" + 2 * at, pod + 1)
                        .cable("middle" + pod + at, 4, "core" + (2 * at + 1), pod + 1);
                for (int host = 1; host <= 2; host++) {
                    String name = "host" + pod + at + host;
                    builder.adapter(name, 1).cable(name, 1, "leaf" + pod + at, host);
                }
            }
        }
        return builder.build();
    }

    @Test
    void aTreeOfThreeLevelsComesUp() {
        try (Fabric fabric = Fabric.of(tree())) {
            up(fabric, ManagerOptions.DEFAULT);
            assertAllReachable(fabric);
        }
    }

    @Test
    void aPulledCableIsRoutedAround() {
        try (Fabric fabric = golden("ring6")) {
            SubnetManager manager = up(fabric, ManagerOptions.DEFAULT.withRouting(RoutingEngine.layered(8)));
            long before = manager.sweeps();
            fabric.unplug(fabric.port("sw2", 7));
            runUntil(fabric, () -> manager.sweeps() > before && manager.isSettled());
            assertAllReachable(fabric);
            long after = manager.sweeps();
            fabric.plug(fabric.port("sw2", 7), fabric.port("sw3", 8));
            runUntil(fabric, () -> manager.sweeps() > after && manager.isSettled());
            assertEquals(PortState.ACTIVE, fabric.port("sw2", 7).state());
            assertAllReachable(fabric);
        }
    }

    @Test
    void aDeadSwitchIsRoutedAroundAndComesBack() {
        try (Fabric fabric = golden("mesh4x4")) {
            SubnetManager manager = up(fabric, ManagerOptions.DEFAULT);
            ManagedNode dead =
                    Objects.requireNonNull(fabric.port("h-1-1-0", 1).peer()).node();
            int lid = dead.port(0).lid();
            long before = manager.sweeps();
            fabric.faults().kill(dead);
            runUntil(fabric, () -> manager.sweeps() > before && manager.isSettled());
            ManagedPort from = fabric.port("h-0-0-0", 1);
            ManagedPort to = fabric.port("h-3-3-0", 1);
            assertEquals(to, arrival(from, to.lid()));
            assertFalse(fabric.port("h-1-1-0", 1).isUp());
            long after = manager.sweeps();
            fabric.faults().revive(dead);
            runUntil(fabric, () -> manager.sweeps() > after && manager.isSettled());
            assertEquals(lid, dead.port(0).lid());
            runUntil(fabric, () -> fabric.port("h-1-1-0", 1).state() == PortState.ACTIVE && manager.isSettled());
            assertAllReachable(fabric);
        }
    }

    @Test
    void aLossyCableDoesNotKeepTheSubnetDown() {
        try (Fabric fabric = golden("ring6")) {
            for (ManagedNode node : fabric.nodes()) {
                for (int port = 1; port <= node.portCount(); port++) {
                    fabric.faults().cable(node.port(port), 0.02, 0);
                }
            }
            up(fabric, ManagerOptions.DEFAULT.withAttemptsMax(20));
            assertAllReachable(fabric);
        }
    }

    @Test
    void aHostAsksForAPathAndJoinsAGroup() {
        try (Fabric fabric = golden("two-switch")) {
            SubnetManager manager = up(fabric, ManagerOptions.DEFAULT);
            SaClient client = new SaClient();
            client.start(fabric.attach(fabric.port("h2", 1), client));
            Gid own = gid(fabric.port("h2", 1));
            List<SaClient.PathResult> paths = new ArrayList<>();
            assertTrue(
                    client.path(fabric.nowNs(), own, gid(fabric.port("h5", 1)), (nowNs, result) -> paths.add(result)));
            runUntil(fabric, () -> !paths.isEmpty());
            assertEquals(0, paths.getFirst().status());
            assertEquals(fabric.port("h5", 1).lid(), paths.getFirst().targetLid());
            assertEquals(7, paths.getFirst().rateCode());
            Gid group = new Gid(0xff12_601b_ffff_0000L, 0x77);
            List<SaClient.GroupResult> groups = new ArrayList<>();
            assertTrue(client.join(
                    fabric.nowNs(),
                    group,
                    own,
                    new SaClient.GroupValues(0x1b, 0xffff, 0, 0, 0),
                    (nowNs, result) -> groups.add(result)));
            runUntil(fabric, () -> !groups.isEmpty() && manager.isSettled());
            assertEquals(0, groups.getFirst().status());
            int lid = groups.getFirst().lid();
            assertTrue(fabric.node("sw1").multicastTo(lid, 2));
            assertTrue(client.leave(fabric.nowNs(), group, own, (nowNs, result) -> groups.add(result)));
            runUntil(fabric, () -> groups.size() == 2 && manager.isSettled());
            assertFalse(fabric.node("sw1").multicastTo(lid, 2));
        }
    }

    private static Gid gid(ManagedPort port) {
        return new Gid(port.gidPrefix(), port.guid());
    }

    @Test
    void aClientWhoseAnswerIsLostAsksAgainInTime() {
        try (Fabric fabric = golden("two-switch")) {
            up(fabric, ManagerOptions.DEFAULT);
            SaClient client = new SaClient();
            client.start(fabric.attach(fabric.port("h2", 1), client));
            fabric.faults().cable(fabric.port("h2", 1), 1, 0);
            List<SaClient.PathResult> paths = new ArrayList<>();
            assertTrue(client.path(
                    fabric.nowNs(),
                    gid(fabric.port("h2", 1)),
                    gid(fabric.port("h5", 1)),
                    (nowNs, result) -> paths.add(result)));
            fabric.run(fabric.nowNs() + SaClient.TIMEOUT_NS / 2);
            assertEquals(List.of(), paths);
            fabric.faults().cable(fabric.port("h2", 1), 0, 0);
            runUntil(fabric, () -> !paths.isEmpty());
            assertEquals(0, paths.getFirst().status());
        }
    }
}
