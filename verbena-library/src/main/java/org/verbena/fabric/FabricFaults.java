package org.verbena.fabric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.verbena.fabric.flow.Flow;
import org.verbena.fabric.topology.Cable;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.time.Seed;

/**
 * Faults of a fabric, made on purpose: chance comes from the fabric's seed, so a run repeats. The thread that drives the fabric calls everything.
 */
public final class FabricFaults {
    private static final int LANE_LAST = 14;

    private record Pulled(ManagedPort port, ManagedPort peer) {}

    private final Flow flow;
    private final Seed seed;
    private final Map<ManagedNode, List<Pulled>> dead = new HashMap<>();

    FabricFaults(Flow flow, Seed seed) {
        this.flow = flow;
        this.seed = seed;
    }

    /**
     * Packets that leave by a port are lost or damaged with these probabilities, flow control packets too. Both 0 ends it.
     *
     * @param loss of a packet, 0 … 1
     * @param bitErrors of each bit, 0 … 1
     * @throws FabricException if a probability is out of range
     */
    public void cable(ManagedPort port, double loss, double bitErrors) {
        requireProbability("loss", loss);
        requireProbability("bitErrors", bitErrors);
        flow.faults(port, seed.fork("cable " + port), loss, bitErrors);
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new FabricException(name + " " + value + " found, 0 … 1 expected");
        }
    }

    /** The link of a port goes down and comes up again at once; management has to make it active again. */
    public void flap(ManagedPort port) {
        flow.flap(port);
    }

    /** A node dies: all its links go down, and it answers nothing. Does nothing if it is dead. */
    public void kill(ManagedNode node) {
        if (dead.containsKey(node)) {
            return;
        }
        List<Pulled> pulled = new ArrayList<>();
        for (int number = 1; number <= node.portCount(); number++) {
            ManagedPort peer = node.port(number).peer();
            if (peer != null) {
                pulled.add(new Pulled(node.port(number), peer));
                flow.unplug(node.port(number));
            }
        }
        dead.put(node, pulled);
    }

    /** A dead node comes back with its cables, as far as their other ends are still free. */
    public void revive(ManagedNode node) {
        List<Pulled> pulled = dead.remove(node);
        if (pulled == null) {
            return;
        }
        for (Pulled cable : pulled) {
            if (cable.port().peer() == null && cable.peer().peer() == null) {
                flow.plug(cable.port(), cable.peer(), Cable.USUAL_CM);
            }
        }
    }

    /**
     * The adapter at a port takes a packet at most every {@code intervalNs}; {@link Long#MAX_VALUE}: none; 0 ends it. Packets wait in the port's
     * buffers, and its peer runs out of credits.
     *
     * @throws FabricException if the time is negative
     */
    public void slowReceiver(ManagedPort port, long intervalNs) {
        if (intervalNs < 0) {
            throw new FabricException("intervalNs " + intervalNs + " found, at least 0 expected");
        }
        flow.slow(port, intervalNs);
    }

    /**
     * A port gives its peer no more credits for a lane, or gives them again.
     *
     * @throws FabricException if the lane is not 0 … 14
     */
    public void starve(ManagedPort port, int lane, boolean starved) {
        FabricException.require("lane", lane, 0, LANE_LAST);
        flow.starve(port, lane, starved);
    }
}
