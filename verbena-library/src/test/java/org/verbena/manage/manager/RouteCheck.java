package org.verbena.manage.manager;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.verbena.manage.manager.SubnetGraph.EndPort;

/** Follows every path between end nodes, with its own means: unreachable pairs, longer paths than needed, cycles of channels on a lane. */
record RouteCheck(int pairs, int unreachable, int notShortest, int longest, int lanes, boolean cycle) {
    /** Forwarding: the output port of a switch for a local identifier. */
    interface Tables {
        int port(int switchIndex, int lid);
    }

    /** The lane of packets between the end nodes of two switches. */
    interface Lanes {
        int lane(int fromSwitch, int toSwitch);
    }

    static RouteCheck of(SubnetGraph graph, Routes routes) {
        return of(graph, routes::port, routes::level);
    }

    static RouteCheck of(SubnetGraph graph, Tables tables, Lanes lanes) {
        int[][] distance = distances(graph);
        Map<String, Set<String>> waits = new HashMap<>();
        Set<Integer> lanesUsed = new HashSet<>();
        int pairs = 0;
        int unreachable = 0;
        int notShortest = 0;
        int longest = 0;
        for (EndPort from : graph.ends()) {
            for (EndPort to : graph.ends()) {
                if (from.isSwitch() || to.isSwitch() || from.equals(to)) {
                    continue;
                }
                for (int lid = to.lid(); lid <= to.lastLid(); lid++) {
                    pairs++;
                    int lane = lanes.lane(from.switchIndex(), to.switchIndex());
                    lanesUsed.add(lane);
                    int at = from.switchIndex();
                    String before = "end " + from.guid();
                    int hops = 1;
                    boolean arrived = false;
                    while (hops < 64) {
                        int port = tables.port(at, lid);
                        if (port == Routes.NO_PORT) {
                            break;
                        }
                        String channel = at + ":" + port + " lane " + lane;
                        waits.computeIfAbsent(before, key -> new HashSet<>()).add(channel);
                        before = channel;
                        int peer = graph.peerSwitch(at, port);
                        if (peer == SubnetGraph.NONE) {
                            arrived = at == to.switchIndex() && port == to.switchPort();
                            break;
                        }
                        at = peer;
                        hops++;
                    }
                    if (!arrived) {
                        unreachable++;
                        continue;
                    }
                    longest = Math.max(longest, hops);
                    if (hops - 1 > distance[from.switchIndex()][to.switchIndex()]) {
                        notShortest++;
                    }
                }
            }
        }
        return new RouteCheck(pairs, unreachable, notShortest, longest, lanesUsed.size(), hasCycle(waits));
    }

    static int[][] distances(SubnetGraph graph) {
        int[][] distances = new int[graph.switchCount()][graph.switchCount()];
        for (int source = 0; source < distances.length; source++) {
            int[] row = distances[source];
            Arrays.fill(row, Integer.MAX_VALUE);
            row[source] = 0;
            ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(source));
            while (!queue.isEmpty()) {
                int at = queue.remove();
                for (int port = 1; port <= graph.portCount(at); port++) {
                    int peer = graph.peerSwitch(at, port);
                    if (peer != SubnetGraph.NONE && row[peer] == Integer.MAX_VALUE) {
                        row[peer] = row[at] + 1;
                        queue.add(peer);
                    }
                }
            }
        }
        return distances;
    }

    private static boolean hasCycle(Map<String, Set<String>> waits) {
        Map<String, Boolean> open = new HashMap<>();
        for (String start : waits.keySet()) {
            if (open.containsKey(start)) {
                continue;
            }
            List<String> path = new ArrayList<>(List.of(start));
            List<Iterator<String>> rest =
                    new ArrayList<>(List.of(waits.get(start).iterator()));
            open.put(start, true);
            while (!path.isEmpty()) {
                Iterator<String> last = rest.getLast();
                if (!last.hasNext()) {
                    open.put(path.removeLast(), false);
                    rest.removeLast();
                    continue;
                }
                String then = last.next();
                if (Boolean.TRUE.equals(open.get(then))) {
                    return true;
                }
                if (!open.containsKey(then)) {
                    open.put(then, true);
                    path.add(then);
                    rest.add(waits.getOrDefault(then, Set.of()).iterator());
                }
            }
        }
        return false;
    }
}
