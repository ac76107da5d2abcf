package org.verbena.manage.manager;

/**
 * Shortest paths of which the way back is the way there: each cable has a small weight of its own, so that the path between two switches with the
 * least weight is the same in both directions.
 */
final class ReversiblePaths {
    private static final int WEIGHT_BITS = 40;

    private final SubnetGraph graph;
    private final HopCounts hops;
    /** By switch and target: the next switch. */
    private final short[][] next;

    ReversiblePaths(SubnetGraph graph) {
        this.graph = graph;
        this.hops = HopCounts.of(graph);
        this.next = new short[graph.switchCount()][graph.switchCount()];
        int[] byDistance = new int[graph.switchCount()];
        long[] costs = new long[graph.switchCount()];
        for (int target = 0; target < next.length; target++) {
            int count = sort(hops.row(target), byDistance);
            costs[target] = 0;
            for (int at = 1; at < count; at++) {
                costs[byDistance[at]] = cheapest(byDistance[at], target, costs);
            }
        }
    }

    /** The switches that have a way, by their distance. */
    private static int sort(byte[] distances, int[] sorted) {
        int[] starts = new int[HopCounts.HOPS_MAX + 2];
        int count = 0;
        for (byte distance : distances) {
            if ((distance & 0xff) != HopCounts.NO_WAY) {
                starts[distance + 1]++;
                count++;
            }
        }
        for (int distance = 1; distance < starts.length; distance++) {
            starts[distance] += starts[distance - 1];
        }
        for (int index = 0; index < distances.length; index++) {
            if ((distances[index] & 0xff) != HopCounts.NO_WAY) {
                sorted[starts[distances[index]]++] = index;
            }
        }
        return count;
    }

    private long cheapest(int from, int target, long[] costs) {
        byte[] row = hops.row(target);
        long best = Long.MAX_VALUE;
        for (int peer : graph.peers(from)) {
            if (peer >= 0 && row[peer] + 1 == row[from]) {
                long cost = costs[peer] + weight(from, peer);
                if (cost < best) {
                    best = cost;
                    next[from][target] = (short) peer;
                }
            }
        }
        return best;
    }

    private long weight(int one, int other) {
        long low = graph.switchGuid(Math.min(one, other));
        long mixed = (low * 0x9e37_79b9_7f4a_7c15L ^ graph.switchGuid(Math.max(one, other))) * 0xbf58_476d_1ce4_e5b9L;
        return (mixed ^ (mixed >>> 29)) >>> (64 - WEIGHT_BITS);
    }

    /** Tables of these paths; cables between the same switches share the load. */
    byte[][] tables() {
        TableFill fill = new TableFill(graph);
        byte[][] tables = new byte[graph.switchCount()][];
        for (int index = 0; index < tables.length; index++) {
            int[] peers = graph.peers(index);
            short[] towards = next[index];
            byte[] distances = hops.row(index);
            tables[index] = fill.table(
                    index,
                    (target, port) -> peers[port] == towards[target] && (distances[target] & 0xff) != HopCounts.NO_WAY);
        }
        return tables;
    }
}
