package org.verbena.fabric.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

/**
 * Puts a topology together, node by node and cable by cable. {@link #place}, {@link #rate} and {@link #lengthCm} hold for the calls that follow. GUIDs are
 * given in the order of the nodes of a kind. One thread at a time.
 *
 * <pre>{@code
 * Topology two = Topology.builder()
 *         .adapter("left", 1)
 *         .adapter("right", 1)
 *         .switchNode("middle", 8)
 *         .cable("left", 1, "middle", 1)
 *         .cable("right", 1, "middle", 2)
 *         .build();
 * }</pre>
 */
public final class TopologyBuilder {
    private static final int VENDOR = 0x2c9;
    private static final int ADAPTER_DEVICE = 0x1003;
    private static final int SWITCH_DEVICE = 0xc738;
    private static final long SWITCH_GUIDS = 0x0002_c902_0000_0000L;
    private static final long ADAPTER_GUIDS = 0x0002_c903_0000_0000L;
    private static final long ROUTER_GUIDS = 0x0002_c904_0000_0000L;
    private static final int SWITCH_STEP = 0x100;
    /** GUIDs of an end node and its ports are given in units of 16. */
    private static final int END_NODE_STEP = 0x10;

    private final List<TopologyNode> nodes = new ArrayList<>();
    private final List<Map<Integer, PortRates>> rates = new ArrayList<>();
    private final List<BitSet> cabled = new ArrayList<>();
    private final List<Cable> cables = new ArrayList<>();
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Map<String, Long> systemImages = new HashMap<>();
    private long nextSwitch = SWITCH_GUIDS + SWITCH_STEP;
    private long nextAdapter = ADAPTER_GUIDS + END_NODE_STEP;
    private long nextRouter = ROUTER_GUIDS + END_NODE_STEP;
    private String place = "";
    private PortRates rate = PortRates.of(LinkWidth.X4, LinkSpeed.EDR);
    private int lengthCm = Cable.USUAL_CM;

    TopologyBuilder() {}

    /** The nodes that follow are part of this host or chassis; empty: they stand alone. Nodes of a place have one system image GUID. */
    public TopologyBuilder place(String name) {
        place = name;
        return this;
    }

    /** The cables that follow, and their ports, have this width and speed. 4x EDR before the first call. */
    public TopologyBuilder rate(LinkWidth width, LinkSpeed speed) {
        rate = PortRates.of(width, speed);
        return this;
    }

    /**
     * The cables that follow have this length. 5 m before the first call.
     *
     * @throws TopologyException if it is negative or more than {@link Cable#MAX_CM}
     */
    public TopologyBuilder lengthCm(int length) {
        lengthCm = new Cable(0, 1, 0, 2, length).lengthCm();
        return this;
    }

    /**
     * A channel adapter.
     *
     * @throws TopologyException if the name exists or the number of ports is out of range
     */
    public TopologyBuilder adapter(String name, int ports) {
        long guid = nextAdapter;
        nextAdapter += endNodeGuids(ports);
        return add(NodeKind.ADAPTER, name, ports, guid, ADAPTER_DEVICE);
    }

    /**
     * A switch.
     *
     * @throws TopologyException if the name exists or the number of ports is out of range
     */
    public TopologyBuilder switchNode(String name, int ports) {
        long guid = nextSwitch;
        nextSwitch += SWITCH_STEP;
        return add(NodeKind.SWITCH, name, ports, guid, SWITCH_DEVICE);
    }

    /**
     * A router.
     *
     * @throws TopologyException if the name exists or the number of ports is out of range
     */
    public TopologyBuilder router(String name, int ports) {
        long guid = nextRouter;
        nextRouter += endNodeGuids(ports);
        return add(NodeKind.ROUTER, name, ports, guid, ADAPTER_DEVICE);
    }

    /**
     * A host with several adapters, called {@code name-1}, {@code name-2} and so on, at the place {@code name}.
     *
     * @throws TopologyException if a name exists or a number is out of range
     */
    public TopologyBuilder host(String name, int adapters, int portsEach) {
        String outside = place;
        place = name;
        for (int i = 1; i <= adapters; i++) {
            adapter(name + "-" + i, portsEach);
        }
        place = outside;
        return this;
    }

