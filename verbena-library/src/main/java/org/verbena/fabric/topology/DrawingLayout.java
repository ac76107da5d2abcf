package org.verbena.fabric.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The places of nodes in a drawing: a circle for a ring of switches, a grid for a mesh or torus whose switches are named by their coordinates, otherwise
 * levels by the distance from end nodes, with the end nodes at the bottom.
 */
final class DrawingLayout {
    private static final double GAP = 14;
    private static final double BOX_HEIGHT = 30;
    private static final double LETTER = 7;
    private static final double NARROW = 20;
    private static final double LEVEL_GAP_MIN = 110;
    /** A picture is at most this much wider than the gap between two of its levels. */
    private static final double GAPS_IN_WIDTH = 14;

    private static final double GRID_STEP_MIN = 120;
    /** Above this number, end nodes of a level are narrow boxes with text from bottom to top. */
    private static final int WIDE_MAX = 16;

    private static final int SWEEPS = 6;
    private static final Pattern COORDINATES = Pattern.compile(".*-(\\d{1,6})-(\\d{1,6})");

    /** By node: the center, the width and the height of its box. */
    final double[] x;

    final double[] y;
    final double[] width;
    final double[] height;
    final Shape shape;

    private final Topology topology;
    /** By node: the switches and end nodes that cables lead to, one entry for each cable. */
    private final List<List<Integer>> neighbors = new ArrayList<>();

    enum Shape {
        RING,
        GRID,
        LEVELS
    }

    private DrawingLayout(Topology topology) {
        this.topology = topology;
        int count = topology.nodes().size();
        this.x = new double[count];
        this.y = new double[count];
        this.width = new double[count];
        this.height = new double[count];
        for (int i = 0; i < count; i++) {
            neighbors.add(new ArrayList<>());
            TopologyNode node = topology.nodes().get(i);
            width[i] = Math.max(
                    44, LETTER * Math.max(node.name().length(), node.place().length()) + 14);
            height[i] = node.place().isEmpty() ? BOX_HEIGHT : BOX_HEIGHT + 10;
        }
        for (Cable cable : topology.cables()) {
            neighbors.get(cable.node()).add(cable.otherNode());
            neighbors.get(cable.otherNode()).add(cable.node());
        }
        if (placeRing()) {
            this.shape = Shape.RING;
        } else if (placeGrid()) {
            this.shape = Shape.GRID;
        } else {
            this.shape = Shape.LEVELS;
            placeLevels();
        }
    }

    static DrawingLayout of(Topology topology) {
        return new DrawingLayout(topology);
    }

    /** Whether the box is narrow and its text turned. */
    boolean isTurned(int node) {
        return width[node] == NARROW;
    }

    private boolean isSwitch(int node) {
        return topology.nodes().get(node).isSwitch();
    }

    private int[] switches() {
        return IntStream.range(0, x.length).filter(this::isSwitch).toArray();
    }

    private Set<Integer> switchesAt(int node) {
        Set<Integer> found = new HashSet<>();
        for (int other : neighbors.get(node)) {
            if (isSwitch(other)) {
                found.add(other);
            }
        }
        return found;
    }

    private boolean placeRing() {
        int[] switches = switches();
        if (switches.length < 3
                || Arrays.stream(switches).anyMatch(node -> switchesAt(node).size() != 2)) {
            return false;
        }
        List<Integer> order = new ArrayList<>(List.of(switches[0]));
        Set<Integer> seen = new HashSet<>(order);
        for (int i = 0; i < order.size(); i++) {
            switchesAt(order.get(i)).stream()
                    .sorted()
                    .filter(other -> !seen.contains(other))
                    .findFirst()
                    .ifPresent(other -> {
                        seen.add(other);
                        order.add(other);
                    });
        }
        if (order.size() != switches.length || !hostsHaveOneSwitch()) {
            return false;
        }
        double most = Arrays.stream(switches)
                .map(node -> endNodesAt(node).size())
                .max()
                .orElse(0);
        double step = Math.max(GRID_STEP_MIN, Math.max(1, most) * 70);
        double radius = Math.max(110, step * order.size() / (2 * Math.PI));
        for (int i = 0; i < order.size(); i++) {
            double angle = 2 * Math.PI * i / order.size() - Math.PI / 2;
            int node = order.get(i);
            put(node, radius * Math.cos(angle), radius * Math.sin(angle));
            List<Integer> hosts = endNodesAt(node);
            for (int h = 0; h < hosts.size(); h++) {
                double spread = 2 * Math.PI / order.size() * (hosts.size() == 1 ? 0 : (h + 0.5) / hosts.size() - 0.5);
                put(hosts.get(h), (radius + 120) * Math.cos(angle + spread), (radius + 120) * Math.sin(angle + spread));
            }
        }
        return true;
    }

