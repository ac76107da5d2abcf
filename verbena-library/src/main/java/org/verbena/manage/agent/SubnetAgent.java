package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.manage.NodeKind;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.ArbitrationTable;
import org.verbena.wire.subnet.ExtendedPortInfo;
import org.verbena.wire.subnet.GuidInfo;
import org.verbena.wire.subnet.LaneMapping;
import org.verbena.wire.subnet.LedInfo;
import org.verbena.wire.subnet.LinearBlock;
import org.verbena.wire.subnet.ManagerInfo;
import org.verbena.wire.subnet.MulticastBlock;
import org.verbena.wire.subnet.NodeDescription;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.PartitionTable;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;
import org.verbena.wire.subnet.SwitchInfo;
import org.verbena.wire.subnet.VendorDiag;

/**
 * The subnet management agent of every node: answers packets of subnet management from the registers. It has no state of its own. No content
 * of a packet causes an exception.
 */
public final class SubnetAgent {
    private SubnetAgent() {}

    /**
     * Follows a packet that has reached its node.
     *
     * @param arrivalPort the port that it came in by; 0 only at a switch, for a packet from the switch itself
     * @param mad 256 bytes; becomes the answer if there is one. The route of a directed packet is left as it is, but for the direction
     */
    public static MadOutcome handle(ManagedNode node, int arrivalPort, MemorySegment mad, long nowNs) {
        if (Smp.BASE_VERSION.read(mad, 0) != Mad.BASE_VERSION) {
            return MadOutcome.DONE;
        }
        int method = Smp.METHOD.read(mad, 0);
        if (!Smp.isSmp(mad, 0) || (method & Smp.RESPONSE_BIT) != 0 || method == Smp.METHOD_TRAP) {
            return MadOutcome.NOT_MINE;
        }
        ManagedPort end = node.endPort(arrivalPort);
        int attribute = Smp.ATTRIBUTE.read(mad, 0);
        if (attribute == ManagerInfo.ATTRIBUTE && (end.hasManager() || node.isLikeIbsim())) {
            return MadOutcome.NOT_MINE;
        }
        if (Smp.CLASS_VERSION.read(mad, 0) != Smp.VERSION) {
            return answer(mad, Smp.STATUS_BAD_VERSION);
        }
        if (method != Smp.METHOD_GET && method != Smp.METHOD_SET && method != Smp.METHOD_TRAP_REPRESS) {
            return answer(mad, Smp.STATUS_BAD_METHOD);
        }
        if (!KeyGuard.admits(end, mad, method, nowNs) || !admitsOfOther(node, arrivalPort, mad, method, nowNs)) {
            return MadOutcome.DONE;
        }
        if (method == Smp.METHOD_TRAP_REPRESS) {
            if (node.traps != null) {
                node.traps.repress(end, mad, Smp.DATA);
            }
            return MadOutcome.DONE;
        }
        int modifier = Smp.MODIFIER.read(mad, 0);
        return answer(
                mad,
                method == Smp.METHOD_GET
                        ? show(node, arrivalPort, attribute, modifier, mad)
                        : set(node, arrivalPort, attribute, modifier, mad, nowNs));
    }

    /** PortInfo of another port of an end node is protected by that port's key too. */
    private static boolean admitsOfOther(ManagedNode node, int arrivalPort, MemorySegment mad, int method, long nowNs) {
        if (node.isSwitch() || Smp.ATTRIBUTE.read(mad, 0) != PortInfo.ATTRIBUTE) {
            return true;
        }
        int number = PortAttribute.number(node, arrivalPort, Smp.MODIFIER.read(mad, 0));
        return number == arrivalPort
                || number > node.portCount()
                || KeyGuard.admits(node.port(number), mad, method, nowNs);
    }

    /** Sets or clears the bit of a port that says that a subnet manager is there; a change sends a trap if the port can. */
    public static void manager(ManagedPort port, boolean present, long nowNs) {
        int mask = present
                ? port.capabilityMask | PortInfo.CAPABILITY_MANAGER
                : port.capabilityMask & ~PortInfo.CAPABILITY_MANAGER;
        if (mask != port.capabilityMask) {
            port.capabilityMask = mask;
            Notices.capabilities(port, nowNs);
        }
    }

    /** Writes a port's PortInfo, 64 bytes, as a packet that came in by {@code arrivalPort} with the right key would show it. */
    public static void portInfo(ManagedPort port, int arrivalPort, MemorySegment segment, long at) {
        PortAttribute.write(port, arrivalPort, port.managementKey, segment, at);
    }

    /** Writes a node's NodeInfo, 64 bytes, as a packet that came in by {@code arrivalPort} would show it. */
    public static void nodeInfo(ManagedNode node, int arrivalPort, MemorySegment segment, long at) {
        NodeAttributes.nodeInfo(node, arrivalPort, segment, at);
    }

