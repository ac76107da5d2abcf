package org.verbena.manage.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.manage.manager.SubnetGraph.EndPort;

/** Routing engines against OpenSM's golden tables and against an own check of every path. */
final class RoutingEngineTest {
    private static final int LANES = 8;

    static List<Shape> golden() {
        return Shape.golden();
    }

    static List<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>(Shape.golden());
        shapes.addAll(List.of(
                Shape.ring(3, 1),
                Shape.ring(7, 2),
                Shape.ring(12, 2),
                Shape.torus(3, 3, 1),
                Shape.torus(5, 4, 2),
                Shape.torus(6, 6, 2),
                Shape.tree(4),
                Shape.tree(6),
                Shape.irregular(10, 8, 20, 1),
                Shape.irregular(20, 25, 30, 2),
                Shape.irregular(30, 40, 40, 3)));
        return shapes;
    }

    private static SubnetGraph goldenGraph(Shape shape) {
        return shape.graph(Shape.goldenLids(shape.name), 0);
    }

    @ParameterizedTest
    @MethodSource("golden")
    void minHopHasTheHopCountsOfOpenSm(Shape shape) {
        SubnetGraph graph = goldenGraph(shape);
        Routes routes = RoutingEngine.minHop().route(graph);
        int compared = 0;
        int at = -1;
        for (String line : Shape.lines(shape.name, "hops.minhop.txt")) {
            if (line.startsWith("dump_ucast_routes: Switch 0x")) {
                at = indexOf(graph, Long.parseUnsignedLong(line.substring(line.indexOf("0x") + 2), 16));
            } else if (line.startsWith("0x")) {
                String[] words = line.split(" *: *", -1);
                assertEquals(Integer.parseInt(words[2]), hops(graph, routes, at, Integer.decode(words[0])), line);
                compared++;
            }
        }
        assertEquals(graph.switchCount() * graph.ends().size(), compared);
    }

    /** OpenSM counts the cable to an end node, and none to the switch itself. */
    private static int hops(SubnetGraph graph, Routes routes, int from, int lid) {
        int at = from;
        for (int hops = 0; hops < 64; hops++) {
            int port = routes.port(at, lid);
            if (port == 0) {
                return hops;
            }
            at = graph.peerSwitch(at, port);
            if (at == SubnetGraph.NONE) {
                return hops + 1;
            }
        }
        throw new AssertionError("loop");
    }

    private static int indexOf(SubnetGraph graph, long guid) {
        for (int index = 0; index < graph.switchCount(); index++) {
            if (graph.switchGuid(index) == guid) {
                return index;
            }
        }
        throw new AssertionError(Long.toHexString(guid));
    }

    static List<Shape> goldenAndUneven() {
        List<Shape> shapes = new ArrayList<>(Shape.golden());
        shapes.add(Shape.uneven());
        return shapes;
    }

    @ParameterizedTest
    @MethodSource("goldenAndUneven")
    void minHopHasTheTablesOfOpenSm(Shape shape) {
        SubnetGraph graph = goldenGraph(shape);
        assertEquals(goldenTables(shape, "minhop"), tables(graph, RoutingEngine.minHop()));
    }

    @ParameterizedTest
    @MethodSource("golden")
    void upDownHasTheTablesOfOpenSm(Shape shape) {
        SubnetGraph graph = goldenGraph(shape);
        RoutingEngine engine = shape.name.equals("fattree2-16")
                ? RoutingEngine.upDown()
                : RoutingEngine.upDown(
                        Long.decode(Shape.lines(shape.name, "roots.txt").getFirst()));
        assertEquals(goldenTables(shape, "updn"), tables(graph, engine));
    }

    private static Map<String, Integer> goldenTables(Shape shape, String engine) {
        Map<String, Integer> ports = new HashMap<>();
        String at = "";
        for (String line : Shape.lines(shape.name, "lfts." + engine + ".txt")) {
            if (line.startsWith("Unicast lids")) {
                at = line.replaceAll(".*guid 0x([0-9a-f]+) .*", "$1");
            } else if (line.startsWith("0x")) {
                String[] words = line.split(" ", -1);
                ports.put(at + " lid " + Integer.decode(words[0]), Integer.parseInt(words[1]));
            }
        }
        return ports;
    }

    /** Without the entries of targets that are not reached, as OpenSM prints them. */
    private static Map<String, Integer> tables(SubnetGraph graph, RoutingEngine engine) {
        Routes routes = engine.route(graph);
        Map<String, Integer> ports = new HashMap<>();
        for (int index = 0; index < graph.switchCount(); index++) {
            for (EndPort end : graph.ends()) {
                if (routes.port(index, end.lid()) != Routes.NO_PORT) {
                    ports.put(
                            "%016x lid %d".formatted(graph.switchGuid(index), end.lid()),
                            routes.port(index, end.lid()));
                }
            }
        }
        return ports;
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void minHopReachesEveryEndNodeOnAShortestPath(Shape shape) {
        RouteCheck check = check(shape, RoutingEngine.minHop(), 0);
        assertEquals(0, check.unreachable());
        assertEquals(0, check.notShortest());
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void upDownReachesEveryEndNodeWithoutACycle(Shape shape) {
        RouteCheck check = check(shape, RoutingEngine.upDown(), 0);
        assertEquals(0, check.unreachable());
        assertFalse(check.cycle());
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void layersReachEveryEndNodeOnAShortestPathWithoutACycle(Shape shape) {
        RouteCheck check = check(shape, RoutingEngine.layered(LANES), 0);
        assertEquals(0, check.unreachable());
        assertEquals(0, check.notShortest());
        assertFalse(check.cycle());
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void severalIdentifiersOfAPortAreReachedWithoutACycle(Shape shape) {
        RouteCheck check = check(shape, RoutingEngine.layered(LANES), 2);
        assertEquals(0, check.unreachable());
        assertEquals(0, check.notShortest());
        assertFalse(check.cycle());
    }

    private static RouteCheck check(Shape shape, RoutingEngine engine, int lmc) {
        SubnetGraph graph = shape.graph(lmc);
        int hosts = shape.hosts().size();
        RouteCheck check = RouteCheck.of(graph, engine.route(graph));
        assertEquals((hosts * (hosts - 1)) << lmc, check.pairs());
        return check;
    }

    @Test
    void aRingWithMinHopHasACycle() {
        assertTrue(check(Shape.ring(6, 2), RoutingEngine.minHop(), 0).cycle());
    }

    @Test
    void aTreeNeedsOneLaneAndStaysShortestUpAndDown() {
        assertEquals(
                1, RoutingEngine.layered(LANES).route(Shape.tree(6).graph(0)).levelCount());
        assertEquals(0, check(Shape.tree(6), RoutingEngine.upDown(), 0).notShortest());
    }

    @Test
    void ringsNeedTwoLanesAndGridsFew() {
        assertEquals(2, levels(Shape.ring(6, 2)));
        assertEquals(2, levels(Shape.ring(12, 2)));
        assertEquals(2, levels(Shape.torus(5, 4, 2)));
        assertEquals(4, levels(Shape.torus(6, 6, 2)));
        assertEquals(1, levels(Shape.golden("mesh4x4")));
    }

    private static int levels(Shape shape) {
        return RoutingEngine.layered(LANES).route(shape.graph(0)).levelCount();
    }

    @Test
    void severalIdentifiersOfAPortTakeSeveralWays() {
        SubnetGraph graph = Shape.tree(6).graph(2);
        Routes routes = RoutingEngine.minHop().route(graph);
        EndPort last =
                graph.ends().stream().filter(end -> !end.isSwitch()).toList().getLast();
        int leaf = graph.ends().stream()
                .filter(end -> !end.isSwitch() && end.switchIndex() != last.switchIndex())
                .findFirst()
                .orElseThrow()
                .switchIndex();
        assertEquals(
                3,
                List.of(0, 1, 2, 3).stream()
                        .map(way -> routes.port(leaf, last.lid() + way))
                        .distinct()
                        .count());
    }

    @Test
    void bothDirectionsOfAPairHaveOneLevel() {
        SubnetGraph graph = Shape.ring(7, 2).graph(0);
        Routes routes = RoutingEngine.layered(LANES).route(graph);
        assertTrue(routes.levelCount() > 1);
        for (int one = 0; one < graph.switchCount(); one++) {
            for (int other = 0; other < graph.switchCount(); other++) {
                assertEquals(routes.level(one, other), routes.level(other, one));
            }
        }
    }

    @Test
    void pairsOfTheManagersSwitchHaveTheFirstLevel() {
        for (int manager = 0; manager < 7; manager++) {
            SubnetGraph.Builder builder = new SubnetGraph.Builder();
            for (int at = 0; at < 7; at++) {
                builder.addSwitch(at + 1, 3, at + 1, 0);
                builder.addEnd(at + 100, at + 100, 0, at, 3);
            }
            for (int at = 0; at < 7; at++) {
                builder.connect(at, 1, (at + 1) % 7, 2);
            }
            builder.managerAt(manager);
            SubnetGraph graph = builder.build();
            Routes routes = RoutingEngine.layered(LANES).route(graph);
            for (int other = 0; other < 7; other++) {
                assertEquals(0, routes.level(graph.managerSwitch(), other));
            }
            assertFalse(RouteCheck.of(graph, routes).cycle());
        }
    }

    @Test
    void tooFewLanesAreRefused() {
        SubnetGraph graph = Shape.ring(12, 2).graph(0);
        RoutingException refused = assertThrows(
                RoutingException.class, () -> RoutingEngine.layered(1).route(graph));
        assertEquals(
                "more than 1 lanes are needed for shortest paths without a deadlock: 12 switches, lanesMax 1",
                refused.getMessage());
    }

    @Test
    void anUnknownRootIsRefused() {
        SubnetGraph graph = Shape.ring(3, 1).graph(0);
        RoutingException refused = assertThrows(
                RoutingException.class, () -> RoutingEngine.upDown(0x99).route(graph));
        assertEquals("root 0x0000000000000099 found, the GUID of a switch expected", refused.getMessage());
    }
}
