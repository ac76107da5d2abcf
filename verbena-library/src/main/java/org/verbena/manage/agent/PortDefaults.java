package org.verbena.manage.agent;

import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.PortInfo;

/** The registers of a port before management writes them. */
final class PortDefaults {
    /** The lanes of the service levels that ibsim shows before management writes them. */
    static final long IBSIM_LANES = 0x0123_4567_89ab_cde7L;

    /** Traps, mapping of service levels, extended speeds, a second mask. */
    private static final int CAPABILITIES = 0x0000_c048;
    /** Vendor's classes and a trap for a change of the mask. */
    private static final int ADAPTER_CAPABILITIES = 0x0050_0000;
    /** Lamp and re-registration, which ibsim has not. */
    private static final int STANDARD_CAPABILITIES = PortInfo.CAPABILITY_LED | PortInfo.CAPABILITY_REREGISTRATION;
    /** 2x and HDR. */
    private static final int CAPABILITIES_2 = 0x0030;

    private static final int LEASE_SECONDS = 0x0ff9;
    private static final int TIMEOUT = 0x1f;
    private static final int RESPONSE_TIME_0 = 8;
    private static final int MTU_CODE_256 = 1;
    private static final int MTU_CODE_1024 = 3;
    private static final int STALL_COUNT = 7;
    private static final int ADAPTER_GUIDS = 32;
    private static final int PARTITIONS = 64;
    private static final int PARTITIONS_0 = 8;
    private static final int ARBITRATION_ENTRIES = 8;
    private static final int ARBITRATION_ENTRIES_MAX = 64;
    private static final int LANES_CODE_15 = 5;
    private static final int WEIGHT = 4;

    private PortDefaults() {}

    static void apply(ManagedPort port, Conduct conduct) {
        NodeProfile profile = port.node().profile();
        port.laneCap = profile.laneCap();
        port.arbitrationCap = profile.laneCap() == LANES_CODE_15 ? ARBITRATION_ENTRIES_MAX : ARBITRATION_ENTRIES;
        port.mtuCap = profile.mtuCap();
        port.neighborMtu = profile.mtuCap();
        port.partitionCap = PARTITIONS;
        port.laneStallCount = STALL_COUNT;
        if (conduct == Conduct.IBSIM) {
            port.gidPrefix = 0;
        }
        if (port.number() == 0 && !port.node().isSwitch()) {
            return; // no port
        }
        if (port.isEnd()) {
            port.capabilityMask = CAPABILITIES | (conduct == Conduct.STANDARD ? STANDARD_CAPABILITIES : 0);
            port.capabilityMask2 = CAPABILITIES_2;
            port.keyLeasePeriod = LEASE_SECONDS;
            port.subnetTimeout = TIMEOUT;
            if (port.number() == 0) {
                applyPort0(port);
            } else {
                port.capabilityMask |= ADAPTER_CAPABILITIES;
                port.guidCap = ADAPTER_GUIDS;
            }
        }
    }

    private static void applyPort0(ManagedPort port) {
        port.state = PortState.ACTIVE;
        port.physicalState = PhysicalState.LINK_UP;
        port.responseTime = RESPONSE_TIME_0;
        port.guidCap = 1;
        port.partitionCap = PARTITIONS_0;
        port.laneStallCount = 0;
        port.mtuCap = Math.min(port.mtuCap, MTU_CODE_1024);
        port.neighborMtu = MTU_CODE_256;
    }

    /** Lane 0 in the high table, the other lanes in the low one. */
    static byte[] arbitration(boolean high) {
        byte[] table = new byte[ManagedPort.ARBITRATION_BYTES];
        for (int lane = 0; lane < 15; lane++) {
            table[2 * lane] = (byte) lane;
            table[2 * lane + 1] = (byte) (high == (lane == 0) ? WEIGHT : 0);
        }
        return table;
    }
}
