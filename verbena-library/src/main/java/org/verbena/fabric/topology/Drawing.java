package org.verbena.fabric.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.verbena.fabric.topology.DrawingLayout.Shape;

/**
 * Draws a topology as SVG: boxes for nodes, lines for cables with the port numbers at their ends. A ring of switches is a circle, a mesh or torus whose switches
 * have their coordinates at the end of their names a grid, everything else has levels with the end nodes at the bottom. Readable up to some hundred nodes.
 */
public final class Drawing {
    /**
     * How a cable is drawn.
     *
     * @param color any color of SVG, such as {@code #c00} or {@code green}
     * @param label text at the middle of the cable; empty for none
     */
    public record CableStyle(String color, String label) {
        /** Dark gray, without a label. */
        public static final CableStyle PLAIN = new CableStyle("#555", "");
    }

    private static final double MARGIN = 30;
    private static final double LIFT_MAX = 160;
    private static final double PORT_DISTANCE = 9;
    private static final String STYLE =
            ".port { font-size: 8px; fill: #666 } .place { font-size: 9px; fill: #555 } .label { font-size: 9px } .node { stroke: #333 } .cable { fill: none; stroke-width: 1.3 }";

    private enum Side {
        TOP,
        BOTTOM,
        LEFT,
        RIGHT
    }

    /** An end of a cable at a side of a box. */
    private record Anchor(Cable cable, boolean first, Side side, double sortBy) {}

    private record Point(double x, double y) {}

    private final Topology topology;
    private final Function<Cable, CableStyle> styles;
    private final DrawingLayout layout;
    private final Map<Cable, Point> firstEnds = new HashMap<>();
    private final Map<Cable, Point> secondEnds = new HashMap<>();
    private final StringBuilder lines = new StringBuilder();
    private final StringBuilder texts = new StringBuilder();
    private double left;
    private double right;
    private double top;
    private double bottom;

    private Drawing(Topology topology, Function<Cable, CableStyle> styles) {
        this.topology = topology;
        this.styles = styles;
        this.layout = DrawingLayout.of(topology);
    }

    /** A drawing of a topology. */
    public static String svg(Topology topology) {
        return svg(topology, _ -> CableStyle.PLAIN);
    }

    /**
     * A drawing of a topology.
     *
     * @param styles asked once for each of {@link Topology#cables}
     */
    public static String svg(Topology topology, Function<Cable, CableStyle> styles) {
        return new Drawing(topology, styles).svg();
    }

    private String svg() {
        anchorCables();
        topology.cables().forEach(this::drawCable);
        StringBuilder boxes = new StringBuilder();
        for (int i = 0; i < topology.nodes().size(); i++) {
            drawNode(boxes, i);
            include(layout.x[i] - layout.width[i] / 2, layout.y[i] - layout.height[i] / 2);
            include(layout.x[i] + layout.width[i] / 2, layout.y[i] + layout.height[i] / 2);
        }
        String width = number(right - left + 2 * MARGIN);
        String height = number(bottom - top + 2 * MARGIN);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height + "\" viewBox=\""
                + number(left - MARGIN) + " " + number(top - MARGIN) + " " + width + " " + height
                + "\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n<style>" + STYLE
                + "</style>\n"
                + lines + boxes + texts + "</svg>\n";
    }