    private boolean hostsHaveOneSwitch() {
        for (int i = 0; i < x.length; i++) {
            if (!isSwitch(i) && (switchesAt(i).size() != 1 || neighbors.get(i).size() != 1)) {
                return false;
            }
        }
        return true;
    }

    private List<Integer> endNodesAt(int node) {
        return neighbors.get(node).stream()
                .filter(other -> !isSwitch(other))
                .distinct()
                .sorted()
                .toList();
    }

    private boolean placeGrid() {
        int[] switches = switches();
        int[] column = new int[x.length];
        int[] row = new int[x.length];
        Set<Long> cells = new HashSet<>();
        for (int node : switches) {
            Matcher at = COORDINATES.matcher(topology.nodes().get(node).name());
            if (!at.matches()) {
                return false;
            }
            column[node] = Integer.parseInt(at.group(1));
            row[node] = Integer.parseInt(at.group(2));
            cells.add((long) column[node] << 32 | row[node]);
        }
        if (switches.length < 4 || cells.size() != switches.length || !hostsHaveOneSwitch()) {
            return false;
        }
        for (int node : switches) {
            for (int other : switchesAt(node)) {
                if (column[node] != column[other] && row[node] != row[other]) {
                    return false;
                }
            }
        }
        int most = Arrays.stream(switches)
                .map(node -> endNodesAt(node).size())
                .max()
                .orElse(0);
        double widest = Arrays.stream(width).max().orElse(0);
        double step = Math.max(GRID_STEP_MIN, widest * 2 + 3 * GAP);
        double stepDown = Math.max(GRID_STEP_MIN, (BOX_HEIGHT + GAP) * (most + 1) + 40);
        for (int node : switches) {
            put(node, column[node] * step, row[node] * stepDown);
            List<Integer> hosts = endNodesAt(node);
            for (int h = 0; h < hosts.size(); h++) {
                int host = hosts.get(h);
                put(host, x[node] + width[node] / 2 + 6 + width[host] / 2, y[node] + (BOX_HEIGHT + GAP) * (h + 1) + 6);
            }
        }
        return true;
    }

    private void placeLevels() {
        int[] level = distances();
        int top = Arrays.stream(level).max().orElse(0);
        List<List<Integer>> rows = new ArrayList<>();
        for (int i = 0; i <= top; i++) {
            rows.add(new ArrayList<>());
        }
        for (int i = 0; i < level.length; i++) {
            rows.get(level[i]).add(i);
        }
        if (rows.getFirst().size() > WIDE_MAX) {
            for (int node : rows.getFirst()) {
                height[node] = width[node];
                width[node] = NARROW;
            }
        }
        double total = rows.stream().mapToDouble(this::length).max().orElse(0);
        rows.forEach(row -> spread(row, total));
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 0; i < rows.size(); i++) {
                List<Integer> row = rows.get(sweep % 2 == 0 ? rows.size() - 1 - i : i);
                double[] center = new double[x.length];
                row.forEach(node -> center[node] = neighbors.get(node).stream()
                        .mapToDouble(other -> x[other])
                        .average()
                        .orElse(x[node]));
                row.sort(Comparator.comparingDouble(node -> center[node]));
                spread(row, total);
            }
        }
        double gap = Math.max(LEVEL_GAP_MIN, total / GAPS_IN_WIDTH);
        double at = 0;
        for (List<Integer> row : rows) {
            double tallest =
                    row.stream().mapToDouble(node -> height[node]).max().orElse(BOX_HEIGHT);
            double middle = at - tallest / 2;
            row.forEach(node -> y[node] = middle);
            at -= tallest + gap;
        }
    }

    private double length(List<Integer> row) {
        return row.stream().mapToDouble(node -> width[node] + GAP).sum();
    }

    /** Places the nodes of a row in their order over the whole width, each in the middle of its share. */
    private void spread(List<Integer> row, double total) {
        double room = (total - length(row)) / row.size();
        double at = 0;
        for (int node : row) {
            double share = width[node] + GAP + room;
            x[node] = at + share / 2;
            at += share;
        }
    }

    /** By node: cables to the nearest end node; 0 for end nodes, 1 for switches that reach none. */
    private int[] distances() {
        int[] distance = new int[x.length];
        Arrays.fill(distance, -1);
        ArrayDeque<Integer> next = new ArrayDeque<>();
        for (int i = 0; i < x.length; i++) {
            if (!isSwitch(i)) {
                distance[i] = 0;
                next.add(i);
            }
        }
        while (!next.isEmpty()) {
            int node = next.remove();
            for (int other : neighbors.get(node)) {
                if (distance[other] < 0) {
                    distance[other] = distance[node] + 1;
                    next.add(other);
                }
            }
        }
        return Arrays.stream(distance).map(found -> found < 0 ? 1 : found).toArray();
    }

    private void put(int node, double atX, double atY) {
        x[node] = atX;
        y[node] = atY;
    }
}
