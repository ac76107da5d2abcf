package org.verbena.manage.manager;

import java.util.Arrays;
import java.util.Map;
import org.verbena.wire.subnet.McMemberRecord;

/** Makes the tree of a multicast group: breadth first from a switch in the middle between its members. */
final class SpanningTree {
    private static final int WORDS = 4;

    private final SubnetGraph graph;
    private final KnownSubnet subnet;
    private final int[] parentPort;
    private final int[] distance;
    private final int[] queue;

    SpanningTree(KnownSubnet subnet) {
        this.subnet = subnet;
        this.graph = subnet.graph();
        this.parentPort = new int[graph.switchCount()];
        this.distance = new int[graph.switchCount()];
        this.queue = new int[graph.switchCount()];
    }

    /** Makes the tree of a group again. Members without a port in the subnet have no part in it. */
    void make(MulticastGroup group) {
        group.tree.clear();
        int first = SubnetGraph.NONE;
        for (long guid : group.members.keySet()) {
            int at = switchOf(guid);
            first = first == SubnetGraph.NONE || (at != SubnetGraph.NONE && at < first) ? at : first;
        }
        if (first == SubnetGraph.NONE) {
            return;
        }
        search(first);
        search(middle(group, first));
        for (Map.Entry<Long, Integer> member : group.members.entrySet()) {
            int at = switchOf(member.getKey());
            if (at == SubnetGraph.NONE || distance[at] < 0) {
                continue;
            }
            int port = portOf(member.getKey());
            if (member.getValue() != McMemberRecord.SEND_ONLY) {
                mark(group, at, port);
            }
            while (parentPort[at] != 0) {
                int up = graph.peerSwitch(at, parentPort[at]);
                mark(group, at, parentPort[at]);
                mark(group, up, graph.peerPort(at, parentPort[at]));
                at = up;
            }
        }
    }

    /** The switch half way between one and the farthest member's. */
    private int middle(MulticastGroup group, int first) {
        int farthest = first;
        for (long guid : group.members.keySet()) {
            int at = switchOf(guid);
            if (at != SubnetGraph.NONE && distance[at] > distance[farthest]) {
                farthest = at;
            }
        }
        int at = farthest;
        while (distance[at] > (distance[farthest] + 1) / 2) {
            at = graph.peerSwitch(at, parentPort[at]);
        }
        return at;
    }

    private void search(int root) {
        Arrays.fill(distance, -1);
        distance[root] = 0;
        parentPort[root] = 0;
        queue[0] = root;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int from = queue[head];
            for (int port = 1; port <= graph.portCount(from); port++) {
                int peer = graph.peerSwitch(from, port);
                if (peer != SubnetGraph.NONE && distance[peer] < 0) {
                    distance[peer] = distance[from] + 1;
                    parentPort[peer] = graph.peerPort(from, port);
                    queue[tail++] = peer;
                }
            }
        }
    }

    private void mark(MulticastGroup group, int at, int port) {
        long[] ports = group.tree.computeIfAbsent(graph.switchGuid(at), guid -> new long[WORDS]);
        ports[port >>> 6] |= 1L << port;
    }

    private int switchOf(long portGuid) {
        KnownPort port = subnet.end(portGuid);
        if (port == null) {
            return SubnetGraph.NONE;
        }
        if (port.node.isSwitch()) {
            return port.node.index;
        }
        return port.peer != null && port.peer.node.isSwitch() ? port.peer.node.index : SubnetGraph.NONE;
    }

    private int portOf(long portGuid) {
        KnownPort port = subnet.end(portGuid);
        return port == null || port.node.isSwitch() || port.peer == null ? 0 : port.peer.number;
    }
}
