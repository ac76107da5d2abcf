package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

final class TopologyBuilderTest {
    @Test
    void aNetIsBuiltNodeByNodeAndCableByCable() {
        Topology net = Topology.builder()
                .adapter("h", 2)
                .switchNode("s", 4)
                .router("r", 2)
                .rate(LinkWidth.X1, LinkSpeed.SDR)
                .lengthCm(100)
                .cable("h", 2, "s", 3)
                .rate(LinkWidth.X4, LinkSpeed.HDR)
                .lengthCm(300)
                .cable("r", "s")
                .build();
        assertEquals(
                List.of(NodeKind.ADAPTER, NodeKind.SWITCH, NodeKind.ROUTER),
                net.nodes().stream().map(TopologyNode::kind).toList());
        assertEquals(List.of(new Cable(0, 2, 1, 3, 100), new Cable(1, 1, 2, 1, 300)), net.cables());
        assertEquals(LinkWidth.X1, net.widthOf(net.cables().get(0)));
        assertEquals(LinkSpeed.HDR, net.speedOf(net.cables().get(1)));
        assertEquals(PortRates.DEFAULT, net.node("s").ratesOf(4));
    }

    @Test
    void aHostHasSeveralAdaptersAtOnePlace() {
        Topology net = Topology.builder().host("host", 2, 3).adapter("other", 1).build();
        assertEquals(
                List.of("host-1", "host-2", "other"),
                net.nodes().stream().map(TopologyNode::name).toList());
        assertEquals(
                List.of("host", "host", ""),
                net.nodes().stream().map(TopologyNode::place).toList());
        assertEquals(3, net.node("host-2").ports());
        assertEquals(net.node("host-1").guid(), net.node("host-2").systemImageGuid());
        assertEquals(net.node("other").guid(), net.node("other").systemImageGuid());
    }

    @Test
    void aChassisHasModulesBehindItsSwitch() {
        Topology net = Topology.builder().chassis("io", 2, "disk", "video").build();
        TopologyNode inner = net.node("io-switch");
        assertEquals(4, inner.ports());
        assertEquals("io", net.node("io-video").place());
        int at = net.indexOf("io-switch");
        assertTrue(net.cableAt(at, 2).isEmpty());
        assertEquals(net.indexOf("io-disk"), net.cableAt(at, 3).orElseThrow().otherNode());
        assertEquals(net.indexOf("io-video"), net.cableAt(at, 4).orElseThrow().otherNode());
    }

    @Test
    void guidsOfAdaptersWithManyPortsDoNotMeet() {
        TopologyBuilder builder = Topology.builder();
        for (int i = 0; i < 20; i++) {
            builder.adapter("a" + i, 1 + i * 13).router("r" + i, 254).switchNode("s" + i, 254);
        }
        assertEquals(60, builder.build().nodes().size());
    }

    @Test
    void mistakesAreRefusedAtTheCall() {
        TopologyBuilder builder =
                Topology.builder().adapter("a", 1).adapter("b", 1).cable("a", 1, "b", 1);
        assertThrows(TopologyException.class, () -> builder.adapter("a", 1));
        assertThrows(TopologyException.class, () -> builder.adapter("c", 0));
        assertThrows(TopologyException.class, () -> builder.cable("a", "x"));
        assertThrows(TopologyException.class, () -> builder.cable("a", "b"));
        assertThrows(TopologyException.class, () -> builder.cable("a", 1, "b", 1));
        assertThrows(TopologyException.class, () -> builder.cable("a", 2, "b", 1));
        assertThrows(TopologyException.class, () -> builder.lengthCm(-1));
    }
}
