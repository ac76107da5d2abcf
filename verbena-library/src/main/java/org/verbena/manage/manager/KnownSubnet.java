package org.verbena.manage.manager;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The subnet as one sweep found it: nodes and ports, then identifiers, graph and routes. */
final class KnownSubnet {
    private final Map<Long, KnownNode> nodes = new HashMap<>();
    private final Map<Long, KnownPort> endPorts = new HashMap<>();
    private @Nullable KnownPort managerPort;
    private List<KnownNode> sortedNodes = List.of();
    private List<KnownNode> switches = List.of();
    private KnownPort[] byLid = {};
    private SubnetGraph graph = new SubnetGraph.Builder().build();
    private Routes routes = new Routes(new byte[0][], null, 1);

    void add(KnownNode node) {
        nodes.put(node.guid, node);
    }

    @Nullable
    KnownNode node(long guid) {
        return nodes.get(guid);
    }

    /** Adds a port that has local identifiers; false: another node has a port with this GUID. */
    boolean addEnd(KnownPort port) {
        KnownPort before = endPorts.putIfAbsent(port.guid, port);
        return before == null || before == port;
    }

    @Nullable
    KnownPort end(long portGuid) {
        return endPorts.get(portGuid);
    }

    /** The end port that owns a local identifier. */
    @Nullable
    KnownPort end(int lid) {
        return lid > 0 && lid < byLid.length ? byLid[lid] : null;
    }

    void managerAt(KnownPort port) {
        managerPort = port;
    }

    KnownPort managerPort() {
        if (managerPort == null) {
            throw new IllegalStateException("the manager's port is not known yet");
        }
        return managerPort;
    }

    boolean knowsManagerPort() {
        return managerPort != null;
    }

    /** Discovery is over: nodes, switches and end ports get OpenSM's order. */
    void sort() {
        sortedNodes = nodes.values().stream()
                .sorted(Comparator.comparing(node -> node.guid, SubnetGraph.GUID_ORDER))
                .toList();
        switches = sortedNodes.stream().filter(KnownNode::isSwitch).toList();
    }

    /** All nodes in OpenSM's order. */
    List<KnownNode> nodes() {
        return sortedNodes;
    }

    /** All switches in OpenSM's order: the index of the graph. */
    List<KnownNode> switches() {
        return switches;
    }

    /** All ports with local identifiers: the manager's, then the others in OpenSM's order. */
    List<KnownPort> endsInOrder() {
        List<KnownPort> ends = new ArrayList<>(endPorts.values());
        ends.sort(Comparator.<KnownPort, Boolean>comparing(port -> port != managerPort)
                .thenComparing(port -> port.guid, SubnetGraph.GUID_ORDER));
        return ends;
    }

    /** All ports that are linked to a known port, and port 0 of switches, in OpenSM's order of nodes. */
    List<KnownPort> portsInOrder() {
        List<KnownPort> ports = new ArrayList<>();
        for (KnownNode node : sortedNodes) {
            for (int number = 0; number <= node.portCount(); number++) {
                KnownPort port = node.port(number);
                if (port != null && (number == 0 || (port.isLinked() && port.peer != null))) {
                    ports.add(port);
                }
            }
        }
        return ports;
    }

    /** Identifiers are given: makes the graph. */
    void makeGraph() {
        SubnetGraph.Builder builder = new SubnetGraph.Builder();
        for (KnownNode node : switches) {
            KnownPort zero = node.port(0);
            node.index = builder.addSwitch(node.guid, node.portCount(), zero == null ? 0 : zero.lid, 0);
        }
        int top = 0;
        for (KnownPort port : endPorts.values()) {
            top = Math.max(top, port.lid + (1 << port.lmc) - 1);
        }
        byLid = new KnownPort[top + 1];
        for (KnownNode node : sortedNodes) {
            for (int number = 0; number <= node.portCount(); number++) {
                KnownPort port = node.port(number);
                if (port != null) {
                    add(builder, port);
                }
            }
        }
        KnownPort peer = managerPort().peer;
        if (managerPort().node.isSwitch()) {
            builder.managerAt(managerPort().node.index);
        } else if (peer != null && peer.node.isSwitch()) {
            builder.managerAt(peer.node.index);
        }
        graph = builder.build();
    }

    private void add(SubnetGraph.Builder builder, KnownPort port) {
        KnownPort peer = port.peer;
        if (port.isEnd()) {
            for (int lid = port.lid; port.lid != 0 && lid < port.lid + (1 << port.lmc); lid++) {
                byLid[lid] = port;
            }
        }
        if (!port.node.isSwitch()) {
            if (port.lid != 0) {
                builder.addEnd(
                        port.guid,
                        port.lid,
                        port.lmc,
                        peer != null && peer.node.isSwitch() ? peer.node.index : SubnetGraph.NONE,
                        peer != null && peer.node.isSwitch() ? peer.number : 0);
            }
        } else if (peer != null && peer.node.isSwitch() && port.isLinked() && peer.isLinked()) {
            builder.connect(port.node.index, port.number, peer.node.index, peer.number);
        }
    }

    SubnetGraph graph() {
        return graph;
    }

    void routes(Routes computed) {
        routes = computed;
    }

    Routes routes() {
        return routes;
    }
}
