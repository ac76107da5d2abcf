package org.verbena.tools.fabric;

import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyNode;

/** What a listing shows of a port beside its cable. Nodes are given by their index in the topology. */
interface PortTexts {
    /** The local identifier of a port; of a switch, that of the switch. */
    int lid(int node, int port);

    /** The states of a port, such as {@code Active/  LinkUp}; empty if they are not known. */
    String state(int node, int port);

    /** Packets that a port has sent and received, behind its line; empty if they are not known. */
    default String packets(int node, int port) {
        return "";
    }

    /** A topology that is not alive: it has the local identifiers of its file, and no states. */
    static PortTexts of(Topology topology) {
        return new PortTexts() {
            @Override
            public int lid(int node, int port) {
                TopologyNode found = topology.nodes().get(node);
                return found.lidsOf(found.isSwitch() ? 0 : port).lid();
            }

            @Override
            public String state(int node, int port) {
                return "";
            }
        };
    }
}
