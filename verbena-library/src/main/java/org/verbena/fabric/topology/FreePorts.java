package org.verbena.fabric.topology;

import org.verbena.time.Seed;

/** Draws switches that have free ports. */
final class FreePorts {
    private final Seed chance;
    private final int portsEach;
    /** By node: ports taken so far. */
    private final int[] taken;
    /** The first {@link #count} are the switches with free ports. */
    private final int[] open;

    private int count;

    FreePorts(Seed chance, int nodes, int portsEach) {
        this.chance = chance;
        this.portsEach = portsEach;
        this.taken = new int[nodes];
        this.open = new int[nodes];
    }

    /** From now on the switch can be drawn. */
    FreePorts open(int node) {
        open[count++] = node;
        return this;
    }

    int draw() {
        requireMoreThan(0);
        return open[chance.nextInt(count)];
    }

    /** Another switch than this, which is open. */
    int drawOther(int node) {
        requireMoreThan(1);
        int drawn = open[chance.nextInt(count - 1)];
        return drawn == node ? open[count - 1] : drawn;
    }

    private void requireMoreThan(int least) {
        if (count <= least) {
            throw new TopologyException("more cables than free ports of " + portsEach + " at each switch found");
        }
    }

    /** The next free port of an open switch. */
    int take(int node) {
        taken[node]++;
        if (taken[node] == portsEach) {
            close(node);
        }
        return taken[node];
    }

    private void close(int node) {
        int at = 0;
        while (open[at] != node) {
            at++;
        }
        count--;
        open[at] = open[count];
    }
}
