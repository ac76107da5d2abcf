package org.verbena.fabric.topology;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.verbena.manage.NodeKind;

/**
 * A node of a topology.
 *
 * @param name unique in the topology; one to 64 characters without quotation marks and {@code @}. Text before a {@code #} is the node's module
 * @param ports number of ports without port 0
 * @param guid GUID of the node, and of all ports of a switch
 * @param systemImageGuid GUID of the system that the node is part of
 * @param description NodeDescription, at most 64 bytes of UTF-8; the name if it is empty
 * @param enhancedPort0 whether port 0 of a switch is like a port of an adapter
 * @param place the host or chassis that the node is part of, for people; empty if it stands alone
 * @param portGuids GUIDs of an end node's ports that differ from node GUID + port number
 * @param rates of ports; a port without an entry has {@link PortRates#DEFAULT}
 * @param lids local identifiers of ports, of a switch at port 0; a port without an entry has none
 */
public record TopologyNode(
        NodeKind kind,
        String name,
        int ports,
        long guid,
        long systemImageGuid,
        int vendorId,
        int deviceId,
        String description,
        boolean enhancedPort0,
        String place,
        Map<Integer, Long> portGuids,
        Map<Integer, PortRates> rates,
        Map<Integer, PortLids> lids) {
    /** Most ports of a node, without port 0. */
    public static final int PORTS_MAX = 254;

    static final int NAME_MAX = 64;
    static final int DESCRIPTION_BYTES_MAX = 64;
    static final int VENDOR_MAX = 0xff_ffff;
    static final int DEVICE_MAX = 0xffff;

    private static final PortLids NO_LIDS = new PortLids(0, 0);

    /**
     * Checks the values, and leaves out entries that say what holds without them.
     *
     * @throws TopologyException if a value is out of range
     */
    public TopologyNode {
        requireText("name", name, NAME_MAX);
        if (name.isEmpty() || name.indexOf('@') >= 0 || name.indexOf('#') != name.lastIndexOf('#')) {
            throw new TopologyException(
                    "name \"" + name + "\" found; characters other than '@', and at most one '#', expected");
        }
        requireRange(name, "ports", ports, 1, PORTS_MAX);
        requireRange(name, "vendor identifier", vendorId, 0, VENDOR_MAX);
        requireRange(name, "device identifier", deviceId, 0, DEVICE_MAX);
        if (guid == 0) {
            throw new TopologyException("GUID 0 of \"" + name + "\" found, another expected");
        }
        description = description.isEmpty() ? name : description;
        requireText("description", description, DESCRIPTION_BYTES_MAX);
        requireText("place", place, NAME_MAX);
        portGuids = kind == NodeKind.SWITCH ? Map.of() : portGuidsThatDiffer(guid, portGuids);
        rates = without(rates, PortRates.DEFAULT);
        lids = without(lids, NO_LIDS);
        requirePorts(name, ports, portGuids);
        requirePorts(name, ports, rates);
        requirePorts(name, ports, lids);
    }

    private static void requireText(String what, String text, int bytesMax) {
        if (text.length() > bytesMax / 3 && text.getBytes(StandardCharsets.UTF_8).length > bytesMax) {
            throw new TopologyException(what + " \"" + text + "\" of more than " + bytesMax + " bytes found");
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '"' || Character.isISOControl(text.charAt(i))) {
                throw new TopologyException(what + " with character " + (int) text.charAt(i)
                        + " found; no quotation marks and no control characters expected");
            }
        }
    }

    private static void requireRange(String name, String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new TopologyException(
                    what + " " + value + " of \"" + name + "\" found, " + least + " … " + most + " expected");
        }
    }

    private static void requirePorts(String name, int ports, Map<Integer, ?> entries) {
        for (int port : entries.keySet()) {
            requireRange(name, "port", port, 0, ports);
        }
    }

    private static Map<Integer, Long> portGuidsThatDiffer(long guid, Map<Integer, Long> portGuids) {
        if (portGuids.entrySet().stream().allMatch(entry -> entry.getValue() != guid + entry.getKey())) {
            return Map.copyOf(portGuids);
        }
        return portGuids.entrySet().stream()
                .filter(entry -> entry.getValue() != guid + entry.getKey())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static <V> Map<Integer, V> without(Map<Integer, V> entries, V usual) {
        if (!entries.containsValue(usual)) {
            return Map.copyOf(entries);
        }
        return entries.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(usual))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    public boolean isSwitch() {
        return kind == NodeKind.SWITCH;
    }

    /** The GUID of a port; all ports of a switch have the node's. */
    public long portGuid(int port) {
        return isSwitch() ? guid : portGuids.getOrDefault(port, guid + port);
    }

    /** The widths and speeds of a port. */
    public PortRates ratesOf(int port) {
        return rates.getOrDefault(port, PortRates.DEFAULT);
    }

    /** The local identifiers of a port, 0 for the switch itself; lid 0 if it has none. */
    public PortLids lidsOf(int port) {
        return lids.getOrDefault(port, NO_LIDS);
    }
}
