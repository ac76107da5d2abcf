package org.verbena.fabric;

import java.util.List;
import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyBuilder;
import org.verbena.link.Link;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.Registers;

/**
 * A fabric of three switches in a line with hosts at each, ready for traffic: the registers are written as a subnet manager would have them.
 * Host n is at switch n mod 3, so that neighbours in number are at different switches. Every multicast packet reaches every host.
 */
public final class ThreeSwitches implements AutoCloseable {
    /** The longest MTU, as a code: 4096 bytes. */
    private static final int MTU = 5;

    private static final int SWITCHES = 3;
    private static final int GROUP_FIRST = 0xc000;
    private static final int GROUPS = 64;
    private static final int LMC = 1;
    private static final long STEP_NS = 1_000_000;

    private final Fabric fabric;
    private final int hosts;
    private int opened;

    /** With room for this many links. */
    public ThreeSwitches(int hosts) {
        this(hosts, FabricOptions.DEFAULT);
    }

    public ThreeSwitches(int hosts, FabricOptions options) {
        this.hosts = hosts;
        this.fabric = Fabric.of(topology(hosts), options.withAdministration(false));
        configure();
    }

    private static Topology topology(int hosts) {
        int ports = Math.ceilDiv(hosts, SWITCHES) + 2;
        TopologyBuilder builder = Topology.builder();
        for (int i = 0; i < SWITCHES; i++) {
            builder.switchNode("switch" + i, ports);
        }
        for (int i = 0; i < hosts; i++) {
            builder.adapter("host" + i, 1).cable("host" + i, 1, "switch" + i % SWITCHES, 1 + i / SWITCHES);
        }
        for (int i = 1; i < SWITCHES; i++) {
            builder.cable("switch" + (i - 1), ports, "switch" + i, ports - 1);
        }
        return builder.build();
    }

    private void configure() {
        List<ManagedNode> nodes = fabric.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            ManagedNode node = nodes.get(i);
            for (int number = 1; number <= node.portCount(); number++) {
                if (node.port(number).peer() != null) {
                    Registers.state(node.port(number), MTU, PortState.ACTIVE);
                }
            }
            if (node.isSwitch()) {
                Registers.lid(node.port(0), lidOf(i), 0);
            } else {
                Registers.lid(node.port(1), lidOf(i), LMC);
            }
        }
        for (int at = 0; at < SWITCHES; at++) {
            for (int to = 0; to < nodes.size(); to++) {
                Registers.linear(nodes.get(at), lidOf(to), outputOf(at, to));
                Registers.linear(nodes.get(at), lidOf(to) + 1, outputOf(at, to));
            }
            ManagedNode node = nodes.get(at);
            for (int group = 0; group < GROUPS; group++) {
                for (int number = 1; number <= node.portCount(); number++) {
                    Registers.multicast(node, GROUP_FIRST + group, number);
                }
            }
        }
    }

    /** Every node has two identifiers, switches too. */
    private static int lidOf(int node) {
        return 2 * (node + 1);
    }

    private int outputOf(int at, int to) {
        int host = to - SWITCHES;
        int target = host < 0 ? to : host % SWITCHES;
        int ports = Math.ceilDiv(hosts, SWITCHES) + 2;
        if (target != at) {
            return target > at ? ports : ports - 1;
        }
        return host < 0 ? 0 : 1 + host / SWITCHES;
    }

    public Fabric fabric() {
        return fabric;
    }

    /** The port of a host. */
    public ManagedPort port(int host) {
        return fabric.port("host" + host, 1);
    }

    /** Gives a host other identifiers: this one, which is even, and the next. */
    public void move(int host, int lid) {
        for (int at = 0; at < SWITCHES; at++) {
            Registers.linear(fabric.nodes().get(at), lid, outputOf(at, SWITCHES + host));
            Registers.linear(fabric.nodes().get(at), lid + 1, outputOf(at, SWITCHES + host));
        }
        Registers.lid(port(host), lid, LMC);
    }

    /** A link at the next host. */
    public Link open() {
        return fabric.open("host" + opened++, 1);
    }

    /**
     * Lets time pass up to the next packet for a link, or until nothing is under way.
     *
     * @return whether something was under way
     */
    public boolean step() {
        if (fabric.nextEventNs() == Long.MAX_VALUE) {
            return false;
        }
        fabric.run(fabric.nowNs() + STEP_NS);
        return true;
    }

    @Override
    public void close() {
        fabric.close();
    }
}
