package org.verbena.tools.fabric;

import java.io.PrintWriter;
import java.util.Optional;
import org.verbena.fabric.topology.Cable;
import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyNode;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.NodeKind;
import org.verbena.tools.console.Figures;

/** Lists every port of a topology and the port at the other end of its cable, in the columns of iblinkinfo. */
final class LinkListing {
    private final Topology topology;
    private final PortTexts texts;

    LinkListing(Topology topology, PortTexts texts) {
        this.topology = topology;
        this.texts = texts;
    }

    void print(PrintWriter out) {
        for (int node = 0; node < topology.nodes().size(); node++) {
            printNode(out, node);
        }
        out.println("## " + count(NodeKind.ADAPTER) + " adapters, " + count(NodeKind.SWITCH) + " switches, "
                + count(NodeKind.ROUTER) + " routers, " + topology.cables().size() + " cables");
        out.flush();
    }

    private long count(NodeKind kind) {
        return topology.nodes().stream().filter(node -> node.kind() == kind).count();
    }

    private void printNode(PrintWriter out, int index) {
        TopologyNode node = topology.nodes().get(index);
        out.println(
                switch (node.kind()) {
                    case SWITCH -> Figures.format("Switch: 0x%016x %s:", node.guid(), node.description());
                    case ADAPTER -> "CA: " + node.description() + ":";
                    case ROUTER -> "Rt: " + node.description() + ":";
                });
        for (int port = 1; port <= node.ports(); port++) {
            String here = node.isSwitch()
                    ? Figures.format("%12d %4d", texts.lid(index, port), port)
                    : Figures.format("      0x%016x %6d %4d", node.portGuid(port), texts.lid(index, port), port);
            out.println(
                    here + "[  ] ==(" + link(index, port) + ")==> " + remote(index, port) + texts.packets(index, port));
        }
    }

    /** Width, speed and states; without a cable only the states. */
    private String link(int node, int port) {
        Optional<Cable> cable = topology.cableAt(node, port);
        String state = texts.state(node, port);
        String rate = cable.map(found -> Figures.format(
                        "%3s %18s", topology.widthOf(found).lanes() + "X", text(topology.speedOf(found))))
                .orElse(Figures.format("%22s", state.isEmpty() ? "no cable" : ""));
        return state.isEmpty() ? rate : rate + " " + state;
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

    private String remote(int node, int port) {
        return topology.cableAt(node, port)
                .map(cable -> Figures.format(
                        "%7d %4d[  ] \"%s\"",
                        texts.lid(cable.otherNode(), cable.otherPort()),
                        cable.otherPort(),
                        topology.nodes().get(cable.otherNode()).description()))
                .orElse("            [  ] \"\"");
    }
}
