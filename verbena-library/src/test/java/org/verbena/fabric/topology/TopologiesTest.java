package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

final class TopologiesTest {
    @Test
    void shapesEqualTheGoldenFiles() {
        assertEquals(GoldenNet.topology("two-switch"), Topologies.twoSwitches(3, 2, LinkWidth.X4, LinkSpeed.QDR));
        assertEquals(GoldenNet.topology("ring6"), Topologies.ring(6, 2));
        assertEquals(GoldenNet.topology("fattree2-16"), Topologies.twoLevelFatTree(4, 2, 4, 2));
        assertEquals(GoldenNet.topology("mesh4x4"), Topologies.mesh(1, 4, 4));
    }

    @Test
    void theExampleFileIsTheExample() {
        Path file = Path.of("..", "examples", "system-area-network.net");
        assumeTrue(Files.exists(file), "no examples beside the module: not in a checkout");
        assertEquals(NetFile.read(file), new NetFile(Topologies.systemAreaNetwork(), List.of()));
    }

    /** Checksums of the net files of an independent generator, so that results of management for both are comparable. */
    @Test
    void shapesEqualThoseOfAnotherGenerator() {
        assertText("0858865b31008e37", Topologies.threeLevelFatTree(4));
        assertText("d85c91a4752aa144", Topologies.threeLevelFatTree(8, 4));
        assertText("9542b4dbeb482fb8", Topologies.threeLevelFatTree(8, 1));
        assertText("43e670b92554b99d", Topologies.threeLevelFatTree(32, 4));
        assertText("63fdff39871e4347", Topologies.threeLevelFatTree(36));
        assertText("c0293fe9a3ba10e7", Topologies.torus(2, 4, 3));
        assertText("f6676e93835ed8b6", Topologies.torus(1, 2, 3));
        assertText("1ac14d788f1a1a5d", Topologies.mesh(3, 2, 5));
        assertText("bf3a92ebc8f83a61", Topologies.ring(5, 3));
        assertText("8b253d87d19df985", Topologies.twoLevelFatTree(8, 4, 4, 1));
    }

