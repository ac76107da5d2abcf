package org.verbena.fabric.topology;

import java.util.HashMap;
import java.util.Map;
import org.verbena.manage.NodeKind;

/** A node of a net file while the file is read. */
final class NetNode {
    final NetLine line;
    final NodeKind kind;
    final String name;
    final int ports;
    /** Port lines by port. */
    final Map<Integer, NetPortLine> ends = new HashMap<>();

    private final long guid;
    private final long systemImageGuid;
    private final String description;
    private final String rest;
    private final Map<Integer, Long> portGuids = new HashMap<>();
    private final Map<Integer, PortRates> rates = new HashMap<>();
    private final Map<Integer, PortLids> lids = new HashMap<>();
    private final int vendorId;
    private final int deviceId;
    private final String place;

    /**
     * Takes what the lines before have said about the next node.
     *
     * @param description empty if the line has none
     * @param rest text of the line behind the description
     */
    NetNode(
            NetLine line,
            NodeKind kind,
            String name,
            int ports,
            String description,
            String rest,
            NetDefaults defaults) {
        this.line = line;
        this.kind = kind;
        this.name = name;
        this.ports = ports;
        this.description = description;
        this.rest = rest;
        this.guid = defaults.takeGuid(kind, ports);
        this.systemImageGuid = defaults.systemImageGuid == 0 ? guid : defaults.systemImageGuid;
        this.vendorId = defaults.vendorId;
        this.deviceId = defaults.deviceId;
        this.place = defaults.place;
        PortRates usual = defaults.rates();
        for (int port = 0; port <= ports && !usual.equals(PortRates.DEFAULT); port++) {
            rates.put(port, usual);
        }
        if (kind == NodeKind.SWITCH) {
            lids.put(0, NetPortLine.lids(line, rest));
        } else {
            rates.remove(0);
        }
        defaults.forgetNode();
    }

    void add(NetPortLine end) {
        end.line().requireRange("port", end.port(), 1, ports);
        NetPortLine other = ends.putIfAbsent(end.port(), end);
        if (other != null) {
            throw end.line()
                    .error("second line of port " + end.port() + " found, the first is line "
                            + other.line().number());
        }
        rates.put(end.port(), end.rates().over(rates.getOrDefault(end.port(), PortRates.DEFAULT)));
        if (kind != NodeKind.SWITCH) {
            end.guid().ifPresent(own -> portGuids.put(end.port(), own));
            lids.put(end.port(), end.lids());
        }
    }

    TopologyNode node() {
        try {
            return new TopologyNode(
                    kind,
                    name,
                    ports,
                    guid,
                    systemImageGuid,
                    vendorId,
                    deviceId,
                    description,
                    rest.contains("enhanced port 0"),
                    place,
                    portGuids,
                    rates,
                    lids);
        } catch (TopologyException e) {
            throw line.error(e);
        }
    }
}
