package org.verbena.fabric.topology;

import java.util.function.IntFunction;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.time.Seed;

/**
 * Topologies of regular shapes, and one of chance. The same arguments always give the same topology. Hosts are adapters of one port and come first in the
 * order of nodes; switches follow. Cables are 4x EDR and 5 m long.
 *
 * <p>Every method throws {@link TopologyException} if an argument is out of range, or if the shape has more than 200,000 nodes or a switch more than 254 ports.
 */
public final class Topologies {
    private static final int NODES_MAX = 200_000;
    private static final int DIMENSIONS_MAX = 8;

    private Topologies() {}

    /**
     * The network of a small data center, with one node of each kind: two hosts with two adapters of two ports each, a RAID subsystem with its own
     * adapter, an I/O chassis with an internal switch and five modules behind it, two switches, and a router whose second port is free for
     * another subnet.
     */
    public static Topology systemAreaNetwork() {
        return Topology.builder()
                .host("host1", 2, 2)
                .host("host2", 2, 2)
                .place("raid")
                .adapter("raid", 1)
                .place("")
                .switchNode("switch1", 8)
                .switchNode("switch2", 8)
                .router("router", 2)
                .lengthCm(50)
                .chassis("io", 2, "scsi", "ethernet", "fibre", "graphics", "video")
                .lengthCm(300)
                .cable("host1-1", 1, "switch1", 1)
                .cable("host1-2", 1, "switch1", 2)
                .cable("host2-1", 1, "switch1", 3)
                .cable("host2-1", 2, "switch2", 1)
                .cable("host2-2", 1, "switch1", 4)
                .cable("host2-2", 2, "switch2", 2)
                .cable("raid", 1, "switch2", 3)
                .cable("io-switch", 1, "switch1", 5)
                .cable("io-switch", 2, "switch2", 5)
                .lengthCm(1000)
                .cable("switch1", 7, "switch2", 7)
                .cable("switch1", 8, "switch2", 8)
                .cable("router", 1, "switch2", 4)
                .build();
    }

    /**
     * Two switches of 8 or more ports, {@code sw1} and {@code sw2}, joined by parallel cables at their last ports. Hosts are {@code h1}, {@code h2} and so
     * on.
     */
    public static Topology twoSwitches(int hostsEach, int cables, LinkWidth width, LinkSpeed speed) {
        require("hosts", hostsEach, 0, TopologyNode.PORTS_MAX);
        require("cables", cables, 1, TopologyNode.PORTS_MAX);
        TopologyBuilder builder = Topology.builder().rate(width, speed);
        int ports = Math.max(8, hostsEach + cables);
        hosts(builder, 2 * hostsEach, host -> "h" + (host + 1));
        int first = 2 * hostsEach;
        builder.switchNode("sw1", ports).switchNode("sw2", ports);
        for (int host = 0; host < 2 * hostsEach; host++) {
            builder.cable(host, 1, first + host / hostsEach, host % hostsEach + 1);
        }
        for (int port = ports - cables + 1; port <= ports; port++) {
            builder.cable(first, port, first + 1, port);
        }
        return builder.build();
    }

    /**
     * A ring. A switch {@code sw3} has 8 or more ports: hosts {@code h3-0}, {@code h3-1} … from 1 on, the next switch at the last port but one, the one
     * before it at the last.
     */
    public static Topology ring(int switches, int hostsEach) {
        require("switches", switches, 2, NODES_MAX);
        require("hosts", hostsEach, 0, TopologyNode.PORTS_MAX);
        requireNodes((long) switches * (hostsEach + 1L));
        TopologyBuilder builder = Topology.builder();
        int ports = Math.max(8, hostsEach + 2);
        hosts(builder, switches * hostsEach, host -> "h" + host / hostsEach + "-" + host % hostsEach);
        int first = switches * hostsEach;
        switches(builder, switches, ports, i -> "sw" + i);
        cableHosts(builder, first, hostsEach, 1);
        for (int i = 0; i < switches; i++) {
            builder.cable(first + i, ports - 1, first + (i + 1) % switches, ports);
        }
        return builder.build();
    }