    private void include(double x, double y) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
    }

    /** Ends of cables at one side of a box are spread over it, in the order of the nodes that they lead to. */
    private void anchorCables() {
        Map<Integer, List<Anchor>> anchors = new HashMap<>();
        for (Cable cable : topology.cables()) {
            addAnchor(anchors, cable, true);
            addAnchor(anchors, cable, false);
        }
        anchors.forEach((node, all) -> {
            for (Side side : Side.values()) {
                List<Anchor> here = all.stream()
                        .filter(anchor -> anchor.side == side)
                        .sorted(Comparator.comparingDouble(Anchor::sortBy)
                                .thenComparingInt(anchor -> anchor.cable.port()))
                        .toList();
                for (int i = 0; i < here.size(); i++) {
                    double share = (i + 1.0) / (here.size() + 1) - 0.5;
                    Anchor anchor = here.get(i);
                    (anchor.first ? firstEnds : secondEnds).put(anchor.cable, point(node, side, share));
                }
            }
        });
    }

    private void addAnchor(Map<Integer, List<Anchor>> anchors, Cable cable, boolean first) {
        int node = first ? cable.node() : cable.otherNode();
        int other = first ? cable.otherNode() : cable.node();
        Side side = side(node, other);
        // Of nodes below each other, the nearest is the rightmost.
        double sortBy =
                side == Side.TOP || side == Side.BOTTOM ? layout.x[other] - layout.y[other] / 1000 : layout.y[other];
        anchors.computeIfAbsent(node, _ -> new ArrayList<>()).add(new Anchor(cable, first, side, sortBy));
    }

    private boolean isSwitch(int node) {
        return topology.nodes().get(node).isSwitch();
    }

    private Side side(int node, int other) {
        double dx = layout.x[other] - layout.x[node];
        double dy = layout.y[other] - layout.y[node];
        if (isArc(node, other)) {
            return dx != 0 || dy == 0 ? Side.TOP : Side.LEFT;
        }
        if (layout.shape == Shape.GRID && isSwitch(node) != isSwitch(other)) {
            return isSwitch(node) ? Side.BOTTOM : Side.LEFT;
        }
        if (layout.shape == Shape.LEVELS || Math.abs(dy) * layout.width[node] >= Math.abs(dx) * layout.height[node]) {
            return dy > 0 ? Side.BOTTOM : Side.TOP;
        }
        return dx > 0 ? Side.RIGHT : Side.LEFT;
    }

    /** Whether a straight line would go through other boxes: within a level, or over several cells of a grid. */
    private boolean isArc(int node, int other) {
        double dx = Math.abs(layout.x[other] - layout.x[node]);
        double dy = Math.abs(layout.y[other] - layout.y[node]);
        if (layout.shape == Shape.LEVELS) {
            return dy < 1;
        }
        return (dx < 1 || dy < 1) && passesABox(node, other);
    }

    private boolean passesABox(int node, int other) {
        for (int i = 0; i < layout.x.length; i++) {
            if (i != node
                    && i != other
                    && isBetween(layout.x[i], layout.x[node], layout.x[other])
                    && isBetween(layout.y[i], layout.y[node], layout.y[other])) {
                return true;
            }
        }
        return node == other;
    }

    private static boolean isBetween(double value, double one, double other) {
        return value >= Math.min(one, other) - 1 && value <= Math.max(one, other) + 1;
    }

    private Point point(int node, Side side, double share) {
        double x = layout.x[node];
        double y = layout.y[node];
        double width = layout.width[node];
        double height = layout.height[node];
        return switch (side) {
            case TOP -> new Point(x + share * width, y - height / 2);
            case BOTTOM -> new Point(x + share * width, y + height / 2);
            case LEFT -> new Point(x - width / 2, y + share * height);
            case RIGHT -> new Point(x + width / 2, y + share * height);
        };
    }

    private void drawCable(Cable cable) {
        Point from = end(firstEnds, cable);
        Point to = end(secondEnds, cable);
        Point bend = bend(cable, from, to);
        CableStyle style = styles.apply(cable);
        lines.append("<path class=\"cable\" stroke=\"")
                .append(escape(style.color()))
                .append("\" d=\"M ");
        append(lines, from).append(" Q ");
        append(lines, bend).append(' ');
        append(lines, to).append("\"><title>").append(escape(title(cable))).append("</title></path>\n");
        drawPort(from, bend, cable.port());
        drawPort(to, bend, cable.otherPort());
        Point middle = new Point((from.x + 2 * bend.x + to.x) / 4, (from.y + 2 * bend.y + to.y) / 4);
        include(middle.x, middle.y);
        if (!style.label().isEmpty()) {
            text(texts, "label", middle, style.label(), " fill=\"" + escape(style.color()) + "\"");
        }
    }

    private static Point end(Map<Cable, Point> ends, Cable cable) {
        Point point = ends.get(cable);
        if (point == null) {
            throw new IllegalStateException(cable.toString());
        }
        return point;
    }

    /** The point that a cable bends to; the middle if it is straight. */
    private Point bend(Cable cable, Point from, Point to) {
        double x = (from.x + to.x) / 2;
        double y = (from.y + to.y) / 2;
        if (!isArc(cable.node(), cable.otherNode())) {
            return new Point(x, y);
        }
        double lift = 30 + Math.min(LIFT_MAX, Math.hypot(to.x - from.x, to.y - from.y) / 6);
        return side(cable.node(), cable.otherNode()) == Side.TOP ? new Point(x, y - lift) : new Point(x - lift, y);
    }

    private void drawPort(Point end, Point towards, int port) {
        double length = Math.max(1, Math.hypot(towards.x - end.x, towards.y - end.y));
        double reach = Math.min(PORT_DISTANCE, length / 2);
        Point at = new Point(
                end.x + (towards.x - end.x) / length * reach + 3, end.y + (towards.y - end.y) / length * reach + 3);
        text(texts, "port", at, Integer.toString(port), "");
    }

    private String title(Cable cable) {
        return topology.nodes().get(cable.node()).name() + "[" + cable.port() + "] – "
                + topology.nodes().get(cable.otherNode()).name() + "[" + cable.otherPort() + "], "
                + topology.widthOf(cable) + topology.speedOf(cable) + ", " + cable.lengthCm() / 100.0 + " m";
    }

    private void drawNode(StringBuilder out, int index) {
        TopologyNode node = topology.nodes().get(index);
        double x = layout.x[index];
        double y = layout.y[index];
        double width = layout.width[index];
        double height = layout.height[index];
        String fill = switch (node.kind()) {
            case SWITCH -> "#cfe2f3";
            case ADAPTER -> "#fff2cc";
            case ROUTER -> "#d9ead3";
        };
        out.append("<g><rect class=\"node\" x=\"").append(number(x - width / 2));
        out.append("\" y=\"")
                .append(number(y - height / 2))
                .append("\" width=\"")
                .append(number(width));
        out.append("\" height=\"").append(number(height)).append("\" rx=\"").append(node.isSwitch() ? 2 : 8);
        out.append("\" fill=\"").append(fill).append("\"><title>").append(escape(node.description()));
        out.append(", GUID ").append(Topology.hex(node.guid())).append("</title></rect>\n");
        boolean turned = layout.isTurned(index);
        String turn = turned ? " transform=\"rotate(-90 " + number(x) + " " + number(y) + ")\"" : "";
        boolean placed = !node.place().isEmpty() && !turned;
        text(out, "name", new Point(x, y + (placed ? 0 : 4)), node.name(), turn);
        if (placed) {
            text(out, "place", new Point(x, y + 14), node.place(), "");
        }
        out.append("</g>\n");
    }

    private static void text(StringBuilder out, String kind, Point at, String text, String attributes) {
        out.append("<text class=\"").append(kind).append("\" x=\"").append(number(at.x));
        out.append("\" y=\"")
                .append(number(at.y))
                .append('"')
                .append(attributes)
                .append('>');
        out.append(escape(text)).append("</text>\n");
    }

    private static StringBuilder append(StringBuilder out, Point point) {
        return out.append(number(point.x)).append(' ').append(number(point.y));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(sign -> {
            switch (sign) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isXml(sign) ? sign : '\ufffd');
            }
        });
        return out.toString();
    }

    private static boolean isXml(int sign) {
        return sign >= 0x20 && (sign < 0xd800 || sign > 0xdfff) && sign != 0xfffe && sign != 0xffff;
    }
}
