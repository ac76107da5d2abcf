package org.verbena.manage.agent;

import static org.verbena.wire.subnet.Smp.DATA;

import java.lang.foreign.MemorySegment;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.ExtendedPortInfo;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** PortInfo, and the vendor's ExtendedPortInfo. Each method that is asked for an attribute answers with a status. */
final class PortAttribute {
    /** What ibsim shows as thresholds of errors of a switch's port that is down. */
    private static final int IBSIM_DOWN_THRESHOLDS = 0x40;

    private PortAttribute() {}

    /** The port that a modifier means: port 0 of an end node is the port that the packet came to. */
    static int number(ManagedNode node, int arrival, int modifier) {
        int number = modifier & 0xff;
        return number == 0 && !node.isSwitch() ? arrival : number;
    }

    static int show(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int number = number(node, arrival, modifier);
        if (number > node.portCount()) {
            return Smp.STATUS_BAD_VALUE;
        }
        write(node.port(number), arrival, Smp.MANAGEMENT_KEY.read(mad, 0), mad, DATA);
        return Smp.STATUS_GOOD;
    }

    static int set(ManagedNode node, int arrival, int modifier, MemorySegment mad, long nowNs) {
        int number = number(node, arrival, modifier);
        if (number > node.portCount() || (!node.isSwitch() && number != arrival)) {
            return Smp.STATUS_BAD_VALUE;
        }
        ManagedPort port = node.port(number);
        if (!PortWrite.isValid(port, mad, DATA)) {
            return Smp.STATUS_BAD_VALUE;
        }
        boolean reregister = PortWrite.apply(port, mad, DATA, nowNs);
        // Not the key of the request: a manager that has set a key finds it in the answer.
        write(port, arrival, port.managementKey, mad, DATA);
        if (reregister) {
            PortInfo.CLIENT_REREGISTER.write(mad, DATA, 1);
            node.hardware.onReregister(port);
        }
        return Smp.STATUS_GOOD;
    }

    /** Writes all fields of a port, for a packet with this key. */
    static void write(ManagedPort port, int arrival, long key, MemorySegment to, long at) {
        to.asSlice(at, PortInfo.LENGTH).fill((byte) 0);
        PortInfo.LOCAL_PORT.write(to, at, arrival);
        writeLink(port, to, at);
        writeLanes(port, to, at);
        if (port.isEnd()) {
            writeEnd(port, key, to, at);
        }
        boolean isDownAtIbsim = port.node().isLikeIbsim() && !port.isEnd() && port.state == PortState.DOWN;
        PortInfo.ERROR_THRESHOLDS.write(to, at, isDownAtIbsim ? IBSIM_DOWN_THRESHOLDS : port.errorThresholds);
        PortInfo.MAX_CREDIT_HINT.write(to, at, port.maxCreditHint);
        PortInfo.LINK_ROUND_TRIP.write(to, at, port.linkRoundTrip);
    }

    private static void writeLink(ManagedPort port, MemorySegment to, long at) {
        LinkRates rates = port.rates;
        PortInfo.WIDTH_ENABLED.write(to, at, port.widthEnabled);
        PortInfo.WIDTH_SUPPORTED.write(to, at, rates.widthSupported());
        PortInfo.WIDTH_ACTIVE.write(to, at, port.width.bit());
        PortInfo.SPEED_SUPPORTED.write(to, at, rates.speedSupported());
        PortInfo.SPEED_ENABLED.write(to, at, port.speedEnabled);
        PortInfo.SPEED_ACTIVE.write(to, at, port.speedActive);
        if (!port.node().isLikeIbsim() || port.speed.extendedBit() != 0) {
            PortInfo.EXTENDED_SUPPORTED.write(to, at, rates.extendedSupported());
            PortInfo.EXTENDED_ENABLED.write(to, at, port.extendedEnabled);
            PortInfo.EXTENDED_ACTIVE.write(to, at, port.speed.extendedBit());
        }
        PortInfo.STATE.write(to, at, port.state.code());
        PortInfo.PHYSICAL_STATE.write(to, at, port.physicalState.code());
        PortInfo.LINK_DOWN_DEFAULT.write(to, at, port.linkDownDefault);
        PortInfo.NEIGHBOR_MTU.write(to, at, port.neighborMtu);
        PortInfo.MTU_CAP.write(to, at, port.mtuCap);
        PortInfo.ENFORCEMENT.write(to, at, port.enforcement);
    }

