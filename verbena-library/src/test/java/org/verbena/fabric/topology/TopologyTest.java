package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

final class TopologyTest {
    private static final TopologyNode SWITCH = node(NodeKind.SWITCH, "sw", 4, 0x100);
    private static final TopologyNode LEFT = node(NodeKind.ADAPTER, "left", 2, 0x200);
    private static final TopologyNode RIGHT = node(NodeKind.ADAPTER, "right", 2, 0x300);

    private static TopologyNode node(NodeKind kind, String name, int ports, long guid) {
        return new TopologyNode(kind, name, ports, guid, guid, 0, 0, "", false, "", Map.of(), Map.of(), Map.of());
    }

    private static TopologyNode withRates(TopologyNode node, Map<Integer, PortRates> rates) {
        return new TopologyNode(
                node.kind(),
                node.name(),
                node.ports(),
                node.guid(),
                node.guid(),
                0,
                0,
                "",
                false,
                "",
                Map.of(),
                rates,
                Map.of());
    }

    private static Cable cable(int node, int port, int other, int otherPort) {
        return new Cable(node, port, other, otherPort, Cable.USUAL_CM);
    }

    private static void assertRefused(String message, List<TopologyNode> nodes, Cable... cables) {
        TopologyException e = assertThrows(TopologyException.class, () -> new Topology(nodes, List.of(cables)));
        assertTrue(String.valueOf(e.getMessage()).contains(message), e::getMessage);
    }

    @Test
    void cablesAreSortedByTheirLowerEnd() {
        List<TopologyNode> nodes = List.of(SWITCH, LEFT, RIGHT);
        Topology topology = new Topology(nodes, List.of(cable(2, 1, 0, 3), cable(1, 2, 0, 1)));
        assertEquals(List.of(cable(0, 1, 1, 2), cable(0, 3, 2, 1)), topology.cables());
        assertEquals(topology, new Topology(nodes, List.of(cable(0, 1, 1, 2), cable(0, 3, 2, 1))));
        assertEquals(
                topology.hashCode(), new Topology(nodes, List.of(cable(0, 3, 2, 1), cable(0, 1, 1, 2))).hashCode());
        assertNotEquals(topology, new Topology(nodes, List.of(cable(0, 1, 1, 2))));
    }

    @Test
    void aCableIsFoundAtBothOfItsPorts() {
        Topology topology = new Topology(List.of(SWITCH, LEFT), List.of(cable(0, 3, 1, 2)));
        assertEquals(Optional.of(cable(0, 3, 1, 2)), topology.cableAt(0, 3));
        assertEquals(Optional.of(cable(1, 2, 0, 3)), topology.cableAt(1, 2));
        assertEquals(Optional.empty(), topology.cableAt(1, 1));
        assertEquals(Optional.empty(), topology.cableAt(0, 4));
    }

    @Test
    void nodesAreFoundByName() {
        Topology topology = new Topology(List.of(SWITCH, LEFT), List.of());
        assertEquals(1, topology.indexOf("left"));
        assertEquals(LEFT, topology.node("left"));
        assertThrows(TopologyException.class, () -> topology.indexOf("right"));
    }

    @Test
    void aCableHasTheBestRateOfBothPorts() {
        PortRates edr = PortRates.of(LinkWidth.X12, LinkSpeed.EDR);
        PortRates fdr = PortRates.of(LinkWidth.X4, LinkSpeed.FDR);
        Topology topology = new Topology(
                List.of(withRates(SWITCH, Map.of(1, edr)), withRates(LEFT, Map.of(1, fdr))),
                List.of(cable(0, 1, 1, 1)));
        assertEquals(LinkWidth.X4, topology.widthOf(topology.cables().getFirst()));
        assertEquals(LinkSpeed.FDR, topology.speedOf(topology.cables().getFirst()));
    }

    @Test
    void namesAreUnique() {
        assertRefused("\"left\"", List.of(LEFT, node(NodeKind.SWITCH, "left", 4, 0x500)));
    }

    @Test
    void aNodeGuidOfTwoNodesIsRefusedWithBothNames() {
        assertRefused("0x200 of both \"left\" and \"other\"", List.of(LEFT, node(NodeKind.SWITCH, "other", 4, 0x200)));
    }

