package org.verbena.fabric;

import java.util.ArrayList;
import java.util.List;
import org.verbena.fabric.topology.Cable;
import org.verbena.fabric.topology.PortRates;
import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyNode;
import org.verbena.manage.agent.Cabling;
import org.verbena.manage.agent.LinkRates;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.NodeProfile;

/** Makes the registers of all nodes of a topology. Cabled ports are in state Init, the others down. Ports have the local identifiers of the topology. */
final class Commissioning {
    private Commissioning() {}

    /** The nodes in the order of the topology, connected. */
    static List<ManagedNode> of(Topology topology, FabricOptions options) {
        List<ManagedNode> nodes = new ArrayList<>(topology.nodes().size());
        for (TopologyNode node : topology.nodes()) {
            nodes.add(node(node, options));
        }
        for (Cable cable : topology.cables()) {
            Cabling.plug(
                    nodes.get(cable.node()).port(cable.port()),
                    nodes.get(cable.otherNode()).port(cable.otherPort()),
                    0);
        }
        return nodes;
    }

    private static ManagedNode node(TopologyNode node, FabricOptions options) {
        ManagedNode made = new ManagedNode(NodeProfile.of(node.kind(), node.name(), node.guid(), node.ports())
                .withDescription(node.description())
                .withMaker(node.vendorId(), node.deviceId(), node.systemImageGuid())
                .withPortGuids(node.portGuids())
                .withEnhancedPort0(node.enhancedPort0())
                .withCaps(options.mtu().code(), laneCode(options.lanes()))
                .withConduct(options.conduct()));
        node.rates().forEach((port, rates) -> made.port(port).rates(rates(rates)));
        node.lids().forEach((port, lids) -> made.port(port).identify(lids.lid(), lids.lmc()));
        return made;
    }

    /** The number of PortInfo for this many lanes. */
    private static int laneCode(int lanes) {
        return lanes == FabricOptions.LANES_MAX ? 5 : Integer.numberOfTrailingZeros(lanes) + 1;
    }

    private static LinkRates rates(PortRates rates) {
        return new LinkRates(
                rates.widthSupported(),
                rates.widthEnabled(),
                rates.speedSupported(),
                rates.speedEnabled(),
                rates.extendedSupported(),
                rates.extendedEnabled(),
                rates.fdr10());
    }
}
