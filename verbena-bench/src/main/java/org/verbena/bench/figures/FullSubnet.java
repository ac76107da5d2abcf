package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.topology.Cable;
import org.verbena.fabric.topology.Topologies;
import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyBuilder;
import org.verbena.fabric.topology.TopologyNode;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.time.Seed;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;

/**
 * Fat trees of three levels, each a subnet whose end ports have four local identifiers. With switches of 36 ports a subnet has 48,276 identifiers of 49,151. Of
 * several subnets, neighbours are joined by a router in the place of a host. The subnets are swept by a manager of their own, by directed routes, and packets are
 * sent between sampled hosts.
 *
 * <p>As a program it prints the numbers of {@link Outcome}. Arguments: {@code PORTS SUBNETS PAIRS}. One thread, virtual time.
 */
final class FullSubnet implements AutoCloseable {
    static final int LMC = 2;

    private static final long PREFIX = 0xfec0_0000_0000_0000L;
    private static final int PAYLOAD = 256;
    private static final int LENGTH = Bth.LENGTH + PAYLOAD + 4;
    private static final int KEY = 0xffff;
    private static final int QUEUE_PAIR = 2;
    /** Longer than a packet needs for the longest way with all its routers, and a question to the subnet administration with its answer. */
    private static final long WAY_NS = 1_000_000;

    private static final long STEP_NS = 1_000;

    private final int ports;
    private final int subnets;
    private final Fabric fabric;
    private final List<SubnetManager> managers = new ArrayList<>();
    private final Seed seed = new Seed(14);
    private final List<Endpoint> sources = new ArrayList<>();
    private final List<Integer> queuePairs = new ArrayList<>();

    /**
     * What was done and what it took.
     *
     * @param buildSeconds to build topology and fabric
     * @param sweepSeconds of real time of all sweeps, one after the other
     * @param sweepVirtualSeconds of virtual time
     * @param datagrams that the managers sent
     * @param identifiers local identifiers that the ports of all subnets have
     * @param heapMib in use after the traffic
     * @param arrivedPercent packets that came out at the right host
     */
    record Outcome(
            double buildSeconds,
            double sweepSeconds,
            double sweepVirtualSeconds,
            long datagrams,
            long identifiers,
            double heapMib,
            double arrivedPercent) {
        String line() {
            return String.format(
                    Locale.ROOT,
                    "%.3f %.3f %.6f %d %d %.1f %.3f",
                    buildSeconds,
                    sweepSeconds,
                    sweepVirtualSeconds,
                    datagrams,
                    identifiers,
                    heapMib,
                    arrivedPercent);
        }
    }

    private FullSubnet(int ports, int subnets) {
        this.ports = ports;
        this.subnets = subnets;
        this.fabric = Fabric.of(subnets == 1 ? Topologies.threeLevelFatTree(ports) : joined());
    }

