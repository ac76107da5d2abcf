package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

/** Net files of this package and of the real ibsim. */
final class IbsimNetTest {
    private static final Path EXAMPLES = Path.of("/usr/share/doc/ibsim-utils/net-examples");

    private static Stream<Topology> topologies() {
        TopologyNode odd = new TopologyNode(
                NodeKind.ADAPTER,
                "odd",
                2,
                0x50,
                0x50,
                0x2c9,
                7,
                "odd",
                false,
                "somewhere",
                Map.of(),
                Map.of(1, PortRates.enabled(11, 5, 0, false)),
                Map.of());
        TopologyNode same = new TopologyNode(
                NodeKind.SWITCH,
                "same",
                2,
                0x60,
                0x60,
                0,
                7,
                "same",
                false,
                "",
                Map.of(),
                Map.of(1, PortRates.enabled(11, 5, 0, false)),
                Map.of());
        return Stream.of(
                Topologies.systemAreaNetwork(),
                Topologies.ring(5, 3),
                Topologies.torus(1, 3, 3, 3),
                Topologies.threeLevelFatTree(4),
                Topologies.dragonfly(5, 4, 1, 1),
                Topologies.irregular(5, 9, 12, 20, 6),
                Topologies.twoSwitches(2, 2, LinkWidth.X12, LinkSpeed.DDR),
                Topologies.twoSwitches(2, 2, LinkWidth.X2, LinkSpeed.HDR),
                new Topology(List.of(odd, same), List.of(new Cable(0, 1, 1, 1, 777))),
                GoldenNet.parse("width=8\nspeed=3\nSwitch 3 \"s\"\n[1] \"t\"[1]\n\nCa 2 \"t\"\n[1] \"s\"[1]\n"));
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void ibsimHasTheSameFabricFromAWrittenFile(Topology topology, @TempDir Path folder)
            throws IOException, InterruptedException {
        assumeTrue(IbsimProcess.isInstalled(), "ibsim and infiniband-diags are not installed");
        String first = topology.cables().stream()
                .map(cable -> topology.nodes().get(cable.node()))
                .filter(node -> node.kind() == NodeKind.ADAPTER)
                .findFirst()
                .orElseGet(() -> topology.nodes().getFirst())
                .name();
        try (IbsimProcess ibsim = IbsimProcess.start(folder, NetFile.write(topology))) {
            Topology found = GoldenNet.parse(ibsim.run(first, List.of("ibnetdiscover")));
            assertEquals(topology.nodes().size(), found.nodes().size());
            for (TopologyNode node : found.nodes()) {
                assertSame(topology, topology.node(node.description()), found, node);
            }
        }
    }

    private static void assertSame(Topology topology, TopologyNode node, Topology found, TopologyNode same) {
        assertEquals(
                List.of(
                        node.kind(),
                        node.guid(),
                        node.systemImageGuid(),
                        node.vendorId(),
                        node.deviceId(),
                        node.ports()),
                List.of(
                        same.kind(),
                        same.guid(),
                        same.systemImageGuid(),
                        same.vendorId(),
                        same.deviceId(),
                        same.ports()));
        assertEquals(node.enhancedPort0(), same.enhancedPort0());
        for (int port = 1; port <= node.ports(); port++) {
            assertEquals(cable(topology, node, port), cable(found, same, port));
        }
    }

    private static String cable(Topology topology, TopologyNode node, int port) {
        return topology.cableAt(topology.indexOf(node.name()), port)
                .map(cable -> {
                    TopologyNode other = topology.nodes().get(cable.otherNode());
                    boolean rated = node.kind() != NodeKind.ROUTER && other.kind() != NodeKind.ROUTER;
                    // ibsim reads no rates at routers.
                    return other.description()
                            + cable.otherPort()
                            + (rated ? topology.widthOf(cable) + "" + topology.speedOf(cable) : "");
                })
                .orElse("");
    }

    @Test
    void theExamplesOfIbsimAreRead() throws IOException {
        assumeTrue(Files.isDirectory(EXAMPLES), "the examples of ibsim are not installed");
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            List<Path> nets = files.filter(file -> file.getFileName().toString().matches("net.*"))
                    .sorted()
                    .toList();
            assertTrue(nets.size() >= 5, nets::toString);
            for (Path net : nets) {
                Topology topology = NetFile.read(net).topology();
                assertTrue(topology.cables().size() >= 2, net::toString);
                assertEquals(topology, GoldenNet.parse(NetFile.write(topology)));
            }
        }
    }

    @Test
    void anExampleOfIbsimIsTheSameFabricThere(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isDirectory(EXAMPLES), "the examples of ibsim are not installed");
        assumeTrue(IbsimProcess.isInstalled(), "ibsim and infiniband-diags are not installed");
        Path net = EXAMPLES.resolve("net.2sw2path4hca2port");
        Topology topology = NetFile.read(net).topology();
        try (IbsimProcess ibsim = IbsimProcess.start(folder, Files.readString(net))) {
            Topology found = GoldenNet.parse(ibsim.run("Hca1", List.of("ibnetdiscover")));
            assertEquals(topology.nodes().size(), found.nodes().size());
            for (TopologyNode node : found.nodes()) {
                assertSame(topology, topology.node(node.description()), found, node);
            }
        }
    }
}
