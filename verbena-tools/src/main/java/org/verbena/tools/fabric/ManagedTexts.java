package org.verbena.tools.fabric;

import java.util.Locale;
import org.verbena.fabric.Fabric;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.tools.console.ToolException;

/** Shows a fabric that Verbena's own subnet manager has brought up, in virtual time: identifiers, states, packets. */
final class ManagedTexts implements PortTexts {
    /** Virtual time that the managers get. */
    private static final long LIMIT_NS = 600_000_000_000L;

    private final Fabric fabric;

    private ManagedTexts(Fabric fabric) {
        this.fabric = fabric;
    }

    /** Brings up every subnet of a fabric, each by a manager at its first node. */
    static ManagedTexts of(Fabric fabric) {
        for (ManagedNode node : fabric.nodes()) {
            for (int number = 1; number <= node.portCount(); number++) {
                if (node.port(number).isUp() && node.endPort(number).lid() == 0) {
                    settle(fabric, fabric.manage(node.endPort(number), ManagerOptions.DEFAULT));
                }
            }
        }
        return new ManagedTexts(fabric);
    }

    private static void settle(Fabric fabric, SubnetManager manager) {
        while (!manager.isSettled()) {
            if (fabric.nextEventNs() >= LIMIT_NS) {
                throw new ToolException("the subnet did not come up; problems: " + manager.problems());
            }
            fabric.advance(fabric.nextEventNs());
        }
    }

    private ManagedPort at(int node, int port) {
        return fabric.nodes().get(node).port(port);
    }

    @Override
    public int lid(int node, int port) {
        return fabric.nodes().get(node).endPort(port).lid();
    }

    @Override
    public String state(int node, int port) {
        ManagedPort found = at(node, port);
        return String.format(Locale.ROOT, "%7s/%8s", text(found.state()), text(found.physicalState()));
    }

    @Override
    public String packets(int node, int port) {
        ManagedPort found = at(node, port);
        return String.format(
                Locale.ROOT,
                " # sent %d received %d",
                found.counters().transmittedPackets,
                found.counters().receivedPackets);
    }

    private static String text(PortState state) {
        return switch (state) {
            case ACTIVE -> "Active";
            case ARMED -> "Armed";
            case INIT -> "Init";
            case DOWN, NO_CHANGE -> "Down";
        };
    }

    private static String text(PhysicalState state) {
        return switch (state) {
            case LINK_UP -> "LinkUp";
            case DISABLED -> "Disabled";
            case SLEEP -> "Sleep";
            default -> "Polling";
        };
    }
}
