package org.verbena.manage.manager;

import java.util.Arrays;

/** Distances in cables between all switches. */
final class HopCounts {
    /** In place of a distance: there is no way. */
    static final int NO_WAY = 0xff;
    /** Longest distance that is a way: the hops of a directed route. */
    static final int HOPS_MAX = 63;

    private final byte[][] rows;

    private HopCounts(byte[][] rows) {
        this.rows = rows;
    }

    /** The distances of a graph: breadth first from each switch. */
    static HopCounts of(SubnetGraph graph) {
        int count = graph.switchCount();
        byte[][] rows = new byte[count][count];
        int[] queue = new int[count];
        for (int source = 0; source < count; source++) {
            byte[] row = rows[source];
            Arrays.fill(row, (byte) NO_WAY);
            row[source] = 0;
            queue[0] = source;
            int tail = 1;
            for (int head = 0; head < tail; head++) {
                int from = queue[head];
                if (row[from] == HOPS_MAX) {
                    break;
                }
                for (int peer : graph.peers(from)) {
                    if (peer >= 0 && (row[peer] & 0xff) == NO_WAY) {
                        row[peer] = (byte) (row[from] + 1);
                        queue[tail++] = peer;
                    }
                }
            }
        }
        return new HopCounts(rows);
    }

    int between(int one, int other) {
        return rows[one][other] & 0xff;
    }

    byte[] row(int source) {
        return rows[source];
    }
}
