package org.verbena.manage.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.SubnetAgent;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.ManagerInfo;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** The manager against real agents on a stand. */
final class SubnetManagerTest {
    static List<Shape> golden() {
        return Shape.golden();
    }

    static List<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>(Shape.golden());
        shapes.addAll(List.of(Shape.tree(4), Shape.torus(4, 4, 1), Shape.irregular(12, 10, 20, 5)));
        return shapes;
    }

    private static String firstHost(Shape shape) {
        return shape.hosts().getFirst().name;
    }

    @ParameterizedTest
    @MethodSource("golden")
    void portsGetTheIdentifiersThatOpenSmGives(Shape shape) {
        AgentStand stand = new AgentStand(shape);
        SubnetManager manager = stand.manage(firstHost(shape), ManagerOptions.DEFAULT);
        assertEquals(List.of(), manager.problems());
        Map<Long, Integer> lids = new HashMap<>();
        forEachEnd(stand, port -> lids.put(port.guid(), port.lid()));
        assertEquals(Shape.goldenLids(shape.name), lids);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void everyPortBecomesActiveAndReachesEveryOther(Shape shape) {
        AgentStand stand = new AgentStand(shape);
        SubnetManager manager = stand.manage(firstHost(shape), ManagerOptions.DEFAULT);
        assertTrue(manager.isUp());
        assertEquals(1, manager.sweeps());
        List<ManagedPort> ends = new ArrayList<>();
        forEachEnd(stand, ends::add);
        for (ManagedNode node : stand.nodes.values()) {
            for (int number = 1; number <= node.portCount(); number++) {
                PortState wanted = node.port(number).peer() == null ? PortState.DOWN : PortState.ACTIVE;
                assertEquals(wanted, node.port(number).state(), node.port(number)::toString);
            }
        }
        assertAllReachable(stand, ends);
    }

    private static void assertAllReachable(AgentStand stand, List<ManagedPort> ends) {
        for (ManagedPort from : ends) {
            for (ManagedPort to : ends) {
                for (int lid = to.lid(); lid < to.lid() + (1 << to.lmc()); lid++) {
                    assertEquals(to, stand.arrival(from, lid, false), () -> from + " to " + to);
                }
            }
        }
    }

    private static void forEachEnd(AgentStand stand, Consumer<ManagedPort> then) {
        for (ManagedNode node : stand.nodes.values()) {
            if (node.isSwitch()) {
                then.accept(node.port(0));
            } else {
                for (int number = 1; number <= node.portCount(); number++) {
                    if (node.port(number).peer() != null) {
                        then.accept(node.port(number));
                    }
                }
            }
        }
    }

    /** Attribute, modifier and route of each Set. */
    private static List<String> goldenSets() {
        List<String> sets = new ArrayList<>();
        for (String line : Shape.goldenLines("mads.minhop.txt")) {
            String[] words = line.split(" ", -1);
            if (words.length > 13 && words[1].equals(">") && words[3].equals("81") && words[4].equals("02")) {
                sets.add(words[5] + " " + words[6] + " " + words[12]);
            }
        }
        return sets;
    }

    @Test
    void theSetsOfASweepComeInTheOrderOfOpenSm() {
        AgentStand stand = new AgentStand(Shape.golden("two-switch"));
        List<String> sets = new ArrayList<>();
        stand.loses = mad -> {
            if (Smp.METHOD.read(mad, 0) == Smp.METHOD_SET) {
                StringBuilder route = new StringBuilder();
                for (int hop = 1; hop <= Smp.HOP_COUNT.read(mad, 0); hop++) {
                    route.append(hop == 1 ? "" : ".").append(Smp.initialPort(mad, 0, hop));
                }
                sets.add("%04x %08x %s"
                        .formatted(
                                Smp.ATTRIBUTE.read(mad, 0),
                                Smp.MODIFIER.read(mad, 0),
                                route.isEmpty() ? "0" : route.toString()));
            }
            return false;
        };
        stand.manage("h1", ManagerOptions.DEFAULT.withOutstandingMax(1));
        assertEquals(goldenSets(), sets);
    }

    @Test
    void noMoreRequestsAreUnderWayThanAllowed() {
        AgentStand stand = new AgentStand(Shape.golden("mesh4x4"));
        stand.manage("h-0-0-0", ManagerOptions.DEFAULT.withOutstandingMax(4));
        assertEquals(4, stand.underWayMost);
    }

    @Test
    void lostDatagramsAreSentAgain() {
        for (boolean told : new boolean[] {true, false}) {
            AgentStand stand = new AgentStand(Shape.golden("ring6"));
            stand.tellsLoss = told;
            Random chance = new Random(7);
            stand.loses = mad -> chance.nextInt(10) == 0;
            SubnetManager manager = stand.manage("h0-0", ManagerOptions.DEFAULT.withAttemptsMax(20));
            assertEquals(List.of(), manager.problems());
            List<ManagedPort> ends = new ArrayList<>();
            forEachEnd(stand, ends::add);
            assertAllReachable(stand, ends);
        }
    }

    @Test
    void aNodeThatNeverAnswersIsLeftOutAndAskedAgainLater() {
        AgentStand stand = new AgentStand(Shape.golden("two-switch"));
        // Everything that goes through port 3 of the first switch is lost: host h3.
        stand.loses =
                mad -> Smp.isDirected(mad, 0) && Smp.HOP_COUNT.read(mad, 0) == 2 && Smp.initialPort(mad, 0, 2) == 3;
        SubnetManager manager = stand.manage("h1", ManagerOptions.DEFAULT);
        assertEquals(1, manager.problems().size());
        assertTrue(manager.problems().getFirst().endsWith(": no answer"), manager.problems()::toString);
        assertEquals(0, stand.port("h3", 1).lid());
        assertEquals(PortState.ACTIVE, stand.port("h6", 1).state());
        stand.loses = mad -> false;
        stand.nowNs = manager.nextDeadlineNs();
        manager.work(stand.nowNs);
        stand.run(manager);
        assertEquals(List.of(), manager.problems());
        assertEquals(PortState.ACTIVE, stand.port("h3", 1).state());
    }

    @Test
    void aPulledCableIsRoutedAroundAndOnlyChangedTablesAreWritten() {
        AgentStand stand = new AgentStand(Shape.golden("ring6"));
        SubnetManager manager = stand.manage("h0-0", ManagerOptions.DEFAULT);
        Map<Long, Integer> lids = new HashMap<>();
        forEachEnd(stand, port -> lids.put(port.guid(), port.lid()));
        stand.followed.clear();
        stand.unplug("sw2", 7);
        stand.run(manager);
        assertEquals(2, manager.sweeps());
        List<ManagedPort> ends = new ArrayList<>();
        forEachEnd(stand, ends::add);
        assertAllReachable(stand, ends);
        forEachEnd(stand, port -> assertEquals(lids.get(port.guid()), port.lid()));
        Map<String, Integer> counts = counts(stand);
        assertEquals(2, counts.get("02 0012"));
        assertEquals(6, counts.get("02 0019"));
        assertNull(counts.get("02 0015"));
        stand.repeatTraps(manager);
        assertEquals(0, stand.traps.pending());
        stand.followed.clear();
        stand.plug("sw2", 7, "sw3", 8);
        stand.run(manager);
        // Both ends become Armed and Active; all else is as before.
        assertEquals(4, counts(stand).get("02 0015"));
        assertEquals(PortState.ACTIVE, stand.port("sw3", 8).state());
    }

    private static Map<String, Integer> counts(AgentStand stand) {
        Map<String, Integer> counts = new TreeMap<>();
        stand.followed.forEach(request -> counts.merge(request, 1, Integer::sum));
        return counts;
    }

    @Test
    void aSweepWithoutAChangeWritesNothing() {
        AgentStand stand = new AgentStand(Shape.golden("fattree2-16"));
        SubnetManager manager = stand.manage("h0-0", ManagerOptions.DEFAULT);
        stand.followed.clear();
        manager.sweepSoon(stand.nowNs);
        stand.run(manager);
        assertEquals(2, manager.sweeps());
        assertEquals(
                List.of(),
                stand.followed.stream()
                        .filter(request -> request.startsWith("02"))
                        .toList());
    }

    @Test
    void aLookAtTheSwitchesFindsAChangeWhoseTrapWasLost() {
        AgentStand stand = new AgentStand(Shape.golden("ring6"));
        SubnetManager manager = stand.manage("h0-0", ManagerOptions.DEFAULT);
        stand.loses = mad -> Smp.METHOD.read(mad, 0) == Smp.METHOD_TRAP;
        stand.unplug("sw2", 7);
        stand.deliver();
        assertTrue(manager.isUp());
        assertEquals(1, manager.sweeps());
        stand.followed.clear();
        stand.nowNs = manager.nextDeadlineNs();
        manager.work(stand.nowNs);
        stand.run(manager);
        assertEquals(List.of("01 0012", "01 0012"), stand.followed.subList(0, 2));
        assertEquals(2, manager.sweeps());
        List<ManagedPort> ends = new ArrayList<>();
        forEachEnd(stand, ends::add);
        assertAllReachable(stand, ends);
    }

    @Test
    void aLookWithoutAChangeDoesNotSweep() {
        AgentStand stand = new AgentStand(Shape.golden("ring6"));
        SubnetManager manager = stand.manage("h0-0", ManagerOptions.DEFAULT);
        stand.followed.clear();
        for (int look = 0; look < 3; look++) {
            stand.nowNs = manager.nextDeadlineNs();
            manager.work(stand.nowNs);
            stand.deliver();
        }
        assertEquals(Map.of("01 0012", 18), counts(stand));
        assertEquals(1, manager.sweeps());
    }

    @Test
    void severalIdentifiersAreAlignedAsOpenSmDoesIt() {
        AgentStand stand = new AgentStand(Shape.golden("two-switch"));
        stand.manage("h1", ManagerOptions.DEFAULT.withLmc(1));
        Map<String, Integer> lids = new TreeMap<>();
        forEachEnd(stand, port -> lids.put(port.node().name(), port.lid()));
        assertEquals(Map.of("h1", 2, "sw1", 4, "sw2", 5, "h2", 6, "h3", 8, "h4", 10, "h5", 12, "h6", 14), lids);
        assertEquals(1, stand.port("h2", 1).lmc());
        assertEquals(0, stand.port("sw1", 0).lmc());
        List<ManagedPort> ends = new ArrayList<>();
        forEachEnd(stand, ends::add);
        assertAllReachable(stand, ends);
    }

    @Test
    void aManagerAtASwitchBringsTheSubnetUp() {
        AgentStand stand = new AgentStand(Shape.golden("ring6"));
        SubnetManager manager = stand.manage("sw3", ManagerOptions.DEFAULT);
        assertEquals(List.of(), manager.problems());
        assertEquals(1, stand.port("sw3", 0).lid());
        List<ManagedPort> ends = new ArrayList<>();
        forEachEnd(stand, ends::add);
        assertAllReachable(stand, ends);
    }

    @Test
    void twoHostsWithoutASwitchComeUp() {
        Shape shape = new Shape("cable");
        shape.members.add(new Shape.Member("one", false, 0x10, 1));
        shape.members.add(new Shape.Member("other", false, 0x20, 1));
        Shape.connect(shape.member("one"), 1, shape.member("other"), 1);
        AgentStand stand = new AgentStand(shape);
        SubnetManager manager = stand.manage("one", ManagerOptions.DEFAULT);
        assertEquals(List.of(), manager.problems());
        assertEquals(PortState.ACTIVE, stand.port("other", 1).state());
        assertEquals(2, stand.port("other", 1).lid());
    }

    @Test
    void aHostWithTwoPortsHasTwoIdentifiersAndIsAskedThroughEach() {
        Shape shape = Shape.ring(3, 1);
        Shape.Member two = new Shape.Member("two", false, 0x7770, 2);
        shape.members.add(two);
        shape.members.add(new Shape.Member("extra", true, 0x8880, 4));
        Shape.connect(shape.member("extra"), 1, two, 1);
        Shape.connect(shape.member("extra"), 2, two, 2);
        Shape.Member sw = shape.switches().getFirst();
        sw.cables.remove(3);
        shape.members.removeIf(
                member -> !member.isSwitch && member.cables.values().stream().anyMatch(end -> end.node() == sw));
        Shape.connect(sw, 3, shape.member("extra"), 3);
        AgentStand stand = new AgentStand(shape);
        SubnetManager manager = stand.manage(shape.hosts().getFirst().name, ManagerOptions.DEFAULT);
        assertEquals(List.of(), manager.problems());
        assertEquals(PortState.ACTIVE, stand.port("two", 1).state());
        assertEquals(PortState.ACTIVE, stand.port("two", 2).state());
        assertTrue(stand.port("two", 2).lid() != stand.port("two", 1).lid());
    }

    @Test
    void prefixKeyAndPartitionsAreWritten() {
        AgentStand stand = new AgentStand(Shape.golden("two-switch"));
        long h2 = stand.port("h2", 1).guid();
        PartitionPolicy policy = guid -> guid == h2 ? new int[] {0x8001, 0x7fff} : new int[] {0xffff};
        SubnetManager manager = stand.manage(
                "h1",
                ManagerOptions.DEFAULT
                        .withSubnetPrefix(0xfec0_0000_0000_0007L)
                        .withManagementKey(0x1234)
                        .withPartitions(policy));
        assertEquals(List.of(), manager.problems());
        assertEquals(0xfec0_0000_0000_0007L, stand.port("h5", 1).gidPrefix());
        assertTrue(stand.port("h2", 1).admits(0x8001));
        assertTrue(stand.port("sw1", 2).admits(0x8001));
        assertFalse(stand.port("h3", 1).admits(0x8001));
        assertFalse(stand.port("sw1", 3).admits(0x8001));
        assertTrue(stand.port("sw1", 2).enforcesInbound());
        assertTrue(stand.port("sw1", 2).enforcesOutbound());
        assertFalse(stand.port("sw1", 7).enforcesInbound());
        MemorySegment registers = MemorySegment.ofArray(new byte[PortInfo.LENGTH]);
        SubnetAgent.portInfo(stand.port("h5", 1), 1, registers, 0);
        assertEquals(0x1234, PortInfo.MANAGEMENT_KEY.read(registers, 0));
        manager.sweepSoon(stand.nowNs);
        stand.run(manager);
        assertEquals(List.of(), manager.problems());
    }

    @Test
    void layersGetTheirLanes() {
        AgentStand stand = new AgentStand(Shape.golden("ring6"));
        SubnetManager manager = stand.manage("h0-0", ManagerOptions.DEFAULT.withRouting(RoutingEngine.layered(8)));
        assertEquals(List.of(), manager.problems());
        assertTrue(manager.routes().levelCount() > 1);
        ManagedPort port = stand.port("sw0", 7);
        for (int level = 0; level < 8; level++) {
            assertEquals(level, port.laneOf(level, 8));
            assertEquals(level, stand.port("h3-0", 1).laneOf(level, 0));
        }
        // OpenSM's values: high lane 0 weight 4, low the others.
        assertEquals(0x0004, port.highArbitration()[0] << 8 | port.highArbitration()[1]);
        assertEquals(0x0104, port.lowArbitration()[2] << 8 | port.lowArbitration()[3]);
        assertEquals(0, port.lowArbitration()[1]);
    }

    @Test
    void anEngineThatCannotRouteIsReplacedByUpDown() {
        AgentStand stand = new AgentStand(Shape.golden("ring6"));
        SubnetManager manager = stand.manage("h0-0", ManagerOptions.DEFAULT.withRouting(RoutingEngine.layered(1)));
        assertEquals(
                List.of("layered: more than 1 lanes are needed for shortest paths without a deadlock: 6 switches,"
                        + " lanesMax 1; up/down routing is used"),
                manager.problems());
        assertFalse(RouteCheck.of(manager.graph(), manager.routes()).cycle());
        assertTrue(manager.isUp());
    }

    @Test
    void twoNodesWithOneGuidAreReported() {
        Shape shape = Shape.ring(3, 1);
        shape.members.add(new Shape.Member("again", false, shape.hosts().getLast().guid, 1));
        shape.members.add(new Shape.Member("extra", true, 0x8880, 4));
        Shape.connect(shape.member("extra"), 1, shape.member("again"), 1);
        Shape.Member sw = shape.switches().getFirst();
        Shape.disconnect(sw, 3);
        shape.members.removeIf(member -> !member.isSwitch && member.cables.isEmpty());
        Shape.connect(sw, 3, shape.member("extra"), 2);
        AgentStand stand = new AgentStand(shape);
        SubnetManager manager = stand.manage(
                shape.hosts().stream()
                        .filter(host -> !host.name.equals("again"))
                        .findFirst()
                        .orElseThrow()
                        .name,
                ManagerOptions.DEFAULT);
        assertEquals(1, manager.problems().size(), manager.problems()::toString);
        assertTrue(manager.problems().getFirst().endsWith("two nodes have one GUID"), manager.problems()::toString);
    }

    @Test
    void theManagerAnswersForItself() {
        AgentStand stand = new AgentStand(Shape.golden("two-switch"));
        stand.manage("h1", ManagerOptions.DEFAULT);
        List<String> answers = new ArrayList<>();
        MadPort port = stand.attach(stand.port("h5", 1), new Listener(answers));
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        Smp.request(mad, 0, Smp.CLASS_LID_ROUTED, Smp.METHOD_GET, 9, ManagerInfo.ATTRIBUTE, 0);
        port.send(mad, port.managerLid(), 0, 0);
        stand.deliver();
        Smp.request(mad, 0, Smp.CLASS_DIRECTED, Smp.METHOD_GET, 10, ManagerInfo.ATTRIBUTE, 0);
        Smp.HOP_COUNT.write(mad, 0, 3);
        Smp.initialPort(mad, 0, 1, 1);
        Smp.initialPort(mad, 0, 2, 7);
        Smp.initialPort(mad, 0, 3, 1);
        port.send(mad, 0xffff, 0, 0);
        stand.deliver();
        assertEquals(List.of("tid 9 guid 2c90300000011 state 3", "tid 10 guid 2c90300000011 state 3"), answers);
    }

    private record Listener(List<String> answers) implements MadReceiver {
        @Override
        public boolean onMad(long nowNs, MemorySegment mad, int sourceLid, int targetLid, int fromPair, int toPair) {
            answers.add("tid %d guid %x state %d"
                    .formatted(
                            Smp.TRANSACTION.read(mad, 0),
                            ManagerInfo.GUID.read(mad, Smp.DATA),
                            ManagerInfo.STATE.read(mad, Smp.DATA)));
            return true;
        }

        @Override
        public void onLost(long nowNs, MemorySegment mad, int targetLid) {
            answers.add("lost");
        }
    }

    @Test
    void aSecondStartIsRefused() {
        AgentStand stand = new AgentStand(Shape.golden("two-switch"));
        SubnetManager manager = stand.manage("h1", ManagerOptions.DEFAULT);
        MadPort port = stand.attach(stand.port("h2", 1), manager);
        assertThrows(IllegalStateException.class, () -> manager.start(port, 0));
        assertThrows(IllegalStateException.class, () -> new SubnetManager(ManagerOptions.DEFAULT).routes());
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> ManagerOptions.DEFAULT.withLmc(8));
        assertEquals("lmc 8 found, 0 … 7 expected", refused.getMessage());
    }

    @Test
    void hostsAskAgainWhenTheServiceLevelsOfTheirPathsHaveChanged() {
        AgentStand stand = new AgentStand(Shape.golden("ring6"));
        SubnetManager manager = stand.manage("h0-0", ManagerOptions.DEFAULT.withRouting(RoutingEngine.layered(8)));
        assertEquals(List.of(), stand.reregistered);
        manager.sweepSoon(stand.nowNs);
        stand.run(manager);
        assertEquals(List.of(), stand.reregistered);
        // Without a cable the ring is a line, which has one level.
        stand.unplug("sw2", 7);
        stand.run(manager);
        assertEquals(12, stand.reregistered.size());
    }

    @Test
    void hostsAskAgainUnderANewManager() {
        AgentStand stand = new AgentStand(Shape.golden("two-switch"));
        stand.manage("h1", ManagerOptions.DEFAULT);
        Map<Long, Integer> lids = new HashMap<>();
        forEachEnd(stand, port -> lids.put(port.guid(), port.lid()));
        assertEquals(List.of(), stand.reregistered);
        SubnetManager second = stand.manage("h4", ManagerOptions.DEFAULT);
        assertEquals(List.of(), second.problems());
        assertEquals(6, stand.reregistered.size());
        // It keeps the identifiers that it finds.
        forEachEnd(stand, port -> assertEquals(lids.get(port.guid()), port.lid()));
        assertEquals(lids.get(stand.port("h4", 1).guid()), stand.port("h2", 1).managerLid());
    }
}
