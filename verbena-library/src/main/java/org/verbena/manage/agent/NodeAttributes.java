package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.GuidInfo;
import org.verbena.wire.subnet.LedInfo;
import org.verbena.wire.subnet.NodeDescription;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.Smp;

/** Attributes of a node: what it is, GUIDs, lamps, notices. Each method answers with a status. */
final class NodeAttributes {
    private NodeAttributes() {}

    static void clear(MemorySegment mad) {
        mad.asSlice(Smp.DATA, Smp.DATA_LENGTH).fill((byte) 0);
    }

    static int description(ManagedNode node, MemorySegment mad) {
        NodeDescription.write(mad, Smp.DATA, node.descriptionBytes());
        return Smp.STATUS_GOOD;
    }

    static int nodeInfo(ManagedNode node, int arrival, MemorySegment segment, long at) {
        NodeProfile profile = node.profile();
        segment.asSlice(at, Smp.DATA_LENGTH).fill((byte) 0);
        NodeInfo.BASE_VERSION.write(segment, at, Mad.BASE_VERSION);
        NodeInfo.CLASS_VERSION.write(segment, at, Smp.VERSION);
        NodeInfo.NODE_TYPE.write(segment, at, node.kind().code());
        NodeInfo.PORTS.write(segment, at, node.portCount());
        NodeInfo.SYSTEM_IMAGE_GUID.write(segment, at, profile.systemImageGuid());
        NodeInfo.NODE_GUID.write(segment, at, node.guid());
        NodeInfo.PORT_GUID.write(segment, at, node.endPort(arrival).guid());
        NodeInfo.PARTITION_CAP.write(segment, at, node.endPort(arrival).partitionCap);
        NodeInfo.DEVICE_ID.write(segment, at, profile.deviceId());
        NodeInfo.REVISION.write(segment, at, profile.revision());
        NodeInfo.LOCAL_PORT.write(segment, at, arrival);
        NodeInfo.VENDOR_ID.write(segment, at, profile.vendorId());
        return Smp.STATUS_GOOD;
    }

    static int guids(ManagedPort end, int block, MemorySegment mad) {
        if (isBeyondGuids(end, block) && !end.node().isLikeIbsim()) {
            return Smp.STATUS_BAD_VALUE;
        }
        clear(mad);
        for (int entry = 0; entry < GuidInfo.ENTRIES; entry++) {
            GuidInfo.guid(mad, Smp.DATA, entry, isBeyondGuids(end, block) ? 0 : guid(end, block, entry));
        }
        return Smp.STATUS_GOOD;
    }

    static int setGuids(ManagedPort end, int block, MemorySegment mad) {
        if (isBeyondGuids(end, block)) {
            return Smp.STATUS_BAD_VALUE;
        }
        for (int entry = block == 0 ? 1 : 0; entry < GuidInfo.ENTRIES; entry++) {
            int index = block * GuidInfo.ENTRIES + entry;
            long guid = GuidInfo.guid(mad, Smp.DATA, entry);
            if (index < end.guidCap && (guid != 0 || end.guids != null)) {
                long[] added = end.guids == null ? new long[end.guidCap] : end.guids;
                added[index] = guid;
                end.guids = added;
            }
        }
        end.node().hardware.onPortSettings(end);
        return guids(end, block, mad);
    }

    private static boolean isBeyondGuids(ManagedPort end, int block) {
        return block < 0 || block >= (end.guidCap + GuidInfo.ENTRIES - 1) / GuidInfo.ENTRIES;
    }

    private static long guid(ManagedPort end, int block, int entry) {
        int index = block * GuidInfo.ENTRIES + entry;
        if (index == 0) {
            return end.guid();
        }
        return end.guids == null || index >= end.guids.length ? 0 : end.guids[index];
    }

    /** There are no diagnostic data: the first index is empty and the last. */
    static int diagnosis(int index, MemorySegment mad) {
        if (index != 0) {
            return Smp.STATUS_BAD_VALUE;
        }
        clear(mad);
        return Smp.STATUS_GOOD;
    }

    static int led(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int number = PortAttribute.number(node, arrival, modifier);
        if (number > node.portCount()) {
            return Smp.STATUS_BAD_VALUE;
        }
        clear(mad);
        LedInfo.LED.write(mad, Smp.DATA, node.port(number).led ? 1 : 0);
        return Smp.STATUS_GOOD;
    }

    static int setLed(ManagedNode node, int arrival, int modifier, MemorySegment mad) {
        int number = PortAttribute.number(node, arrival, modifier);
        if (number > node.portCount()) {
            return Smp.STATUS_BAD_VALUE;
        }
        node.port(number).led = LedInfo.LED.read(mad, Smp.DATA) != 0;
        return led(node, arrival, modifier, mad);
    }

    /** The oldest notice that waits for the subnet manager, or an empty one. */
    static int notice(ManagedPort end, MemorySegment mad) {
        clear(mad);
        TrapSender traps = end.node().traps;
        if (traps == null || !traps.oldest(end, mad, Smp.DATA)) {
            Notice.IS_GENERIC.write(mad, Smp.DATA, 1);
            Notice.TYPE.write(mad, Smp.DATA, Notice.TYPE_EMPTY);
            Notice.TOGGLE.write(mad, Smp.DATA, end.noticeToggle);
        }
        return Smp.STATUS_GOOD;
    }

    /** A Set with a waiting notice takes it out of the queue. */
    static int setNotice(ManagedPort end, MemorySegment mad) {
        if (end.node().traps != null) {
            end.node().traps.repress(end, mad, Smp.DATA);
        }
        return notice(end, mad);
    }
}
