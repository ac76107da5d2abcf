package org.verbena.fabric.flow;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.NodeKind;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;

/** Finds ports: by their registers, by local identifier within a subnet, by GUID. The fabric's thread changes it; any thread may look up. */
final class Directory {
    private static final int LIDS = LidRange.MULTICAST_FIRST;
    private static final int NO_SUBNET = -1;

    private static final long[] NO_GUIDS = {};

    private final NodeFlow[] nodes;
    private final Map<ManagedNode, NodeFlow> flows;
    private final Map<Long, PortFlow> byGuid;
    /** By GUIDs that management has added. */
    private final Map<Long, PortFlow> byAddedGuid = new ConcurrentHashMap<>();
    /** The GUIDs of each port in that map, 0 for none at a place. */
    private final Map<PortFlow, long[]> addedGuids = new HashMap<>();
    /** By subnet and local identifier. */
    private volatile @Nullable PortFlow[][] byLid = {};

    Directory(NodeFlow[] nodes) {
        this.nodes = nodes;
        this.flows = HashMap.newHashMap(nodes.length);
        this.byGuid = HashMap.newHashMap(2 * nodes.length);
        for (NodeFlow node : nodes) {
            flows.put(node.node, node);
            for (int number = node.isSwitch ? 0 : 1; number < (node.isSwitch ? 1 : node.ports.length); number++) {
                byGuid.put(node.ports[number].port.guid(), node.ports[number]);
            }
        }
    }

    PortFlow flowOf(ManagedPort port) {
        NodeFlow node = flows.get(port.node());
        if (node == null) {
            throw new IllegalArgumentException(port + " is a port of another fabric");
        }
        return node.ports[port.number()];
    }

    /** The port with this local identifier in the subnet of another port; null if there is none. */
    @Nullable
    PortFlow find(PortFlow from, int lid) {
        @Nullable PortFlow[][] all = byLid;
        int subnet = from.subnet;
        if (subnet < 0 || subnet >= all.length || lid <= 0 || lid >= LIDS) {
            return null;
        }
        @Nullable PortFlow[] ports = all[subnet];
        return ports == null || lid >= ports.length ? null : ports[lid];
    }

    /** The port with this GID; null if there is none. */
    @Nullable
    PortFlow find(long prefix, long guid) {
        PortFlow port = byGuid.get(guid);
        if (port == null && !byAddedGuid.isEmpty()) {
            port = byAddedGuid.get(guid);
        }
        return port != null && port.port.gidPrefix() == prefix ? port : null;
    }

    /** A port's local identifiers may have changed. */
    void onLid(PortFlow port) {
        int lid = port.port.lid();
        int count = lid == 0 ? 0 : 1 << port.port.lmc();
        if (lid != port.knownLid || count != port.knownLids) {
            forget(port);
            port.knownLid = lid;
            port.knownLids = count;
            remember(port);
        }
    }

    /** The GUIDs that management has added to a port may have changed. */
    void onGuids(PortFlow port) {
        long[] added = port.port.addedGuids();
        long[] known = addedGuids.getOrDefault(port, NO_GUIDS);
        if (added == null || Arrays.equals(added, known)) {
            return;
        }
        for (long guid : known) {
            byAddedGuid.remove(guid, port);
        }
        addedGuids.put(port, added.clone());
        for (long guid : added) {
            if (guid != 0) {
                byAddedGuid.put(guid, port);
            }
        }
    }

    private void forget(PortFlow port) {
        for (int i = 0; i < port.knownLids; i++) {
            @Nullable PortFlow[] ports = lidsOf(port, 0);
            int lid = port.knownLid + i;
            if (lid < ports.length && ports[lid] == port) {
                ports[lid] = null;
            }
        }
    }

    private void remember(PortFlow port) {
        int end = Math.min(port.knownLid + port.knownLids, LIDS);
        for (int lid = port.knownLid; lid < end; lid++) {
            lidsOf(port, end)[lid] = port;
        }
    }