    /**
     * An I/O chassis at the place {@code name}: a switch {@code name-switch}, and behind it one adapter of one port for each module, called
     * {@code name-module}. The switch has {@code uplinks} free ports from 1 on, and the modules at the ports behind them.
     *
     * @throws TopologyException if a name exists or a number is out of range
     */
    public TopologyBuilder chassis(String name, int uplinks, String... modules) {
        String outside = place;
        place = name;
        String inner = name + "-switch";
        switchNode(inner, uplinks + modules.length);
        for (int i = 0; i < modules.length; i++) {
            String module = name + "-" + modules[i];
            adapter(module, 1);
            cable(inner, uplinks + 1 + i, module, 1);
        }
        place = outside;
        return this;
    }

    /**
     * A node with everything as the caller has it.
     *
     * @throws TopologyException if the name exists
     */
    public TopologyBuilder add(TopologyNode node) {
        if (indexes.putIfAbsent(node.name(), nodes.size()) != null) {
            throw new TopologyException("second node \"" + node.name() + "\" found, unique names expected");
        }
        nodes.add(node);
        rates.add(new HashMap<>(node.rates()));
        cabled.add(new BitSet());
        return this;
    }

    /**
     * A cable between two ports.
     *
     * @throws TopologyException if a node or port does not exist, or a port has a cable
     */
    public TopologyBuilder cable(String node, int port, String other, int otherPort) {
        return cable(indexOf(node), port, indexOf(other), otherPort);
    }

    /**
     * A cable between the lowest ports that have none.
     *
     * @throws TopologyException if a node does not exist or has no free port
     */
    public TopologyBuilder cable(String node, String other) {
        int here = indexOf(node);
        int there = indexOf(other);
        int port = freePort(here, 0);
        return cable(here, port, there, freePort(there, here == there ? port : 0));
    }

    /** A cable between nodes that were added at these positions. */
    TopologyBuilder cable(int node, int port, int other, int otherPort) {
        cables.add(new Cable(node, port, other, otherPort, lengthCm));
        occupy(node, port);
        occupy(other, otherPort);
        return this;
    }

    /**
     * The topology.
     *
     * @throws TopologyException if it is not possible
     */
    public Topology build() {
        List<TopologyNode> finished = new ArrayList<>(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            finished.add(withRates(nodes.get(i), rates.get(i)));
        }
        return new Topology(finished, cables);
    }

    private static TopologyNode withRates(TopologyNode node, Map<Integer, PortRates> rates) {
        return new TopologyNode(
                node.kind(),
                node.name(),
                node.ports(),
                node.guid(),
                node.systemImageGuid(),
                node.vendorId(),
                node.deviceId(),
                node.description(),
                node.enhancedPort0(),
                node.place(),
                node.portGuids(),
                rates,
                node.lids());
    }

    private TopologyBuilder add(NodeKind kind, String name, int ports, long guid, int device) {
        long system = place.isEmpty() ? guid : systemImages.computeIfAbsent(place, _ -> guid);
        return add(new TopologyNode(
                kind,
                name,
                ports,
                guid,
                system,
                VENDOR,
                device,
                name,
                kind == NodeKind.SWITCH,
                place,
                Map.of(),
                Map.of(),
                Map.of()));
    }

    private static long endNodeGuids(int ports) {
        return (ports / END_NODE_STEP + 1L) * END_NODE_STEP;
    }

    private int indexOf(String name) {
        Integer index = indexes.get(name);
        if (index == null) {
            throw new TopologyException("cable to \"" + name + "\" found, a node that was added expected");
        }
        return index;
    }

    private void occupy(int node, int port) {
        if (port < 1 || port > nodes.get(node).ports() || cabled.get(node).get(port)) {
            throw new TopologyException("cable to \"" + nodes.get(node).name() + "\"[" + port
                    + "] found, a port of 1 … " + nodes.get(node).ports() + " without a cable expected");
        }
        cabled.get(node).set(port);
        rates.get(node).put(port, rate);
    }

    /** The lowest port above {@code above} without a cable. */
    private int freePort(int node, int above) {
        int port = cabled.get(node).nextClearBit(above + 1);
        if (port > nodes.get(node).ports()) {
            throw new TopologyException("no free port at \"" + nodes.get(node).name() + "\" found");
        }
        return port;
    }
}
