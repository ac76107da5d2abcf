package org.verbena.fabric.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;

/**
 * Nodes and the cables between their ports. Immutable and checked: names and GUIDs are unique, every cable has two ends in range whose
 * ports have a common width and speed, and every port has at most one cable. Two topologies are equal if they have the same nodes in the same order and the
 * same cables.
 *
 * <p>A topology is read from a {@linkplain NetFile net file}, {@linkplain #builder built}, or {@linkplain Topologies generated}.
 */
public final class Topology {
    private final List<TopologyNode> nodes;
    private final List<Cable> cables;
    private final Map<String, Integer> indexes;
    /** By node: where its port 0 is in {@link #cableOfPort}; one more entry for the end. */
    private final int[] firstPort;

    private final @Nullable Cable[] cableOfPort;

    /**
     * A topology of these nodes and cables.
     *
     * @param nodes in the order that indexes of cables mean
     * @param cables in any order; {@link #cables} has them sorted by their lower end
     * @throws TopologyException if names or GUIDs are not unique, or a cable is not possible
     */
    public Topology(List<TopologyNode> nodes, List<Cable> cables) {
        this.nodes = List.copyOf(nodes);
        this.indexes = new HashMap<>(nodes.size() * 2);
        this.firstPort = new int[nodes.size() + 1];
        for (int i = 0; i < this.nodes.size(); i++) {
            firstPort[i + 1] = firstPort[i] + this.nodes.get(i).ports() + 1;
        }
        requireUniqueNodes();
        requireUniquePortGuids();
        this.cableOfPort = new Cable[firstPort[nodes.size()]];
        List<Cable> sorted = new ArrayList<>(cables.size());
        for (Cable cable : cables) {
            sorted.add(plug(cable.ordered()));
        }
        sorted.sort(Comparator.comparingInt(Cable::node).thenComparingInt(Cable::port));
        this.cables = List.copyOf(sorted);
    }

    /** A topology to be put together. */
    public static TopologyBuilder builder() {
        return new TopologyBuilder();
    }

    public List<TopologyNode> nodes() {
        return nodes;
    }

    /** Sorted by their first end, which is the lower one of the two. */
    public List<Cable> cables() {
        return cables;
    }

    /**
     * The index of the node with this name.
     *
     * @throws TopologyException if there is none
     */
    public int indexOf(String name) {
        Integer index = indexes.get(name);
        if (index == null) {
            throw new TopologyException("node \"" + name + "\" found, one of the topology's expected");
        }
        return index;
    }

    /**
     * The node with this name.
     *
     * @throws TopologyException if there is none
     */
    public TopologyNode node(String name) {
        return nodes.get(indexOf(name));
    }

    /** The cable in a port, seen from this port: it is the first end. */
    public Optional<Cable> cableAt(int node, int port) {
        Cable cable = cableOfPort[firstPort[node] + port];
        if (cable == null || (cable.node() == node && cable.port() == port)) {
            return Optional.ofNullable(cable);
        }
        return Optional.of(new Cable(node, port, cable.node(), cable.port(), cable.lengthCm()));
    }

    /** The width that a cable comes up with: the widest that both ports may use. */
    public LinkWidth widthOf(Cable cable) {
        return rates(cable.node(), cable.port()).widthWith(rates(cable.otherNode(), cable.otherPort()));
    }

    /** The speed that a cable comes up with: the fastest that both ports may use. */
    public LinkSpeed speedOf(Cable cable) {
        return rates(cable.node(), cable.port()).speedWith(rates(cable.otherNode(), cable.otherPort()));
    }

    private PortRates rates(int node, int port) {
        return nodes.get(node).ratesOf(port);
    }

    private void requireUniqueNodes() {
        Map<Long, Integer> guids = new HashMap<>(nodes.size() * 2);
        for (int i = 0; i < nodes.size(); i++) {
            TopologyNode node = nodes.get(i);
            if (indexes.putIfAbsent(node.name(), i) != null) {
                throw new TopologyException("second node \"" + node.name() + "\" found, unique names expected", i);
            }
            Integer owner = guids.putIfAbsent(node.guid(), i);
            if (owner != null) {
                throw new TopologyException(
                        "GUID " + hex(node.guid()) + " of both \""
                                + nodes.get(owner).name() + "\" and \"" + node.name()
                                + "\" found, unique GUIDs expected",
                        i);
            }
        }
    }

    private void requireUniquePortGuids() {
        Map<Long, Long> owners = new HashMap<>(nodes.size() * 2);
        for (int i = 0; i < nodes.size(); i++) {
            TopologyNode node = nodes.get(i);
            int first = node.isSwitch() ? 0 : 1;
            int last = node.isSwitch() ? 0 : node.ports();
            for (int port = first; port <= last; port++) {
                Long owner = owners.putIfAbsent(node.portGuid(port), (long) i << 8 | port);
                if (owner != null) {
                    throw new TopologyException(
                            "port GUID " + hex(node.portGuid(port)) + " of both "
                                    + portName((int) (owner >>> 8), (int) (owner & 0xff)) + " and " + portName(i, port)
                                    + " found, unique GUIDs expected",
                            i);
                }
            }
        }
    }

    private Cable plug(Cable cable) {
        requireEnd(cable.node(), cable.port());
        requireEnd(cable.otherNode(), cable.otherPort());
        if (cable.node() == cable.otherNode() && cable.port() == cable.otherPort()) {
            throw new TopologyException(cableName(cable) + " found, two ports expected", cable.node());
        }
        if (!rates(cable.node(), cable.port()).fits(rates(cable.otherNode(), cable.otherPort()))) {
            throw new TopologyException(
                    cableName(cable) + " found whose ports have no common width or speed", cable.node());
        }
        occupy(cable, cable.node(), cable.port());
        occupy(cable, cable.otherNode(), cable.otherPort());
        return cable;
    }

    private void requireEnd(int node, int port) {
        if (node < 0 || node >= nodes.size()) {
            throw new TopologyException(
                    "cable to node " + node + " found, an index below " + nodes.size() + " expected");
        }
        if (port < 1 || port > nodes.get(node).ports()) {
            throw new TopologyException(
                    "cable to " + portName(node, port) + " found, port 1 … "
                            + nodes.get(node).ports() + " expected",
                    node);
        }
    }

    private void occupy(Cable cable, int node, int port) {
        int at = firstPort[node] + port;
        if (cableOfPort[at] != null) {
            throw new TopologyException("two cables at " + portName(node, port) + " found, one expected", node);
        }
        cableOfPort[at] = cable;
    }

    private String cableName(Cable cable) {
        return "cable from " + portName(cable.node(), cable.port()) + " to "
                + portName(cable.otherNode(), cable.otherPort());
    }

    private String portName(int node, int port) {
        return "\"" + nodes.get(node).name() + "\"[" + port + "]";
    }

    static String hex(long guid) {
        return "0x" + Long.toHexString(guid);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Topology that && nodes.equals(that.nodes) && cables.equals(that.cables);
    }

    @Override
    public int hashCode() {
        return 31 * nodes.hashCode() + cables.hashCode();
    }

    @Override
    public String toString() {
        return "Topology[" + nodes.size() + " nodes, " + cables.size() + " cables]";
    }
}