    private static void writeLanes(ManagedPort port, MemorySegment to, long at) {
        PortInfo.LANE_CAP.write(to, at, port.laneCap);
        PortInfo.OPERATIONAL_LANES.write(to, at, port.operationalLanes);
        PortInfo.HIGH_LIMIT.write(to, at, port.highLimit);
        PortInfo.HIGH_CAP.write(to, at, port.arbitrationCap);
        PortInfo.LOW_CAP.write(to, at, port.arbitrationCap);
        PortInfo.LANE_STALL_COUNT.write(to, at, port.laneStallCount);
        PortInfo.HEAD_OF_QUEUE_LIFE.write(to, at, port.headOfQueueLife);
    }

    private static void writeEnd(ManagedPort port, long key, MemorySegment to, long at) {
        PortInfo.MANAGEMENT_KEY.write(to, at, KeyGuard.shown(port, key));
        PortInfo.KEY_PROTECTION.write(to, at, port.keyProtection);
        PortInfo.KEY_LEASE_PERIOD.write(to, at, port.keyLeasePeriod);
        PortInfo.GID_PREFIX.write(to, at, port.gidPrefix);
        PortInfo.LID.write(to, at, port.lid);
        PortInfo.LMC.write(to, at, port.lmc);
        PortInfo.MANAGER_LID.write(to, at, port.managerLid);
        PortInfo.MANAGER_SERVICE_LEVEL.write(to, at, port.managerServiceLevel);
        PortInfo.CAPABILITY_MASK.write(to, at, shownCapabilities(port));
        PortInfo.CAPABILITY_MASK_2.write(to, at, port.capabilityMask2);
        PortInfo.INIT_TYPE.write(to, at, port.initType);
        PortInfo.KEY_VIOLATIONS.write(to, at, port.keyViolations);
        PortInfo.PARTITION_VIOLATIONS.write(to, at, port.partitionViolations);
        PortInfo.QKEY_VIOLATIONS.write(to, at, port.qkeyViolations);
        PortInfo.GUID_CAP.write(to, at, port.guidCap);
        PortInfo.MULTICAST_TRAP_SUPPRESSION.write(to, at, port.multicastTrapSuppression);
        PortInfo.SUBNET_TIMEOUT.write(to, at, port.subnetTimeout);
        PortInfo.RESPONSE_TIME.write(to, at, port.responseTime);
    }

    /** ibsim's ports that are down do not show the trap for a change of the mask. */
    private static int shownCapabilities(ManagedPort port) {
        boolean isDownAtIbsim = port.node().isLikeIbsim() && port.state == PortState.DOWN;
        return isDownAtIbsim ? port.capabilityMask & ~PortInfo.CAPABILITY_MASK_TRAP : port.capabilityMask;
    }

    static int showExtended(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int number = number(node, arrival, modifier);
        if (number > node.portCount()) {
            return Smp.STATUS_BAD_VALUE;
        }
        ManagedPort port = node.port(number);
        NodeAttributes.clear(mad);
        if (port.rates.fdr10() && (!node.isLikeIbsim() || port.speed == LinkSpeed.FDR10)) {
            ExtendedPortInfo.SPEED_SUPPORTED.write(mad, DATA, ExtendedPortInfo.FDR10);
            ExtendedPortInfo.SPEED_ENABLED.write(mad, DATA, port.fdr10Enabled ? ExtendedPortInfo.FDR10 : 0);
            ExtendedPortInfo.SPEED_ACTIVE.write(mad, DATA, port.speed == LinkSpeed.FDR10 ? ExtendedPortInfo.FDR10 : 0);
        }
        return Smp.STATUS_GOOD;
    }

    /** Only the enabled speed is written; it counts when the link is trained the next time. */
    static int setExtended(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int number = number(node, arrival, modifier);
        if (number > node.portCount() || (!node.isSwitch() && number != arrival)) {
            return Smp.STATUS_BAD_VALUE;
        }
        ManagedPort port = node.port(number);
        if (port.rates.fdr10() && !node.isLikeIbsim()) {
            port.fdr10Enabled = (ExtendedPortInfo.SPEED_ENABLED.read(mad, DATA) & ExtendedPortInfo.FDR10) != 0;
        }
        return showExtended(node, arrival, modifier, mad);
    }

    /** Whether a port may be told to change between two states. */
    static boolean isTransition(ManagedPort port, PortState to) {
        ManagedPort peer = port.peer();
        if (peer == null || port.physicalState != PhysicalState.LINK_UP) {
            return false;
        }
        return switch (to) {
            case ARMED -> port.state == PortState.INIT && peer.state != PortState.DOWN;
            case ACTIVE -> port.state == PortState.ARMED && peer.state.code() >= PortState.ARMED.code();
            default -> false;
        };
    }
}