    private static int show(ManagedNode node, int arrival, int attribute, int modifier, MemorySegment mad) {
        return switch (attribute) {
            case NodeDescription.ATTRIBUTE -> NodeAttributes.description(node, mad);
            case NodeInfo.ATTRIBUTE -> NodeAttributes.nodeInfo(node, arrival, mad, Smp.DATA);
            case PortInfo.ATTRIBUTE -> PortAttribute.show(node, arrival, modifier, mad);
            case GuidInfo.ATTRIBUTE -> NodeAttributes.guids(node.endPort(arrival), modifier, mad);
            case PartitionTable.ATTRIBUTE -> TableAttributes.partitions(node, arrival, modifier, mad);
            case LaneMapping.ATTRIBUTE -> TableAttributes.lanes(node, arrival, modifier, mad);
            case ArbitrationTable.ATTRIBUTE -> TableAttributes.arbitration(node, arrival, modifier, mad);
            case VendorDiag.ATTRIBUTE -> NodeAttributes.diagnosis(modifier, mad);
            case LedInfo.ATTRIBUTE -> NodeAttributes.led(node, arrival, modifier, mad);
            case Notice.ATTRIBUTE -> NodeAttributes.notice(node.endPort(arrival), mad);
            case ExtendedPortInfo.ATTRIBUTE -> PortAttribute.showExtended(node, arrival, modifier, mad);
            case SwitchInfo.ATTRIBUTE, LinearBlock.ATTRIBUTE, MulticastBlock.ATTRIBUTE ->
                node.kind() == NodeKind.SWITCH ? showSwitch(node, attribute, modifier, mad) : Smp.STATUS_BAD_ATTRIBUTE;
            default -> Smp.STATUS_BAD_ATTRIBUTE;
        };
    }

    private static int showSwitch(ManagedNode node, int attribute, int modifier, MemorySegment mad) {
        return switch (attribute) {
            case SwitchInfo.ATTRIBUTE -> SwitchAttributes.switchInfo(node, mad);
            case LinearBlock.ATTRIBUTE -> SwitchAttributes.linear(node, modifier, mad);
            default -> SwitchAttributes.multicast(node, modifier, mad);
        };
    }

    private static int set(ManagedNode node, int arrival, int attribute, int modifier, MemorySegment mad, long nowNs) {
        return switch (attribute) {
            case PortInfo.ATTRIBUTE -> PortAttribute.set(node, arrival, modifier, mad, nowNs);
            case GuidInfo.ATTRIBUTE -> NodeAttributes.setGuids(node.endPort(arrival), modifier, mad);
            case PartitionTable.ATTRIBUTE -> TableAttributes.setPartitions(node, arrival, modifier, mad);
            case LaneMapping.ATTRIBUTE -> TableAttributes.setLanes(node, arrival, modifier, mad);
            case ArbitrationTable.ATTRIBUTE -> TableAttributes.setArbitration(node, arrival, modifier, mad);
            case LedInfo.ATTRIBUTE -> NodeAttributes.setLed(node, arrival, modifier, mad);
            case Notice.ATTRIBUTE -> NodeAttributes.setNotice(node.endPort(arrival), mad);
            case ExtendedPortInfo.ATTRIBUTE -> PortAttribute.setExtended(node, arrival, modifier, mad);
            case SwitchInfo.ATTRIBUTE, LinearBlock.ATTRIBUTE, MulticastBlock.ATTRIBUTE ->
                node.kind() == NodeKind.SWITCH ? setSwitch(node, attribute, modifier, mad) : Smp.STATUS_BAD_ATTRIBUTE;
            default -> Smp.STATUS_BAD_ATTRIBUTE;
        };
    }

    private static int setSwitch(ManagedNode node, int attribute, int modifier, MemorySegment mad) {
        return switch (attribute) {
            case SwitchInfo.ATTRIBUTE -> SwitchAttributes.setSwitchInfo(node, mad);
            case LinearBlock.ATTRIBUTE -> SwitchAttributes.setLinear(node, modifier, mad);
            default -> SwitchAttributes.setMulticast(node, modifier, mad);
        };
    }

    private static MadOutcome answer(MemorySegment mad, int status) {
        int method = Smp.METHOD.read(mad, 0);
        Smp.METHOD.write(mad, 0, method == Smp.METHOD_SET ? Smp.METHOD_RESPONSE : method | Smp.RESPONSE_BIT);
        Smp.STATUS.write(mad, 0, status);
        Smp.DIRECTION.write(mad, 0, Smp.isDirected(mad, 0) ? 1 : 0);
        return MadOutcome.ANSWERED;
    }
}
