package org.verbena.manage.agent;

import java.util.Map;
import org.verbena.manage.NodeKind;

/**
 * What a node is, and how large its tables are. Immutable; the {@code with} methods give changed copies.
 *
 * @param name in the topology
 * @param description for people, at most 64 bytes are shown
 * @param portCount ports without port 0, 1 … 254
 * @param portGuids GUIDs of ports that differ from node GUID + port number
 * @param linearCap entries of the linear table
 * @param multicastCap entries of the multicast table
 * @param mtuCap code of the longest MTU, 1 … 5
 * @param laneCap code of the number of lanes, 1 … 5
 */
public record NodeProfile(
        NodeKind kind,
        String name,
        String description,
        long guid,
        long systemImageGuid,
        int vendorId,
        int deviceId,
        int revision,
        int portCount,
        Map<Integer, Long> portGuids,
        boolean enhancedPort0,
        int linearCap,
        int multicastCap,
        int mtuCap,
        int laneCap,
        Conduct conduct) {
    /** Most ports of a node without port 0: numbers of ports have 8 bits, and 255 is no port. */
    public static final int PORTS_MAX = 254;

    /** All unicast local identifiers. */
    private static final int LINEAR_CAP = 0xc000;
    /** The linear table of ibsim 0.10. */
    private static final int IBSIM_LINEAR_CAP = 0x7800;

    private static final int MULTICAST_CAP = 0x400;
    private static final int REVISION = 0xa1;
    private static final int MTU_CODE_2048 = 4;
    private static final int LANES_CODE_8 = 4;
    private static final int CODE_MAX = 5;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public NodeProfile {
        require("portCount", portCount, 1, PORTS_MAX);
        require("linearCap", linearCap, 1, LINEAR_CAP);
        require("multicastCap", multicastCap, 0, 0x4000 - 1);
        require("mtuCap", mtuCap, 1, CODE_MAX);
        require("laneCap", laneCap, 1, CODE_MAX);
        portGuids = Map.copyOf(portGuids);
    }

    /** A node with ibsim's revision, 2048 bytes of MTU and 8 lanes, whose agents follow the specification. */
    public static NodeProfile of(NodeKind kind, String name, long guid, int portCount) {
        return new NodeProfile(
                kind,
                name,
                name,
                guid,
                guid,
                0,
                0,
                REVISION,
                portCount,
                Map.of(),
                false,
                LINEAR_CAP,
                MULTICAST_CAP,
                MTU_CODE_2048,
                LANES_CODE_8,
                Conduct.STANDARD);
    }

    public NodeProfile withDescription(String text) {
        return new NodeProfile(
                kind,
                name,
                text,
                guid,
                systemImageGuid,
                vendorId,
                deviceId,
                revision,
                portCount,
                portGuids,
                enhancedPort0,
                linearCap,
                multicastCap,
                mtuCap,
                laneCap,
                conduct);
    }

    /** The numbers of the maker, and the GUID of the system that the node is part of. */
    public NodeProfile withMaker(int vendor, int device, long systemImage) {
        return new NodeProfile(
                kind,
                name,
                description,
                guid,
                systemImage,
                vendor,
                device,
                revision,
                portCount,
                portGuids,
                enhancedPort0,
                linearCap,
                multicastCap,
                mtuCap,
                laneCap,
                conduct);
    }

    public NodeProfile withPortGuids(Map<Integer, Long> guids) {
        return new NodeProfile(
                kind,
                name,
                description,
                guid,
                systemImageGuid,
                vendorId,
                deviceId,
                revision,
                portCount,
                guids,
                enhancedPort0,
                linearCap,
                multicastCap,
                mtuCap,
                laneCap,
                conduct);
    }

    public NodeProfile withEnhancedPort0(boolean enhanced) {
        return new NodeProfile(
                kind,
                name,
                description,
                guid,
                systemImageGuid,
                vendorId,
                deviceId,
                revision,
                portCount,
                portGuids,
                enhanced,
                linearCap,
                multicastCap,
                mtuCap,
                laneCap,
                conduct);
    }

    /** Codes of the longest MTU and of the number of lanes. */
    public NodeProfile withCaps(int mtu, int lanes) {
        return new NodeProfile(
                kind,
                name,
                description,
                guid,
                systemImageGuid,
                vendorId,
                deviceId,
                revision,
                portCount,
                portGuids,
                enhancedPort0,
                linearCap,
                multicastCap,
                mtu,
                lanes,
                conduct);
    }

    /** The conduct of the agents; that of ibsim has its size of the linear table too. */
    public NodeProfile withConduct(Conduct other) {
        return new NodeProfile(
                kind,
                name,
                description,
                guid,
                systemImageGuid,
                vendorId,
                deviceId,
                revision,
                portCount,
                portGuids,
                enhancedPort0,
                other == Conduct.IBSIM ? IBSIM_LINEAR_CAP : LINEAR_CAP,
                multicastCap,
                mtuCap,
                laneCap,
                other);
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " found, " + least + " … " + most + " expected");
        }
    }
}