    @Test
    void aPortGuidOfTwoPortsIsRefusedWithBothPorts() {
        assertRefused(
                "0x202 of both \"left\"[2] and \"other\"[1]", List.of(LEFT, node(NodeKind.ADAPTER, "other", 4, 0x201)));
        TopologyNode same = new TopologyNode(
                NodeKind.ADAPTER, "same", 2, 0x600, 0x600, 0, 0, "", false, "", Map.of(2, 0x601L), Map.of(), Map.of());
        assertRefused("0x601 of both \"same\"[1] and \"same\"[2]", List.of(same));
    }

    @Test
    void bothEndsOfACableAreInRange() {
        assertRefused("node 2", List.of(SWITCH, LEFT), cable(0, 1, 2, 1));
        assertRefused("node -1", List.of(SWITCH, LEFT), cable(-1, 1, 0, 1));
        assertRefused("\"left\"[3]", List.of(SWITCH, LEFT), cable(0, 1, 1, 3));
        assertRefused("\"sw\"[0]", List.of(SWITCH, LEFT), cable(0, 0, 1, 1));
    }

    @Test
    void aPortHasOneCable() {
        assertRefused("two cables at \"sw\"[1]", List.of(SWITCH, LEFT), cable(0, 1, 1, 1), cable(1, 2, 0, 1));
    }

    @Test
    void aCableHasTwoPorts() {
        assertRefused("from \"sw\"[1] to \"sw\"[1]", List.of(SWITCH), cable(0, 1, 0, 1));
        assertEquals(
                1,
                new Topology(List.of(SWITCH), List.of(cable(0, 2, 0, 1)))
                        .cables()
                        .size());
    }

    @Test
    void thePortsOfACableHaveACommonWidthAndSpeed() {
        PortRates narrow = PortRates.of(LinkWidth.X1, LinkSpeed.SDR);
        PortRates quick = PortRates.enabled(LinkWidth.X4.bit(), LinkSpeed.QDR.bit(), 0, false);
        assertRefused("no common", List.of(withRates(SWITCH, Map.of(1, narrow)), LEFT), cable(0, 1, 1, 1));
        assertRefused("no common", List.of(withRates(SWITCH, Map.of(1, quick)), LEFT), cable(0, 1, 1, 1));
    }

    @Test
    void nodesWithImpossibleValuesAreRefused() {
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "sw", 0, 1));
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "sw", 255, 1));
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "sw", 8, 0));
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "", 8, 1));
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "a\"b", 8, 1));
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "a\nb", 8, 1));
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "a@b", 8, 1));
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "a#b#c", 8, 1));
        assertThrows(TopologyException.class, () -> node(NodeKind.SWITCH, "n".repeat(65), 8, 1));
        assertThrows(
                TopologyException.class, () -> withRates(SWITCH, Map.of(5, PortRates.of(LinkWidth.X1, LinkSpeed.SDR))));
        assertThrows(TopologyException.class, () -> new Cable(0, 1, 1, 1, -1));
        assertThrows(TopologyException.class, () -> new Cable(0, 1, 1, 1, Cable.MAX_CM + 1));
        assertThrows(TopologyException.class, () -> new PortLids(0x1_0000, 0));
        assertThrows(TopologyException.class, () -> new PortLids(1, 8));
    }

    @Test
    void entriesThatSayWhatHoldsAnywayAreLeftOut() {
        TopologyNode node = new TopologyNode(
                NodeKind.ADAPTER,
                "a",
                2,
                0x10,
                0x10,
                0,
                0,
                "",
                false,
                "",
                Map.of(1, 0x11L, 2, 0x99L),
                Map.of(1, PortRates.DEFAULT),
                Map.of(1, new PortLids(0, 0), 2, new PortLids(7, 1)));
        assertEquals(Map.of(2, 0x99L), node.portGuids());
        assertEquals(Map.of(), node.rates());
        assertEquals(Map.of(2, new PortLids(7, 1)), node.lids());
        assertEquals("a", node.description());
        assertEquals(0x11, node.portGuid(1));
        assertEquals(0x99, node.portGuid(2));
    }

    @Test
    void allPortsOfASwitchHaveItsGuid() {
        assertEquals(0x100, SWITCH.portGuid(0));
        assertEquals(0x100, SWITCH.portGuid(3));
    }
}
