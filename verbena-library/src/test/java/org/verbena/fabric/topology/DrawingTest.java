package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.fabric.topology.Drawing.CableStyle;
import org.verbena.manage.NodeKind;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

final class DrawingTest {
    private static Document parse(String svg) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new AssertionError(svg, e);
        }
    }

    private static List<Element> elements(Document document, String name) {
        NodeList found = document.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    private static List<String> texts(Document document, String kind) {
        return elements(document, "text").stream()
                .filter(text -> text.getAttribute("class").equals(kind))
                .map(Element::getTextContent)
                .toList();
    }

    private static Stream<Topology> topologies() {
        return Stream.of(
                Topologies.systemAreaNetwork(),
                Topologies.ring(6, 2),
                Topologies.ring(12, 1),
                Topologies.mesh(1, 4, 4),
                Topologies.torus(2, 4, 3),
                Topologies.torus(1, 3, 3, 3),
                Topologies.twoLevelFatTree(4, 2, 4, 2),
                Topologies.threeLevelFatTree(8),
                Topologies.dragonfly(5, 4, 1, 1),
                Topologies.irregular(3, 12, 8, 20, 8),
                Topology.builder().switchNode("alone", 8).switchNode("too", 8).build(),
                Topology.builder().build());
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void everyNodeAndCableIsDrawnOnce(Topology topology) {
        Document drawing = parse(Drawing.svg(topology));
        assertEquals(topology.nodes().stream().map(TopologyNode::name).toList(), texts(drawing, "name"));
        assertEquals(topology.cables().size(), elements(drawing, "path").size());
        assertEquals(2 * topology.cables().size(), texts(drawing, "port").size());
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void noTwoBoxesOverlapAndAllAreWithinThePicture(Topology topology) {
        Document drawing = parse(Drawing.svg(topology));
        List<double[]> boxes = elements(drawing, "rect").stream()
                .map(box -> Stream.of("x", "y", "width", "height")
                        .mapToDouble(name -> Double.parseDouble(box.getAttribute(name)))
                        .toArray())
                .toList();
        double[] view = Stream.of(
                        drawing.getDocumentElement().getAttribute("viewBox").split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
        for (int i = 0; i < boxes.size(); i++) {
            double[] one = boxes.get(i);
            assertTrue(one[0] >= view[0] && one[0] + one[2] <= view[0] + view[2]);
            assertTrue(one[1] >= view[1] && one[1] + one[3] <= view[1] + view[3]);
            for (int j = 0; j < i; j++) {
                assertFalse(overlap(one, boxes.get(j)), "boxes " + j + " and " + i);
            }
        }
    }

    private static boolean overlap(double[] one, double[] other) {
        return one[0] < other[0] + other[2]
                && other[0] < one[0] + one[2]
                && one[1] < other[1] + other[3]
                && other[1] < one[1] + one[3];
    }

    /** By name, the top of a node's box. */
    private static double top(Document drawing, Topology topology, String name) {
        return Double.parseDouble(
                elements(drawing, "rect").get(topology.indexOf(name)).getAttribute("y"));
    }

    @Test
    void aTreeHasItsLevels() {
        Topology tree = Topologies.threeLevelFatTree(4);
        Document drawing = parse(Drawing.svg(tree));
        double core = top(drawing, tree, "core0");
        double mid = top(drawing, tree, "p0-mid0");
        double leaf = top(drawing, tree, "p3-leaf1");
        assertTrue(core < mid && mid < leaf && leaf < top(drawing, tree, "h0-0-0"));
        assertEquals(core, top(drawing, tree, "core3"));
        assertEquals(mid, top(drawing, tree, "p2-mid1"));
    }

    @Test
    void switchesOfARingAreOnACircle() {
        Topology ring = Topologies.ring(8, 1);
        Document drawing = parse(Drawing.svg(ring));
        List<Element> boxes = elements(drawing, "rect");
        Set<Long> distances = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            Element box = boxes.get(ring.indexOf("sw" + i));
            double x = number(box, "x") + number(box, "width") / 2;
            double y = number(box, "y") + number(box, "height") / 2;
            distances.add(Math.round(Math.hypot(x, y)));
        }
        assertEquals(1, distances.size(), distances::toString);
    }

    @Test
    void switchesOfAMeshAreOnAGrid() {
        Topology mesh = Topologies.mesh(1, 4, 3);
        Document drawing = parse(Drawing.svg(mesh));
        List<Element> boxes = elements(drawing, "rect");
        Set<String> columns = new HashSet<>();
        Set<String> rows = new HashSet<>();
        for (int i = 0; i < mesh.nodes().size(); i++) {
            if (mesh.nodes().get(i).isSwitch()) {
                columns.add(boxes.get(i).getAttribute("x"));
                rows.add(boxes.get(i).getAttribute("y"));
            }
        }
        assertEquals(4, columns.size());
        assertEquals(3, rows.size());
    }

    private static double number(Element box, String name) {
        return Double.parseDouble(box.getAttribute(name));
    }

    @Test
    void cablesHaveTheColorAndLabelOfTheirStyle() {
        Topology ring = Topologies.ring(3, 1);
        Cable pulled = ring.cables().getFirst();
        String svg =
                Drawing.svg(ring, cable -> cable.equals(pulled) ? new CableStyle("#c00", "Down") : CableStyle.PLAIN);
        Document drawing = parse(svg);
        assertEquals(List.of("Down"), texts(drawing, "label"));
        assertEquals(
                1,
                elements(drawing, "path").stream()
                        .filter(path -> path.getAttribute("stroke").equals("#c00"))
                        .count());
        assertTrue(svg.contains("h0-0[1] – sw0[1], 4xEDR, 5.0 m"));
    }

    @Test
    void everyTextIsEscaped() {
        String odd = "<a href='x'>&amp;";
        TopologyNode node = new TopologyNode(
                NodeKind.SWITCH, odd, 2, 1, 1, 0, 0, "</title>\ufffe", false, "]]>", Map.of(), Map.of(), Map.of());
        Topology topology = Topology.builder().add(node).cable(odd, odd).build();
        String svg = Drawing.svg(topology, _ -> new CableStyle("\"><script>", "<b>&\"'"));
        Document drawing = parse(svg);
        assertEquals(List.of(odd), texts(drawing, "name"));
        assertEquals(List.of("]]>"), texts(drawing, "place"));
        assertEquals(List.of("<b>&\"'"), texts(drawing, "label"));
        assertEquals("\"><script>", elements(drawing, "path").getFirst().getAttribute("stroke"));
        assertFalse(svg.contains("<script>"));
    }
}