    /** Prints the numbers of an outcome. */
    public static void main(String... arguments) throws InterruptedException {
        System.out.println(
                measure(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]))
                        .line());
        System.exit(0);
    }

    /** Builds subnets, sweeps them, and sends packets between this many pairs of hosts. */
    static Outcome measure(int ports, int subnets, int pairs) throws InterruptedException {
        long startNs = System.nanoTime();
        try (FullSubnet full = new FullSubnet(ports, subnets)) {
            double buildSeconds = (System.nanoTime() - startNs) / 1e9;
            startNs = System.nanoTime();
            full.sweep();
            double sweepSeconds = (System.nanoTime() - startNs) / 1e9;
            double virtualSeconds = full.fabric.nowNs() / 1e9;
            double arrived = 100 * full.carry(pairs);
            return new Outcome(
                    buildSeconds,
                    sweepSeconds,
                    virtualSeconds,
                    full.managers.stream().mapToLong(SubnetManager::sent).sum(),
                    full.identifiers(),
                    ProcessMemory.liveHeapBytes() / (double) (1 << 20),
                    arrived);
        }
    }

    // --- topology

    /** The name of a node of a tree in one of the subnets. */
    private String name(int subnet, String node) {
        return subnets == 1 ? node : "s" + subnet + "-" + node;
    }

    /** Trees side by side. The last host of a tree gives way to the router to the next one, the first host to the router to the one before. */
    private Topology joined() {
        Topology tree = Topologies.threeLevelFatTree(ports);
        TopologyBuilder builder = Topology.builder();
        for (int subnet = 0; subnet < subnets; subnet++) {
            for (int index = 0; index < tree.nodes().size(); index++) {
                TopologyNode node = tree.nodes().get(index);
                if (node.isSwitch()) {
                    builder.switchNode(name(subnet, node.name()), node.ports());
                } else if (routerAt(subnet, index) < 0) {
                    builder.adapter(name(subnet, node.name()), node.ports());
                }
            }
        }
        for (int router = 0; router < subnets - 1; router++) {
            builder.router("router" + router, 2);
        }
        for (int subnet = 0; subnet < subnets; subnet++) {
            for (Cable cable : tree.cables()) {
                int router = routerAt(subnet, cable.node());
                String end = name(subnet, tree.nodes().get(cable.node()).name());
                String other = name(subnet, tree.nodes().get(cable.otherNode()).name());
                if (router < 0) {
                    builder.cable(end, cable.port(), other, cable.otherPort());
                } else {
                    builder.cable("router" + router, router == subnet ? 1 : 2, other, cable.otherPort());
                }
            }
        }
        return builder.build();
    }

    private int hostsOfATree() {
        return ports * ports * ports / 4;
    }

    /** The router in the place of a node of a tree, which has its hosts first; −1: none. */
    private int routerAt(int subnet, int index) {
        if (index == hostsOfATree() - 1 && subnet < subnets - 1) {
            return subnet;
        }
        return index == 0 && subnet > 0 ? subnet - 1 : -1;
    }

    /** A host that is no router in any tree. */
    private String host(int subnet, int index) {
        int half = ports / 2;
        return name(subnet, "h" + index / half / half + "-" + index / half % half + "-" + index % half);
    }

    private int sample() {
        return 1 + seed.nextInt(hostsOfATree() - 2);
    }

    // --- management

    private void sweep() {
        for (int subnet = 0; subnet < subnets; subnet++) {
            managers.add(FabricSweep.bringUp(
                    fabric, host(subnet, 1), ManagerOptions.DEFAULT.withLmc(LMC).withSubnetPrefix(PREFIX + subnet)));
        }
    }

    private long identifiers() {
        long count = 0;
        for (ManagedNode node : fabric.nodes()) {
            for (int number = node.isSwitch() ? 0 : 1; number <= (node.isSwitch() ? 0 : node.portCount()); number++) {
                count += node.port(number).lid() == 0
                        ? 0
                        : 1L << node.port(number).lmc();
            }
        }
        return count;
    }

    // --- traffic

    /** Sends a packet in each direction of each pair on each of four ways; the share that arrived. */
    private double carry(int pairs) {
        long sent = 0;
        long arrived = 0;
        for (int pair = 0; pair < pairs; pair++) {
            String one = host(pair % subnets, sample());
            String other = host((pair + 1) % subnets, sample());
            if (!one.equals(other)) {
                try (Link from = fabric.open(one, 1);
                        Link to = fabric.open(other, 1)) {
                    sent += 2L << LMC;
                    arrived += carry(from, to) + carry(to, from);
                }
                fabric.run(fabric.nowNs() + WAY_NS);
            }
        }
        return (double) arrived / sent;
    }

    private int carry(Link from, Link to) {
        sources.clear();
        queuePairs.clear();
        for (int way = 0; way < 1 << LMC; way++) {
            Packet packet = claim(from, from.path(to.local(), LinkFlow.of(way)));
            Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, KEY, QUEUE_PAIR + way);
            from.commit(packet);
        }
        from.flush();
        for (long endNs = fabric.nowNs() + WAY_NS; fabric.nowNs() < endNs; ) {
            fabric.run(endNs);
            to.receive(this::onPacket, Integer.MAX_VALUE);
        }
        int arrived = 0;
        for (int way = 0; way < 1 << LMC; way++) {
            int at = queuePairs.indexOf(QUEUE_PAIR + way);
            arrived += at >= 0 && sources.get(at).equals(from.local()) ? 1 : 0;
        }
        return arrived;
    }

    /** Waits for the subnet administration to tell the way. */
    private Packet claim(Link from, LinkPath path) {
        long endNs = fabric.nowNs() + WAY_NS;
        Packet packet = from.claim(path, LENGTH);
        while (packet == null && fabric.nowNs() < endNs) {
            from.flush();
            fabric.run(Math.min(endNs, fabric.nowNs() + STEP_NS));
            packet = from.claim(path, LENGTH);
        }
        if (packet == null) {
            throw new MeasurementException("no way from " + from.local() + " to " + path.remote());
        }
        return packet;
    }

    private void onPacket(Packet packet) {
        sources.add(Endpoint.of(packet.sourceHigh(), packet.sourceLow(), packet.sourcePort()));
        queuePairs.add(Bth.destinationQueuePair(packet.segment(), packet.offset()));
    }

    @Override
    public void close() {
        fabric.close();
    }
}