    /**
     * A mesh of one to eight dimensions. A switch {@code sw-2-0} is at 2 in the first dimension and 0 in the second. Its port 1 leads to the next switch of the
     * first dimension, port 2 to the one before, ports 3 and 4 are those of the second, and so on; hosts {@code h-2-0-0}, {@code h-2-0-1} … follow.
     */
    public static Topology mesh(int hostsEach, int... sizes) {
        return grid(false, hostsEach, sizes);
    }

    /** A torus: a mesh where the last switch of a dimension is joined to the first, unless there are only two. */
    public static Topology torus(int hostsEach, int... sizes) {
        return grid(true, hostsEach, sizes);
    }

    private static Topology grid(boolean closed, int hostsEach, int... sizes) {
        require("dimensions", sizes.length, 1, DIMENSIONS_MAX);
        require("hosts", hostsEach, 0, TopologyNode.PORTS_MAX);
        long switches = 1;
        for (int size : sizes) {
            require("size", size, 1, NODES_MAX);
            switches *= size;
            requireNodes(switches * (hostsEach + 1L));
        }
        TopologyBuilder builder = Topology.builder();
        int first = (int) switches * hostsEach;
        hosts(builder, first, host -> "h" + coordinates(host / hostsEach, sizes) + "-" + host % hostsEach);
        int ports = 2 * sizes.length + Math.max(hostsEach, 4);
        switches(builder, (int) switches, ports, i -> "sw" + coordinates(i, sizes));
        cableHosts(builder, first, hostsEach, 2 * sizes.length + 1);
        for (int i = 0; i < switches; i++) {
            int stride = 1;
            for (int dimension = 0; dimension < sizes.length; dimension++) {
                int at = i / stride % sizes[dimension];
                int next = i + ((at + 1) % sizes[dimension] - at) * stride;
                if (at + 1 < sizes[dimension] || (closed && sizes[dimension] > 2)) {
                    builder.cable(first + i, 2 * dimension + 1, first + next, 2 * dimension + 2);
                }
                stride *= sizes[dimension];
            }
        }
        return builder.build();
    }

    private static String coordinates(int index, int[] sizes) {
        int rest = index;
        StringBuilder text = new StringBuilder();
        for (int size : sizes) {
            text.append('-').append(rest % size);
            rest /= size;
        }
        return text.toString();
    }

    /**
     * A fat tree of two levels. A leaf has hosts from port 1 on, then the cables to the spines in their order. The leaves are leaf0, leaf1 …, the
     * spines spine0, spine1 …, the hosts of the first leaf h0-0, h0-1 …
     *
     * @param cables between each leaf and each spine
     */
    public static Topology twoLevelFatTree(int leaves, int spines, int hostsPerLeaf, int cables) {
        require("leaves", leaves, 1, NODES_MAX);
        require("spines", spines, 1, NODES_MAX);
        require("hosts", hostsPerLeaf, 0, TopologyNode.PORTS_MAX);
        require("cables", cables, 1, TopologyNode.PORTS_MAX);
        int ports = (int)
                Math.min(Math.max(hostsPerLeaf + (long) spines * cables, (long) leaves * cables), Integer.MAX_VALUE);
        require("ports", ports, 1, TopologyNode.PORTS_MAX);
        TopologyBuilder builder = Topology.builder();
        int first = leaves * hostsPerLeaf;
        hosts(builder, first, host -> "h" + host / hostsPerLeaf + "-" + host % hostsPerLeaf);
        switches(builder, leaves, ports, leaf -> "leaf" + leaf);
        switches(builder, spines, ports, spine -> "spine" + spine);
        cableHosts(builder, first, hostsPerLeaf, 1);
        for (int leaf = 0; leaf < leaves; leaf++) {
            for (int spine = 0; spine < spines; spine++) {
                for (int i = 0; i < cables; i++) {
                    builder.cable(
                            first + leaf,
                            hostsPerLeaf + spine * cables + i + 1,
                            first + leaves + spine,
                            leaf * cables + i + 1);
                }
            }
        }
        return builder.build();
    }