    /** Room for local identifiers of the port's subnet up to, without, {@code end}. */
    private @Nullable PortFlow[] lidsOf(PortFlow port, int end) {
        if (port.subnet < 0) {
            return new @Nullable PortFlow[end];
        }
        @Nullable PortFlow[] ports = byLid[port.subnet];
        if (ports == null || ports.length < end) {
            @Nullable
            PortFlow[] more = ports == null
                    ? new @Nullable PortFlow[Math.max(64, end)]
                    : Arrays.copyOf(ports, Math.max(2 * ports.length, end));
            @Nullable PortFlow[][] all = byLid;
            all[port.subnet] = more;
            byLid = all; // publishes the new array
            return more;
        }
        return ports;
    }

    /** Finds the subnets anew: ports that switches connect. A port of an end node or router is in the subnet of its cable. */
    void findSubnets() {
        for (NodeFlow node : nodes) {
            for (PortFlow port : node.ports) {
                port.subnet = NO_SUBNET;
            }
        }
        int count = 0;
        ArrayDeque<NodeFlow> reached = new ArrayDeque<>();
        for (NodeFlow node : nodes) {
            if (node.isSwitch && node.ports[0].subnet == NO_SUBNET) {
                enter(node, count++, reached);
                for (NodeFlow next = reached.poll(); next != null; next = reached.poll()) {
                    spread(next, reached);
                }
            }
        }
        for (NodeFlow node : nodes) {
            for (int number = 1; !node.isSwitch && number < node.ports.length; number++) {
                PortFlow port = node.ports[number];
                PortFlow peer = port.peer;
                if (port.subnet == NO_SUBNET && peer != null) {
                    port.subnet = count;
                    peer.subnet = count++;
                }
            }
        }
        byLid = new @Nullable PortFlow[count][];
        for (NodeFlow node : nodes) {
            for (PortFlow port : node.ports) {
                if (port.knownLids > 0) {
                    remember(port);
                }
            }
        }
    }

    private static void enter(NodeFlow node, int subnet, ArrayDeque<NodeFlow> reached) {
        for (PortFlow port : node.ports) {
            port.subnet = subnet;
        }
        reached.add(node);
    }

    private static void spread(NodeFlow node, ArrayDeque<NodeFlow> reached) {
        int subnet = node.ports[0].subnet;
        for (PortFlow port : node.ports) {
            PortFlow peer = port.peer;
            if (peer == null || peer.subnet != NO_SUBNET) {
                continue;
            }
            if (peer.node.isSwitch) {
                enter(peer.node, subnet, reached);
            } else {
                peer.subnet = subnet;
            }
        }
    }

    /**
     * The port of a router in the subnet of {@code from} that leads to the subnet of {@code to}; null if no router does. The way with the
     * fewest routers.
     */
    @Nullable
    PortFlow routerToward(PortFlow from, PortFlow to) {
        Map<Integer, PortFlow> entries = new HashMap<>(); // by subnet: the router port that leaves toward "to"
        ArrayDeque<Integer> reached = new ArrayDeque<>();
        reached.add(to.subnet);
        while (!reached.isEmpty()) {
            int subnet = reached.remove();
            for (NodeFlow node : nodes) {
                if (node.node.kind() != NodeKind.ROUTER || !touches(node, subnet)) {
                    continue;
                }
                for (PortFlow port : node.ports) {
                    if (port.subnet >= 0
                            && port.subnet != to.subnet
                            && entries.putIfAbsent(port.subnet, port) == null) {
                        reached.add(port.subnet);
                    }
                }
            }
        }
        return entries.get(from.subnet);
    }

    private static boolean touches(NodeFlow router, int subnet) {
        for (PortFlow port : router.ports) {
            if (port.subnet == subnet) {
                return true;
            }
        }
        return false;
    }
}