    private static void assertText(String checksum, Topology topology) {
        try {
            byte[] text = NetFile.write(topology).getBytes(StandardCharsets.UTF_8);
            byte[] found = MessageDigest.getInstance("SHA-256").digest(text);
            assertEquals(checksum, HexFormat.of().formatHex(found, 0, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Each shape: its nodes, switches and cables. */
    record Shape(String name, Supplier<Topology> maker, int hosts, int switches, int cables) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Shape> shapes() {
        return Stream.of(
                new Shape("ring of 2", () -> Topologies.ring(2, 1), 2, 2, 4),
                new Shape("ring of 5 with many hosts", () -> Topologies.ring(5, 20), 100, 5, 105),
                new Shape("line", () -> Topologies.mesh(1, 5), 5, 5, 9),
                new Shape("mesh in three dimensions", () -> Topologies.mesh(2, 3, 4, 5), 120, 60, 120 + 133),
                new Shape("torus in two dimensions", () -> Topologies.torus(1, 4, 3), 12, 12, 12 + 24),
                new Shape("torus with a side of two", () -> Topologies.torus(1, 2, 3), 6, 6, 6 + 3 + 6),
                new Shape("torus in three dimensions", () -> Topologies.torus(3, 3, 4, 5), 180, 60, 180 + 180),
                new Shape("two levels", () -> Topologies.twoLevelFatTree(8, 4, 4, 1), 32, 12, 64),
                new Shape("three levels", () -> Topologies.threeLevelFatTree(4), 16, 20, 48),
                new Shape("three levels, few pods", () -> Topologies.threeLevelFatTree(8, 4), 64, 40, 64 + 64 + 64),
                new Shape("three levels, few cores", () -> Topologies.threeLevelFatTree(8, 1), 16, 10, 48),
                new Shape("1,024 hosts", () -> Topologies.threeLevelFatTree(32, 4), 1024, 160, 3072),
                new Shape("11,664 hosts", () -> Topologies.threeLevelFatTree(36), 11_664, 1620, 34_992),
                new Shape("full dragonfly", () -> Topologies.dragonfly(9, 4, 2, 2), 72, 36, 72 + 54 + 36),
                new Shape("small dragonfly", () -> Topologies.dragonfly(3, 4, 1, 1), 12, 12, 12 + 18 + 6),
                new Shape("two groups", () -> Topologies.dragonfly(2, 2, 1, 3), 4, 4, 4 + 2 + 6),
                new Shape("irregular", () -> Topologies.irregular(1, 30, 12, 100, 40), 100, 30, 100 + 29 + 40),
                new Shape("irregular without hosts", () -> Topologies.irregular(1, 3, 2, 0, 1), 0, 3, 3),
                new Shape("example", Topologies::systemAreaNetwork, 10, 3, 17));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aShapeHasItsNodesAndCablesAndIsConnected(Shape shape) {
        Topology topology = shape.maker.get();
        assertEquals(shape.hosts, count(topology, NodeKind.ADAPTER));
        assertEquals(shape.switches, count(topology, NodeKind.SWITCH));
        assertEquals(shape.cables, topology.cables().size());
        assertEquals(topology.nodes().size(), reached(topology));
        assertEquals(topology, shape.maker.get(), "the same arguments");
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aShapeReadsBackEqualFromANetFile(Shape shape) {
        Topology topology = shape.maker.get();
        assertEquals(topology, GoldenNet.parse(NetFile.write(topology)));
    }

    private static long count(Topology topology, NodeKind kind) {
        return topology.nodes().stream().filter(node -> node.kind() == kind).count();
    }

    /** Nodes that the first one reaches over cables. */
    private static int reached(Topology topology) {
        BitSet seen = new BitSet();
        ArrayDeque<Integer> next = new ArrayDeque<>(List.of(0));
        seen.set(0);
        while (!next.isEmpty()) {
            int node = next.remove();
            neighbors(topology, node).filter(other -> !seen.get(other)).forEach(other -> {
                seen.set(other);
                next.add(other);
            });
        }
        return seen.cardinality();
    }

    private static IntStream neighbors(Topology topology, int node) {
        return IntStream.rangeClosed(1, topology.nodes().get(node).ports())
                .mapToObj(port -> topology.cableAt(node, port))
                .flatMapToInt(cable -> cable.stream().mapToInt(Cable::otherNode));
    }

    private static void assertDegrees(Topology topology, String prefix, IntPredicate expected) {
        for (int i = 0; i < topology.nodes().size(); i++) {
            if (topology.nodes().get(i).name().startsWith(prefix)) {
                int degree = (int) neighbors(topology, i).count();
                assertTrue(expected.test(degree), topology.nodes().get(i).name() + " has " + degree + " cables");
            }
        }
    }

    @Test
    void switchesOfAFullTreeUseAllTheirPorts() {
        assertDegrees(Topologies.threeLevelFatTree(36), "p", degree -> degree == 36);
        assertDegrees(Topologies.threeLevelFatTree(36), "core", degree -> degree == 36);
        assertDegrees(Topologies.threeLevelFatTree(32, 4), "core", degree -> degree == 32);
    }

    @Test
    void everyMidOfATreeReachesEveryPod() {
        Topology tree = Topologies.threeLevelFatTree(8);
        for (int core = 0; core < 16; core++) {
            long pods = neighbors(tree, tree.indexOf("core" + core))
                    .mapToObj(mid -> tree.nodes().get(mid).name().substring(0, 2))
                    .distinct()
                    .count();
            assertEquals(8, pods);
        }
    }

    @Test
    void switchesOfAMeshHaveTheirNeighbors() {
        assertDegrees(Topologies.mesh(1, 5, 5), "sw-2-2", degree -> degree == 5);
        assertDegrees(Topologies.mesh(1, 5, 5), "sw-0-0", degree -> degree == 3);
        assertDegrees(Topologies.torus(1, 5, 5, 5), "sw", degree -> degree == 7);
        Topology torus = Topologies.torus(1, 5, 4);
        Cable back = torus.cableAt(torus.indexOf("sw-0-3"), 3).orElseThrow();
        assertEquals("sw-0-0", torus.nodes().get(back.otherNode()).name());
        assertEquals(4, back.otherPort());
    }

    @Test
    void everyTwoGroupsOfADragonflyAreJoined() {
        assertGroupsJoined(Topologies.dragonfly(9, 4, 2, 2), 9, 1);
        assertGroupsJoined(Topologies.dragonfly(3, 4, 1, 1), 3, 2);
        assertGroupsJoined(Topologies.dragonfly(2, 2, 1, 3), 2, 6);
    }

    private static void assertGroupsJoined(Topology topology, int groups, int cables) {
        int[][] joined = new int[groups][groups];
        for (Cable cable : topology.cables()) {
            String one = topology.nodes().get(cable.node()).name();
            String other = topology.nodes().get(cable.otherNode()).name();
            if (one.startsWith("g") && other.startsWith("g")) {
                joined[one.charAt(1) - '0'][other.charAt(1) - '0']++;
            }
        }
        for (int i = 0; i < groups; i++) {
            for (int j = i + 1; j < groups; j++) {
                assertEquals(cables, joined[i][j] + joined[j][i], i + " and " + j);
            }
        }
    }

    @Test
    void anotherSeedGivesAnotherIrregularTopology() {
        assertNotEquals(Topologies.irregular(1, 9, 8, 12, 5), Topologies.irregular(2, 9, 8, 12, 5));
    }

    @Test
    void impossibleShapesAreRefused() {
        List<Supplier<Topology>> shapes = List.of(
                () -> Topologies.ring(1, 1),
                () -> Topologies.ring(3, 253),
                () -> Topologies.ring(100_000, 100),
                () -> Topologies.mesh(1),
                () -> Topologies.mesh(1, 0, 3),
                () -> Topologies.mesh(1, 100_000, 100_000),
                () -> Topologies.torus(-1, 3, 3),
                () -> Topologies.twoLevelFatTree(200, 200, 200, 2),
                () -> Topologies.twoLevelFatTree(0, 1, 1, 1),
                () -> Topologies.threeLevelFatTree(7),
                () -> Topologies.threeLevelFatTree(8, 3),
                () -> Topologies.threeLevelFatTree(8, 9),
                () -> Topologies.dragonfly(10, 4, 2, 2),
                () -> Topologies.dragonfly(2, 200, 100, 1),
                () -> Topologies.irregular(1, 4, 3, 7, 0),
                () -> Topologies.irregular(1, 2, 3, 0, 3),
                () -> Topologies.irregular(1, 3, 1, 0, 0));
        for (int i = 0; i < shapes.size(); i++) {
            assertThrows(TopologyException.class, shapes.get(i)::get, "shape " + i);
        }
    }
}
