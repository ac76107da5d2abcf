package org.verbena.fabric.topology;

/**
 * A cable between two ports.
 *
 * @param node index of the first node in the topology's list
 * @param port its port
 * @param otherNode index of the second node
 * @param otherPort its port
 * @param lengthCm length; light needs 5 ns for a metre
 */
public record Cable(int node, int port, int otherNode, int otherPort, int lengthCm) {
    /** Usual length: 5 m. */
    public static final int USUAL_CM = 500;

    /** Longest: 10 km. */
    public static final int MAX_CM = 1_000_000;

    /**
     * Checks the length; the topology checks the ends.
     *
     * @throws TopologyException if the length is out of range
     */
    public Cable {
        if (lengthCm < 0 || lengthCm > MAX_CM) {
            throw new TopologyException("length of " + lengthCm + " cm found, 0 … " + MAX_CM + " expected");
        }
    }

    /** The same cable; its first end is the one at the lower node or, between ports of one node, at the lower port. */
    Cable ordered() {
        boolean inOrder = node != otherNode ? node < otherNode : port <= otherPort;
        return inOrder ? this : new Cable(otherNode, otherPort, node, port, lengthCm);
    }
}
