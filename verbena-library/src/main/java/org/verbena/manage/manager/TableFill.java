package org.verbena.manage.manager;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.verbena.manage.manager.SubnetGraph.EndPort;

/**
 * Fills the forwarding table of one switch after the other: of the ports that lead to a target, the one with the fewest routes to end nodes, then the
 * lowest. OpenSM takes the targets in the same order: switches by falling number of end nodes, their end nodes by port, then the switches themselves.
 */
final class TableFill {
    /** Which ports of a switch lead to another switch. */
    interface Ways {
        boolean leads(int targetSwitch, int port);
    }

    private final SubnetGraph graph;
    private final EndPort[] order;
    private final int passes;
    private final int entries;

    TableFill(SubnetGraph graph) {
        this.graph = graph;
        this.order = order(graph);
        this.passes = 1 << graph.ends().stream().mapToInt(EndPort::lmc).max().orElse(0);
        this.entries = (graph.topLid() / Routes.BLOCK + 1) * Routes.BLOCK;
    }

    private static EndPort[] order(SubnetGraph graph) {
        List<List<EndPort>> atSwitch = new ArrayList<>();
        for (int index = 0; index < graph.switchCount(); index++) {
            atSwitch.add(new ArrayList<>());
        }
        List<EndPort> order = new ArrayList<>();
        List<EndPort> switches = new ArrayList<>();
        for (EndPort end : graph.ends()) {
            if (end.isSwitch()) {
                switches.add(end);
            } else if (end.switchIndex() != SubnetGraph.NONE) {
                atSwitch.get(end.switchIndex()).add(end);
            }
        }
        atSwitch.forEach(ends -> ends.sort(Comparator.comparingInt(EndPort::switchPort)));
        atSwitch.sort(Comparator.comparingInt(ends -> -ends.size()));
        atSwitch.forEach(order::addAll);
        order.addAll(switches);
        return order.toArray(EndPort[]::new);
    }

    /** The table of a switch, whole blocks. */
    byte[] table(int index, Ways ways) {
        byte[] table = new byte[entries];
        Arrays.fill(table, (byte) Routes.NO_PORT);
        int[] load = new int[graph.portCount(index) + 1];
        int[] candidates = new int[load.length];
        int count = 0;
        for (int pass = 0; pass < passes; pass++) {
            int target = SubnetGraph.NONE;
            for (EndPort end : order) {
                if (end.switchIndex() != target) {
                    target = end.switchIndex();
                    count = target == index ? 0 : candidates(target, ways, candidates);
                }
                if (pass < 1 << end.lmc()) {
                    fill(table, end, pass, target == index, candidates, count, load);
                }
            }
        }
        return table;
    }

    private static int candidates(int target, Ways ways, int[] candidates) {
        int count = 0;
        for (int port = 1; port < candidates.length; port++) {
            if (ways.leads(target, port)) {
                candidates[count++] = port;
            }
        }
        return count;
    }

    private static void fill(
            byte[] table, EndPort end, int pass, boolean here, int[] candidates, int count, int[] load) {
        int lid = end.lid() + pass;
        int port = Routes.NO_PORT;
        if (here) {
            port = end.switchPort();
        } else if (count > 0) {
            // The second and later identifiers of a port begin behind the port of the one before: other ways for other
            // identifiers.
            port = leastLoaded(candidates, count, load, pass == 0 ? 0 : table[lid - 1] & 0xff);
        }
        table[lid] = (byte) port;
        if (port != Routes.NO_PORT && !end.isSwitch()) {
            load[port]++;
        }
    }

    private static int leastLoaded(int[] candidates, int count, int[] load, int behind) {
        int first = 0;
        while (first < count && candidates[first] <= behind) {
            first++;
        }
        int best = candidates[first % count];
        for (int at = 1; at < count; at++) {
            int port = candidates[(first + at) % count];
            if (load[port] < load[best]) {
                best = port;
            }
        }
        return best;
    }
}
