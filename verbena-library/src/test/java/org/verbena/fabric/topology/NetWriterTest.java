package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

final class NetWriterTest {
    private static void assertReadBack(Topology topology) {
        assertEquals(topology, GoldenNet.parse(NetFile.write(topology)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-switch", "ring6", "fattree2-16", "mesh4x4"})
    void aGoldenFileIsWrittenAgainWithoutItsComments(String name) {
        String golden = GoldenNet.text(name).lines().skip(3).collect(Collectors.joining("\n"));
        assertEquals(golden, NetFile.write(GoldenNet.topology(name)).strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-switch", "ring6", "fattree2-16", "mesh4x4"})
    void savedOutputOfIbnetdiscoverReadsBackEqual(String name) {
        assertReadBack(GoldenNet.parse(GoldenNet.discovered(name)));
    }

    @Test
    void everythingOfTheModelReadsBackEqual() {
        TopologyNode odd = new TopologyNode(
                NodeKind.ADAPTER,
                "odd",
                3,
                0xffff_ffff_ffff_ff00L,
                0x1,
                0xff_ffff,
                0xffff,
                "an odd one = 4",
                false,
                "host 1",
                Map.of(2, 0x55L),
                Map.of(1, PortRates.enabled(11, 5, 0, true), 2, PortRates.enabled(11, 7, 1, false)),
                Map.of(1, new PortLids(17, 2)));
        assertReadBack(Topology.builder()
                .rate(LinkWidth.X12, LinkSpeed.QDR)
                .switchNode("sw", 8)
                .router("r", 2)
                .lengthCm(12_345)
                .cable("sw", 3, "sw", 1)
                .rate(LinkWidth.X1, LinkSpeed.NDR)
                .cable("r", 2, "sw", 7)
                .build());
        TopologyNode low = new TopologyNode(
                NodeKind.SWITCH,
                "low",
                2,
                9,
                9,
                0,
                0,
                "",
                false,
                "",
                Map.of(),
                Map.of(1, PortRates.enabled(11, 5, 0, true), 2, PortRates.enabled(3, 7, 1, false)),
                Map.of(0, new PortLids(5, 0)));
        assertReadBack(new Topology(List.of(odd, low), List.of(new Cable(0, 1, 1, 1, 0), new Cable(1, 2, 0, 2, 9))));
    }

    @Test
    void ratesOfPortsWithoutACableReadBackEqual() {
        assertReadBack(GoldenNet.parse("""
                width=8
                speed=3
                extspeed=1
                Switch 3 "s"
                [1] "t"[1] # lid 0 4xSDR

                width=3
                Switch 3 "t"
                [1] "s"[1]

                width=2
                speed=1
                extspeed=0
                Ca 2 "h"

                """));
    }

    @Test
    void modulesReadBackEqual() {
        assertReadBack(GoldenNet.parse("""
                Ca 1 "alone"

                module="a"
                Switch 2 "s"
                [1] "b#s"[1]

                module="b"
                Switch 2 "s"
                [1] "a#s"[1]

                """));
    }

    @Test
    void whatTheFormatCannotExpressIsRefused() {
        PortRates fdr10 = PortRates.enabled(2, 1, 0, true);
        PortRates few = new PortRates(2, 2, 1, 1, 0, 0, false);
        assertRefused(Map.of(1, PortRates.of(LinkWidth.X8, LinkSpeed.SDR)), "a", "b");
        assertRefused(Map.of(1, fdr10, 2, fdr10), "a", "b");
        assertRefused(Map.of(1, few, 2, few), "a", "b");
        assertThrows(
                TopologyException.class,
                () -> NetFile.write(Topology.builder()
                        .adapter("m#a", 1)
                        .adapter("b", 1)
                        .cable("m#a", "b")
                        .build()));
    }

    private static void assertRefused(Map<Integer, PortRates> rates, String name, String other) {
        TopologyNode node =
                new TopologyNode(NodeKind.ADAPTER, name, 2, 1, 1, 0, 0, other, false, "", Map.of(), rates, Map.of());
        Topology topology = new Topology(List.of(node), List.of());
        assertThrows(TopologyException.class, () -> NetFile.write(topology));
    }
}