    /** The full fat tree of three levels of switches with this even number of ports: ports³ / 4 hosts. With 36 ports there are 11,664. */
    public static Topology threeLevelFatTree(int ports) {
        return threeLevelFatTree(ports, ports);
    }

    /**
     * A fat tree of three levels without contention. A pod has ports / 2 leaves {@code p0-leaf0} …, each with ports / 2 hosts {@code h0-0-0} …, and ports / 2
     * switches {@code p0-mid0} … above them; {@code core0} … join the pods.
     *
     * @param ports of each switch; even
     * @param pods at most the number of ports; they must fill the cores evenly: 2, 4, 8 … work with a power of two of ports
     */
    public static Topology threeLevelFatTree(int ports, int pods) {
        require("ports", ports, 2, TopologyNode.PORTS_MAX);
        require("pods", pods, 1, ports);
        int half = ports / 2;
        int cores = half * half * pods / ports;
        if (ports % 2 != 0
                || cores * ports != half * half * pods
                || (cores >= half && (cores % half != 0 || half % (cores / half) != 0))) {
            throw new TopologyException("fat tree of " + pods + " pods of " + ports
                    + "-port switches found; an even number of ports, and pods that fill the cores evenly, expected");
        }
        requireNodes((long) pods * half * (half + 2) + cores);
        TopologyBuilder builder = Topology.builder();
        int leaves = pods * half * half;
        int mids = leaves + pods * half;
        int firstCore = mids + pods * half;
        hosts(builder, leaves, host -> "h" + host / half / half + "-" + host / half % half + "-" + host % half);
        switches(builder, pods * half, ports, i -> "p" + i / half + "-leaf" + i % half);
        switches(builder, pods * half, ports, i -> "p" + i / half + "-mid" + i % half);
        switches(builder, cores, ports, i -> "core" + i);
        cableHosts(builder, leaves, half, 1);
        for (int leaf = 0; leaf < pods * half; leaf++) {
            for (int mid = 0; mid < half; mid++) {
                builder.cable(leaves + leaf, half + mid + 1, mids + leaf / half * half + mid, leaf % half + 1);
            }
        }
        int[] used = new int[cores];
        for (int mid = 0; mid < pods * half; mid++) {
            for (int up = 0; up < half; up++) {
                // Mids of one number in all pods have a group of cores in common.
                int perGroup = cores / half;
                int core = perGroup == 0 ? up % cores : mid % half * perGroup + up * perGroup / half;
                used[core]++;
                builder.cable(mids + mid, half + up + 1, firstCore + core, used[core]);
            }
        }
        return builder.build();
    }

