package org.verbena.manage.manager;

/** Shortest paths, as OpenSM's engine {@code minhop}. */
final class MinHopRouting implements RoutingEngine {
    @Override
    public String name() {
        return "minhop";
    }

    @Override
    public Routes route(SubnetGraph graph) {
        return new Routes(tables(graph, false), null, 1);
    }

    /**
     * Tables of shortest paths.
     *
     * @param oneWay whether all paths from one switch to another take the same switches: the next one is that at the lowest port
     */
    static byte[][] tables(SubnetGraph graph, boolean oneWay) {
        HopCounts hops = HopCounts.of(graph);
        TableFill fill = new TableFill(graph);
        byte[][] tables = new byte[graph.switchCount()][];
        for (int index = 0; index < tables.length; index++) {
            TableFill.Ways ways = shortest(graph, hops, index);
            tables[index] = fill.table(index, oneWay ? firstPeer(graph.peers(index), ways) : ways);
        }
        return tables;
    }

    private static TableFill.Ways firstPeer(int[] peers, TableFill.Ways ways) {
        return (target, port) -> {
            if (!ways.leads(target, port)) {
                return false;
            }
            int first = 1;
            while (!ways.leads(target, first)) {
                first++;
            }
            return peers[port] == peers[first];
        };
    }

    private static TableFill.Ways shortest(SubnetGraph graph, HopCounts hops, int index) {
        byte[] own = hops.row(index);
        int[] peers = graph.peers(index);
        byte[][] rows = new byte[peers.length][];
        for (int port = 1; port < peers.length; port++) {
            rows[port] = peers[port] < 0 ? own : hops.row(peers[port]);
        }
        // A port without a switch behind it has the switch's own row: never one hop less.
        return (target, port) -> rows[port][target] + 1 == own[target];
    }
}
