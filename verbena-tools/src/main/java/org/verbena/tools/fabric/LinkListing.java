package org.verbena.tools.fabric;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.verbena.fabric.Fabric;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.NodeKind;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.tools.console.Figures;

/**
 * Lists every port of a fabric and the port at the other end of its cable, in the columns of iblinkinfo: local identifier, port, width, speed, states, and the same of
 * the other end. Behind them stand the packets that the port has sent and received.
 */
final class LinkListing {
    private final Fabric fabric;

    LinkListing(Fabric fabric) {
        this.fabric = fabric;
    }

    void print(PrintWriter out) {
        int ends = 0;
        for (ManagedNode node : fabric.nodes()) {
            out.println(head(node));
            for (int number = 1; number <= node.portCount(); number++) {
                ManagedPort port = node.port(number);
                out.println(line(port));
                ends += port.peer() == null ? 0 : 1;
            }
        }
        out.println("## " + count(NodeKind.ADAPTER) + " adapters, " + count(NodeKind.SWITCH) + " switches, "
                + count(NodeKind.ROUTER) + " routers, " + ends / 2 + " cables");
        out.flush();
    }

    private long count(NodeKind kind) {
        return fabric.nodes().stream().filter(node -> node.kind() == kind).count();
    }

    private static String head(ManagedNode node) {
        return switch (node.kind()) {
            case SWITCH -> Figures.format("Switch: 0x%016x %s:", node.guid(), node.description());
            case ADAPTER -> "CA: " + node.description() + ":";
            case ROUTER -> "Rt: " + node.description() + ":";
        };
    }

    private static String line(ManagedPort port) {
        String here = port.node().isSwitch()
                ? Figures.format("%12d %4d", lid(port), port.number())
                : Figures.format("      0x%016x %6d %4d", port.guid(), lid(port), port.number());
        return here + "[  ] ==(" + link(port) + ")==> " + remote(port.peer()) + packets(port);
    }

    /** Of a port of a switch, that of the switch. */
    private static int lid(ManagedPort port) {
        return port.node().endPort(port.number()).lid();
    }

    /** Width, speed and states; of a port that is down only the states. */
    private static String link(ManagedPort port) {
        String states = Figures.format("%6s/%8s", text(port.state()), text(port.physicalState()));
        return port.isUp()
                ? Figures.format("%3s %18s %s", port.width().lanes() + "X", text(port.speed()), states)
                : Figures.format("%14s%s", "", states);
    }

    private static String text(LinkSpeed speed) {
        return switch (speed) {
            case SDR -> "2.5 Gbps";
            case DDR -> "5.0 Gbps";
            case QDR -> "10.0 Gbps";
            case FDR10 -> "10.0 Gbps (FDR10)";
            case FDR -> "14.0625 Gbps";
            case EDR -> "25.78125 Gbps";
            case HDR -> "53.125 Gbps";
            case NDR -> "106.25 Gbps";
        };
    }

    private static String text(PortState state) {
        return switch (state) {
            case ACTIVE -> "Active";
            case ARMED -> "Armed";
            case INIT -> "Initialize";
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

    private static String remote(@Nullable ManagedPort peer) {
        return peer == null
                ? "            [  ] \"\""
                : Figures.format(
                        "%7d %4d[  ] \"%s\"",
                        lid(peer), peer.number(), peer.node().description());
    }

    private static String packets(ManagedPort port) {
        return Figures.format(
                " # sent %d received %d", port.counters().transmittedPackets, port.counters().receivedPackets);
    }
}
