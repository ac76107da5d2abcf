package org.verbena.fabric.topology;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

/** Writes a topology as a net file. */
final class NetWriter {
    private final Topology topology;
    private final StringBuilder out = new StringBuilder();
    private String module = "";
    private PortRates usual = PortRates.DEFAULT;

    NetWriter(Topology topology) {
        this.topology = topology;
    }

    String text() {
        for (int i = 0; i < topology.nodes().size(); i++) {
            writeNode(i, topology.nodes().get(i));
            out.append('\n');
        }
        return out.toString();
    }

    private void writeNode(int index, TopologyNode node) {
        String ownModule = moduleOf(node.name());
        if (!ownModule.equals(module)) {
            line("module=\"" + ownModule + "\"");
            module = ownModule;
        }
        writeUsualRates(index, node);
        if (!node.place().isEmpty()) {
            line("place=\"" + node.place() + "\"");
        }
        line("vendid=0x" + Integer.toHexString(node.vendorId()));
        line("devid=0x" + Integer.toHexString(node.deviceId()));
        line("sysimgguid=" + Topology.hex(node.systemImageGuid()));
        line(guidLine(node));
        line(nodeLine(node));
        for (int port = 1; port <= node.ports(); port++) {
            Optional<Cable> cable = topology.cableAt(index, port);
            if (cable.isPresent()) {
                writePort(node, cable.get());
            }
        }
    }

    private static String moduleOf(String name) {
        return name.substring(0, Math.max(0, name.indexOf('#')));
    }

    private static String guidLine(TopologyNode node) {
        String guid = Long.toHexString(node.guid());
        return switch (node.kind()) {
            case ADAPTER -> "caguid=0x" + guid;
            case ROUTER -> "rtguid=0x" + guid;
            case SWITCH -> "switchguid=0x" + guid + "(" + guid + ")";
        };
    }

    private static String nodeLine(TopologyNode node) {
        String word = switch (node.kind()) {
            case ADAPTER -> "Ca";
            case ROUTER -> "Rt";
            case SWITCH -> "Switch";
        };
        String id = node.name().substring(node.name().indexOf('#') + 1);
        String line = word + "\t" + node.ports() + " \"" + id + "\"\t\t# \"" + node.description() + "\"";
        if (!node.isSwitch()) {
            return line;
        }
        return line + (node.enhancedPort0() ? " enhanced" : " base") + " port 0 " + lids(node.lidsOf(0));
    }

    private static String lids(PortLids lids) {
        return "lid " + lids.lid() + " lmc " + lids.lmc();
    }

    /** Ports without a cable have no line. Their rates are those of the lines {@code width=}, {@code speed=} and {@code extspeed=}. */
    private void writeUsualRates(int index, TopologyNode node) {
        PortRates wanted = usual;
        boolean found = false;
        for (int port = node.isSwitch() ? 0 : 1; port <= node.ports(); port++) {
            if (port > 0 && topology.cableAt(index, port).isPresent()) {
                continue;
            }
            if (found && !wanted.equals(node.ratesOf(port))) {
                throw new TopologyException("ports without a cable that have different rates at \"" + node.name()
                        + "\" found; a net file has one rate for them");
            }
            wanted = node.ratesOf(port);
            found = true;
        }
        if (wanted.equals(usual)) {
            return;
        }
        requireMasks(node, wanted, wanted.fdr10());
        if (wanted.fdr10()) {
            throw new TopologyException("port without a cable that may use FDR10 at \"" + node.name()
                    + "\" found; a net file has FDR10 only for ports with a cable");
        }
        line("width=" + wanted.widthEnabled());
        line("speed=" + wanted.speedEnabled());
        line("extspeed=" + wanted.extendedEnabled());
        usual = wanted;
    }

    private static void requireMasks(TopologyNode node, PortRates rates, boolean fdr10) {
        if (!rates.equals(
                PortRates.enabled(rates.widthEnabled(), rates.speedEnabled(), rates.extendedEnabled(), fdr10))) {
            throw new TopologyException("rates of \"" + node.name()
                    + "\" found with masks of supported ones that a net file cannot express");
        }
    }

    private void writePort(TopologyNode node, Cable cable) {
        TopologyNode other = topology.nodes().get(cable.otherNode());
        if (!module.isEmpty() && moduleOf(other.name()).isEmpty()) {
            throw new TopologyException("cable from \"" + node.name() + "\" in a module to \"" + other.name()
                    + "\" in none found; a net file cannot express it");
        }
        StringBuilder line =
                new StringBuilder().append('[').append(cable.port()).append(']');
        if (!node.isSwitch()) {
            line.append('(')
                    .append(Long.toHexString(node.portGuid(cable.port())))
                    .append(')');
        }
        line.append("\t\"")
                .append(other.name())
                .append("\"[")
                .append(cable.otherPort())
                .append(']');
        PortRates rates = node.ratesOf(cable.port());
        String text = rateText(rates);
        if (text.isEmpty() && !rates.equals(usual)) {
            requireMasks(node, rates, rates.fdr10());
            line.append(" w=").append(rates.widthEnabled()).append(" s=").append(rates.speedEnabled());
            line.append(" e=").append(rates.extendedEnabled()).append(rates.fdr10() ? " f=1" : "");
        }
        if (cable.lengthCm() != Cable.USUAL_CM) {
            line.append(" l=").append(cable.lengthCm());
        }
        line.append("\t\t# ");
        if (!node.isSwitch()) {
            line.append(lids(node.lidsOf(cable.port()))).append(' ');
        }
        int otherLid = other.lidsOf(other.kind() == NodeKind.SWITCH ? 0 : cable.otherPort())
                .lid();
        line.append('"').append(other.description()).append("\" lid ").append(otherLid);
        line(line.append(text.isEmpty() ? "" : " " + text).toString());
    }

    /** A text such as {@code 4xEDR} that gives these rates; empty if there is none. */
    private String rateText(PortRates rates) {
        LinkWidth width = rates.widthWith(rates);
        LinkSpeed speed = rates.speedWith(rates);
        return usual.with(width, speed).equals(rates) ? width + speed.name() : "";
    }

    private void line(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length > NetParser.LINE_MAX) {
            throw new TopologyException("line of more than " + NetParser.LINE_MAX + " bytes needed: " + text);
        }
        out.append(text).append('\n');
    }
}
