package org.verbena.manage.manager;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.verbena.manage.manager.SubnetGraph.EndPort;

/**
 * Every cable between switches has an upper end. A path goes up any number of times and then down any number of times, so channels cannot wait for each
 * other in a cycle. The upper end is nearer to a root, then earlier in the order of GUIDs. A switch that has a way down to the target takes it; so a
 * packet that came down never goes up again.
 */
final class UpDownRouting implements RoutingEngine {
    private final long[] rootGuids;

    /** Chosen roots, or without a GUID automatic ones. */
    UpDownRouting(long... rootGuids) {
        this.rootGuids = rootGuids.clone();
    }

    @Override
    public String name() {
        return "updn";
    }

    @Override
    public Routes route(SubnetGraph graph) {
        if (graph.switchCount() == 0) {
            return new Routes(new byte[0][], null, 1);
        }
        if (rootGuids.length > 0) {
            return new Routes(tables(graph, distances(graph, rank(graph, givenRoots(graph)))), null, 1);
        }
        List<Integer> roots = centres(graph);
        Distances distances = distances(graph, rank(graph, roots));
        if (roots.size() > 1 && !connectsEndNodes(graph, distances)) {
            distances = distances(graph, rank(graph, roots.subList(0, 1)));
        }
        return new Routes(tables(graph, distances), null, 1);
    }

    private List<Integer> givenRoots(SubnetGraph graph) {
        List<Integer> roots = new ArrayList<>();
        for (long guid : rootGuids) {
            int found = SubnetGraph.NONE;
            for (int index = 0; index < graph.switchCount(); index++) {
                if (graph.switchGuid(index) == guid) {
                    found = index;
                }
            }
            if (found == SubnetGraph.NONE) {
                throw new RoutingException("root 0x%016x found, the GUID of a switch expected".formatted(guid));
            }
            roots.add(found);
        }
        return roots;
    }

    /** The switches with the shortest ways to all end nodes: the top switches of a tree. */
    private static List<Integer> centres(SubnetGraph graph) {
        HopCounts hops = HopCounts.of(graph);
        int[] endNodes = endNodes(graph);
        List<Integer> centres = new ArrayList<>();
        long best = Long.MAX_VALUE;
        for (int index = 0; index < endNodes.length; index++) {
            long sum = 0;
            for (int other = 0; other < endNodes.length; other++) {
                sum += (long) endNodes[other] * hops.between(index, other);
            }
            if (sum < best) {
                best = sum;
                centres.clear();
            }
            if (sum == best) {
                centres.add(index);
            }
        }
        return centres;
    }

    private static int[] endNodes(SubnetGraph graph) {
        int[] endNodes = new int[graph.switchCount()];
        for (EndPort end : graph.ends()) {
            if (end.switchIndex() != SubnetGraph.NONE && !end.isSwitch()) {
                endNodes[end.switchIndex()]++;
            }
        }
        return endNodes;
    }

    /** The place of each switch in the order from the top to the bottom. */
    private static int[] rank(SubnetGraph graph, List<Integer> roots) {
        int[] depth = new int[graph.switchCount()];
        Arrays.fill(depth, Integer.MAX_VALUE);
        ArrayDeque<Integer> queue = new ArrayDeque<>(roots);
        roots.forEach(root -> depth[root] = 0);
        while (!queue.isEmpty()) {
            int from = queue.remove();
            for (int peer : graph.peers(from)) {
                if (peer >= 0 && depth[peer] == Integer.MAX_VALUE) {
                    depth[peer] = depth[from] + 1;
                    queue.add(peer);
                }
            }
        }
        List<Integer> order = new ArrayList<>();
        for (int index = 0; index < depth.length; index++) {
            order.add(index);
        }
        order.sort(Comparator.comparingInt(index -> depth[index]));
        int[] places = new int[depth.length];
        for (int place = 0; place < places.length; place++) {
            places[order.get(place)] = place;
        }
        return places;
    }

    /** Distances by switch and target: of ways that only go down, and of ways of both parts. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Distances(int[] places, byte[][] down, byte[][] any) {}

    private static Distances distances(SubnetGraph graph, int[] places) {
        int count = places.length;
        int[] fromTop = new int[count];
        for (int index = 0; index < count; index++) {
            fromTop[places[index]] = index;
        }
        byte[][] down = new byte[count][count];
        byte[][] any = new byte[count][count];
        for (byte[] row : down) {
            Arrays.fill(row, (byte) HopCounts.NO_WAY);
        }
        for (int target = 0; target < count; target++) {
            down[target][target] = 0;
            // From the target upwards: every switch is done before those above it.
            for (int place = places[target]; place >= 0; place--) {
                int index = fromTop[place];
                if (index != target) {
                    down[index][target] = (byte) nearest(graph, places, index, target, down, false);
                }
            }
            for (int index : fromTop) {
                any[index][target] = (down[index][target] & 0xff) != HopCounts.NO_WAY
                        ? down[index][target]
                        : (byte) nearest(graph, places, index, target, any, true);
            }
        }
        return new Distances(places, down, any);
    }

    private static int nearest(SubnetGraph graph, int[] places, int index, int target, byte[][] distances, boolean up) {
        int best = HopCounts.NO_WAY;
        for (int peer : graph.peers(index)) {
            if (peer >= 0 && peer != index && places[peer] < places[index] == up) {
                int there = distances[peer][target] & 0xff;
                if (there < HopCounts.HOPS_MAX && there + 1 < best) {
                    best = there + 1;
                }
            }
        }
        return best;
    }

    private static boolean connectsEndNodes(SubnetGraph graph, Distances distances) {
        int[] endNodes = endNodes(graph);
        for (int from = 0; from < endNodes.length; from++) {
            for (int to = 0; to < endNodes.length; to++) {
                if (endNodes[from] > 0 && endNodes[to] > 0 && (distances.any[from][to] & 0xff) == HopCounts.NO_WAY) {
                    return false;
                }
            }
        }
        return true;
    }

    private static byte[][] tables(SubnetGraph graph, Distances distances) {
        TableFill fill = new TableFill(graph);
        byte[][] tables = new byte[graph.switchCount()][];
        int[] places = distances.places;
        for (int index = 0; index < tables.length; index++) {
            int from = index;
            int[] peers = graph.peers(index);
            byte[] down = distances.down[index];
            byte[] any = distances.any[index];
            tables[index] = fill.table(index, (target, port) -> {
                int peer = peers[port];
                if (peer < 0 || peer == from) {
                    return false;
                }
                boolean goesDown = (down[target] & 0xff) != HopCounts.NO_WAY;
                if (places[peer] > places[from] != goesDown || (any[target] & 0xff) == HopCounts.NO_WAY) {
                    return false;
                }
                byte[][] there = goesDown ? distances.down : distances.any;
                return (there[peer][target] & 0xff) + 1 == (goesDown ? down[target] : any[target]);
            });
        }
        return tables;
    }
}