    /**
     * A dragonfly. The switches of a group, {@code g0-sw0}, {@code g0-sw1} …, are all joined to each other, and every two groups by the same number of cables. A
     * switch has hosts {@code h0-0-0} … at its first ports, then the other switches of its group, then other groups.
     *
     * @param groups at most switchesPerGroup · globalPerSwitch + 1
     * @param globalPerSwitch ports of each switch for cables to other groups
     */
    public static Topology dragonfly(int groups, int switchesPerGroup, int hostsPerSwitch, int globalPerSwitch) {
        require("switches in a group", switchesPerGroup, 1, TopologyNode.PORTS_MAX);
        require("hosts at a switch", hostsPerSwitch, 0, TopologyNode.PORTS_MAX);
        require("global ports of a switch", globalPerSwitch, 1, TopologyNode.PORTS_MAX);
        int slots = switchesPerGroup * globalPerSwitch;
        require("groups", groups, 2, slots + 1);
        int switches = groups * switchesPerGroup;
        requireNodes((long) switches * (hostsPerSwitch + 1L));
        int ports = hostsPerSwitch + switchesPerGroup - 1 + globalPerSwitch;
        require("ports", ports, 1, TopologyNode.PORTS_MAX);
        TopologyBuilder builder = Topology.builder();
        int first = switches * hostsPerSwitch;
        hosts(
                builder,
                first,
                host -> "h" + host / hostsPerSwitch / switchesPerGroup + "-" + host / hostsPerSwitch % switchesPerGroup
                        + "-" + host % hostsPerSwitch);
        switches(builder, switches, ports, i -> "g" + i / switchesPerGroup + "-sw" + i % switchesPerGroup);
        cableHosts(builder, first, hostsPerSwitch, 1);
        for (int group = 0; group < groups; group++) {
            int base = first + group * switchesPerGroup;
            for (int i = 0; i < switchesPerGroup; i++) {
                for (int j = i + 1; j < switchesPerGroup; j++) {
                    builder.cable(base + i, hostsPerSwitch + j, base + j, hostsPerSwitch + i + 1);
                }
            }
        }
        // A group has its slots for global cables in rounds, one to each other group: slot s leads s + 1 groups on.
        int round = groups - 1;
        int firstGlobal = hostsPerSwitch + switchesPerGroup;
        for (int slot = 0; slot < slots / round * round; slot++) {
            int back = slot / round * round + (round - 1 - slot % round);
            for (int group = 0; group < groups; group++) {
                int other = (group + slot % round + 1) % groups;
                if (group < other) {
                    builder.cable(
                            first + group * switchesPerGroup + slot / globalPerSwitch,
                            firstGlobal + slot % globalPerSwitch,
                            first + other * switchesPerGroup + back / globalPerSwitch,
                            firstGlobal + back % globalPerSwitch);
                }
            }
        }
        return builder.build();
    }

    /**
     * A connected topology without a shape: a tree of switches {@code sw0}, {@code sw1} …, hosts {@code h0}, {@code h1} … and more cables between switches,
     * all at places that the seed draws.
     *
     * @param moreCables beyond the switches − 1 that join all switches
     */
    public static Topology irregular(long seed, int switches, int portsEach, int hosts, int moreCables) {
        require("switches", switches, 1, NODES_MAX);
        require("ports", portsEach, 1, TopologyNode.PORTS_MAX);
        require("hosts", hosts, 0, NODES_MAX);
        require("more cables", moreCables, 0, NODES_MAX);
        requireNodes((long) switches + hosts);
        TopologyBuilder builder = Topology.builder();
        hosts(builder, hosts, host -> "h" + host);
        switches(builder, switches, portsEach, i -> "sw" + i);
        FreePorts free = new FreePorts(new Seed(seed).fork("irregular topology"), hosts + switches, portsEach);
        free.open(hosts);
        for (int i = 1; i < switches; i++) {
            int before = free.draw();
            builder.cable(
                    before, free.take(before), hosts + i, free.open(hosts + i).take(hosts + i));
        }
        for (int host = 0; host < hosts; host++) {
            int at = free.draw();
            builder.cable(host, 1, at, free.take(at));
        }
        for (int i = 0; i < moreCables; i++) {
            int one = free.draw();
            int other = free.drawOther(one);
            builder.cable(one, free.take(one), other, free.take(other));
        }
        return builder.build();
    }

    private static void hosts(TopologyBuilder builder, int count, IntFunction<String> name) {
        for (int i = 0; i < count; i++) {
            builder.adapter(name.apply(i), 1);
        }
    }

    private static void switches(TopologyBuilder builder, int count, int ports, IntFunction<String> name) {
        for (int i = 0; i < count; i++) {
            builder.switchNode(name.apply(i), ports);
        }
    }

    /** Hosts are the nodes before {@code firstSwitch}; each switch gets {@code hostsEach} of them, at ports from {@code firstPort} on. */
    private static void cableHosts(TopologyBuilder builder, int firstSwitch, int hostsEach, int firstPort) {
        for (int host = 0; host < firstSwitch; host++) {
            builder.cable(host, 1, firstSwitch + host / hostsEach, firstPort + host % hostsEach);
        }
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new TopologyException(name + ": " + value + " found, " + least + " … " + most + " expected");
        }
    }

    private static void requireNodes(long nodes) {
        if (nodes > NODES_MAX) {
            throw new TopologyException(nodes + " or more nodes found, at most " + NODES_MAX + " expected");
        }
    }
}
