package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.MulticastBlock;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** A Set of PortInfo: first all its values are judged, then they are written. */
final class PortWrite {
    private PortWrite() {}

    static boolean isValid(ManagedPort port, MemorySegment from, long at) {
        return isStateValid(port, from, at)
                && PortInfo.OPERATIONAL_LANES.read(from, at) <= port.laneCap
                && isEndValid(port, from, at)
                && (port.node().isLikeIbsim() || isLinkValid(port, from, at));
    }

    private static boolean isStateValid(ManagedPort port, MemorySegment from, long at) {
        int state = PortInfo.STATE.read(from, at);
        int physical = PortInfo.PHYSICAL_STATE.read(from, at);
        if (state > PortState.ACTIVE.code() || physical > PhysicalState.DISABLED.code()) {
            return false;
        }
        if (physical != 0 && (state > PortState.DOWN.code() || port.number() == 0)) {
            return false;
        }
        return state <= PortState.DOWN.code() || PortAttribute.isTransition(port, PortState.of(state));
    }

    private static boolean isLinkValid(ManagedPort port, MemorySegment from, long at) {
        LinkRates rates = port.rates;
        int width = PortInfo.WIDTH_ENABLED.read(from, at);
        int speed = PortInfo.SPEED_ENABLED.read(from, at);
        int extended = PortInfo.EXTENDED_ENABLED.read(from, at);
        return (width == PortInfo.WIDTH_ALL || (width & ~rates.widthSupported()) == 0)
                && (speed == PortInfo.SPEED_ALL || (speed & ~rates.speedSupported()) == 0)
                && (extended >= PortInfo.EXTENDED_NONE || (extended & ~rates.extendedSupported()) == 0)
                && PortInfo.NEIGHBOR_MTU.read(from, at) <= port.mtuCap
                && PortInfo.LINK_DOWN_DEFAULT.read(from, at) <= PhysicalState.POLLING.code();
    }

    private static boolean isEndValid(ManagedPort port, MemorySegment from, long at) {
        int lid = PortInfo.LID.read(from, at);
        int manager = PortInfo.MANAGER_LID.read(from, at);
        int lmc = PortInfo.LMC.read(from, at);
        return !port.isEnd()
                || (lid < MulticastBlock.FIRST_LID
                        && (lid & (1 << lmc) - 1) == 0
                        && (manager < MulticastBlock.FIRST_LID || manager == Smp.PERMISSIVE_LID));
    }

    /**
     * Writes the valid values of a Set.
     *
     * @return whether the host's services have to register again
     */
    static boolean apply(ManagedPort port, MemorySegment from, long at, long nowNs) {
        boolean reregister = false;
        if (port.isEnd()) {
            applyEnd(port, from, at);
        }
        applyLanes(port, from, at);
        if (!port.node().isLikeIbsim()) {
            applyLink(port, from, at);
            if (port.isEnd()) {
                applyKeys(port, from, at);
                reregister = (port.capabilityMask & PortInfo.CAPABILITY_REREGISTRATION) != 0
                        && PortInfo.CLIENT_REREGISTER.read(from, at) != 0;
            }
        }
        port.node().hardware.onPortSettings(port);
        applyStates(port, from, at, nowNs);
        return reregister;
    }

    private static void applyEnd(ManagedPort port, MemorySegment from, long at) {
        port.gidPrefix = PortInfo.GID_PREFIX.read(from, at);
        port.lid = PortInfo.LID.read(from, at);
        port.lmc = PortInfo.LMC.read(from, at);
        port.managerLid = PortInfo.MANAGER_LID.read(from, at);
    }

    private static void applyLanes(ManagedPort port, MemorySegment from, long at) {
        int lanes = PortInfo.OPERATIONAL_LANES.read(from, at);
        if (lanes != 0) {
            port.operationalLanes(lanes);
        }
        port.headOfQueueLife = PortInfo.HEAD_OF_QUEUE_LIFE.read(from, at);
    }

    private static void applyKeys(ManagedPort port, MemorySegment from, long at) {
        port.managementKey = PortInfo.MANAGEMENT_KEY.read(from, at);
        port.keyProtection = PortInfo.KEY_PROTECTION.read(from, at);
        port.keyLeasePeriod = PortInfo.KEY_LEASE_PERIOD.read(from, at);
        port.managerServiceLevel = PortInfo.MANAGER_SERVICE_LEVEL.read(from, at);
        port.initType = PortInfo.INIT_TYPE.read(from, at);
        port.keyViolations = PortInfo.KEY_VIOLATIONS.read(from, at);
        port.partitionViolations = PortInfo.PARTITION_VIOLATIONS.read(from, at);
        port.qkeyViolations = PortInfo.QKEY_VIOLATIONS.read(from, at);
        port.multicastTrapSuppression = PortInfo.MULTICAST_TRAP_SUPPRESSION.read(from, at);
        port.subnetTimeout = PortInfo.SUBNET_TIMEOUT.read(from, at);
    }

    private static void applyLink(ManagedPort port, MemorySegment from, long at) {
        applyRates(port, from, at);
        int mtu = PortInfo.NEIGHBOR_MTU.read(from, at);
        if (mtu != 0) {
            port.neighborMtu = mtu;
        }
        int linkDown = PortInfo.LINK_DOWN_DEFAULT.read(from, at);
        if (linkDown != 0) {
            port.linkDownDefault = linkDown;
        }
        port.highLimit = PortInfo.HIGH_LIMIT.read(from, at);
        port.laneStallCount = PortInfo.LANE_STALL_COUNT.read(from, at);
        port.errorThresholds(PortInfo.ERROR_THRESHOLDS.read(from, at));
        port.maxCreditHint = PortInfo.MAX_CREDIT_HINT.read(from, at);
        port.linkRoundTrip = PortInfo.LINK_ROUND_TRIP.read(from, at);
        if (!port.isEnd()) {
            port.enforcement = PortInfo.ENFORCEMENT.read(from, at);
        }
    }

    private static void applyRates(ManagedPort port, MemorySegment from, long at) {
        LinkRates rates = port.rates;
        int width = PortInfo.WIDTH_ENABLED.read(from, at);
        int speed = PortInfo.SPEED_ENABLED.read(from, at);
        int extended = PortInfo.EXTENDED_ENABLED.read(from, at);
        if (width != 0) {
            port.widthEnabled = width == PortInfo.WIDTH_ALL ? rates.widthSupported() : width;
        }
        if (speed != 0) {
            port.speedEnabled = speed == PortInfo.SPEED_ALL ? rates.speedSupported() : speed;
        }
        if (extended != 0) {
            port.extendedEnabled = switch (extended) {
                case PortInfo.EXTENDED_NONE -> 0;
                case PortInfo.EXTENDED_ALL -> rates.extendedSupported();
                default -> extended;
            };
        }
    }

    private static void applyStates(ManagedPort port, MemorySegment from, long at, long nowNs) {
        PortState state = PortState.of(PortInfo.STATE.read(from, at));
        PhysicalState physical = PhysicalState.of(PortInfo.PHYSICAL_STATE.read(from, at));
        if (port.number() == 0) {
            return; // always active
        }
        if (physical != PhysicalState.NO_CHANGE) {
            Cabling.order(port, physical, nowNs);
        } else if (state == PortState.DOWN) {
            Cabling.reinitialize(port, nowNs);
        } else if (state != PortState.NO_CHANGE) {
            port.state = state;
            port.node().hardware.onPortState(port);
        }
    }
}
