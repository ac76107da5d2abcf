package org.verbena.tools.fabric;

import java.util.ArrayList;
import java.util.List;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.PortCounters;

/** Ports and their counters as lines of the console. */
final class PortLines {
    private PortLines() {}

    /** A line for the node, and one for each of its ports. */
    static List<String> of(ManagedNode node) {
        List<String> lines = new ArrayList<>();
        lines.add(node.kind() + " " + node.name());
        for (int number = node.isSwitch() ? 0 : 1; number <= node.portCount(); number++) {
            ManagedPort port = node.port(number);
            ManagedPort peer = port.peer();
            lines.add(String.format(
                    "  [%d] lid %d %s/%s%s",
                    number, port.lid(), port.state(), port.physicalState(), peer == null ? "" : " -> " + peer));
        }
        return lines;
    }

    /** The counters of a port, under the names that perfquery has for them. */
    static List<String> counters(ManagedPort port) {
        PortCounters counters = port.counters();
        List<String> lines = new ArrayList<>();
        lines.add("counters of " + port);
        add(lines, "SymbolErrorCounter", counters.symbolErrors);
        add(lines, "LinkErrorRecoveryCounter", counters.linkErrorRecoveries);
        add(lines, "LinkDownedCounter", counters.linkDowned);
        add(lines, "PortRcvErrors", counters.receiveErrors);
        add(lines, "PortRcvRemotePhysicalErrors", counters.receiveRemotePhysicalErrors);
        add(lines, "PortRcvSwitchRelayErrors", counters.receiveSwitchRelayErrors);
        add(lines, "PortXmitDiscards", counters.transmitDiscards);
        add(lines, "PortXmitConstraintErrors", counters.transmitConstraintErrors);
        add(lines, "PortRcvConstraintErrors", counters.receiveConstraintErrors);
        add(lines, "LocalLinkIntegrityErrors", counters.localLinkIntegrityErrors);
        add(lines, "ExcessiveBufferOverrunErrors", counters.excessiveBufferOverruns);
        add(lines, "VL15Dropped", counters.lane15Dropped);
        add(lines, "PortXmitData", counters.transmittedWords);
        add(lines, "PortRcvData", counters.receivedWords);
        add(lines, "PortXmitPkts", counters.transmittedPackets);
        add(lines, "PortRcvPkts", counters.receivedPackets);
        add(lines, "PortMulticastXmitPkts", counters.transmittedMulticasts);
        add(lines, "PortMulticastRcvPkts", counters.receivedMulticasts);
        add(lines, "PortXmitWait", counters.transmitWait);
        return lines;
    }

    private static void add(List<String> lines, String name, long value) {
        lines.add("  " + name + ": " + value);
    }
}
