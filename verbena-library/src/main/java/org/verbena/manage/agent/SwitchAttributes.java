package org.verbena.manage.agent;

import static org.verbena.wire.subnet.Smp.DATA;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.wire.subnet.LinearBlock;
import org.verbena.wire.subnet.MulticastBlock;
import org.verbena.wire.subnet.Smp;
import org.verbena.wire.subnet.SwitchInfo;

/** Attributes of a switch: its forwarding tables. Each method answers with a status. */
final class SwitchAttributes {
    private static final int ENFORCEMENT_ENTRIES = 64;

    private SwitchAttributes() {}

    static int switchInfo(ManagedNode node, MemorySegment mad) {
        NodeProfile profile = node.profile();
        int enforces = node.isLikeIbsim() ? 0 : 1;
        NodeAttributes.clear(mad);
        SwitchInfo.LINEAR_CAP.write(mad, DATA, profile.linearCap());
        SwitchInfo.MULTICAST_CAP.write(mad, DATA, profile.multicastCap());
        SwitchInfo.LINEAR_TOP.write(mad, DATA, node.linearTop);
        SwitchInfo.DEFAULT_PORT.write(mad, DATA, node.defaultPort);
        SwitchInfo.DEFAULT_MULTICAST_PRIMARY_PORT.write(mad, DATA, node.defaultMulticastPrimary);
        SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY_PORT.write(mad, DATA, node.defaultMulticastNotPrimary);
        SwitchInfo.LIFE_TIME.write(mad, DATA, node.lifeTime);
        SwitchInfo.PORT_STATE_CHANGE.write(mad, DATA, node.portStateChange ? 1 : 0);
        SwitchInfo.ENFORCEMENT_CAP.write(mad, DATA, ENFORCEMENT_ENTRIES);
        SwitchInfo.INBOUND_ENFORCEMENT_CAP.write(mad, DATA, enforces);
        SwitchInfo.OUTBOUND_ENFORCEMENT_CAP.write(mad, DATA, enforces);
        SwitchInfo.FILTER_RAW_INBOUND_CAP.write(mad, DATA, 1);
        SwitchInfo.FILTER_RAW_OUTBOUND_CAP.write(mad, DATA, 1);
        SwitchInfo.ENHANCED_PORT_0.write(mad, DATA, profile.enhancedPort0() ? 1 : 0);
        return Smp.STATUS_GOOD;
    }

    static int setSwitchInfo(ManagedNode node, MemorySegment mad) {
        int top = SwitchInfo.LINEAR_TOP.read(mad, DATA);
        if (top >= node.profile().linearCap()) {
            return Smp.STATUS_BAD_VALUE;
        }
        node.linearTop = top;
        node.growLinear(top); // the blocks come next
        node.lifeTime(SwitchInfo.LIFE_TIME.read(mad, DATA));
        if (SwitchInfo.PORT_STATE_CHANGE.read(mad, DATA) != 0) {
            node.portStateChange = false;
        }
        if (!node.isLikeIbsim()) {
            node.defaultPort = SwitchInfo.DEFAULT_PORT.read(mad, DATA);
            node.defaultMulticastPrimary = SwitchInfo.DEFAULT_MULTICAST_PRIMARY_PORT.read(mad, DATA);
            node.defaultMulticastNotPrimary = SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY_PORT.read(mad, DATA);
        }
        node.hardware.onPortSettings(node.port(0));
        return switchInfo(node, mad);
    }

    static int linear(ManagedNode node, int block, MemorySegment mad) {
        if (isBeyondLinear(node, block)) {
            return Smp.STATUS_BAD_VALUE;
        }
        int first = block * LinearBlock.ENTRIES;
        int known = Math.clamp((long) node.linear.length - first, 0, LinearBlock.ENTRIES);
        MemorySegment.copy(node.linear, Math.min(first, node.linear.length), mad, ValueLayout.JAVA_BYTE, DATA, known);
        mad.asSlice(DATA + known, LinearBlock.LENGTH - known).fill((byte) LinearBlock.NO_PORT);
        return Smp.STATUS_GOOD;
    }

    static int setLinear(ManagedNode node, int block, MemorySegment mad) {
        if (isBeyondLinear(node, block)) {
            return Smp.STATUS_BAD_VALUE;
        }
        int first = block * LinearBlock.ENTRIES;
        int count = Math.min(LinearBlock.ENTRIES, node.profile().linearCap() - first);
        node.growLinear(first + count - 1);
        MemorySegment.copy(mad, ValueLayout.JAVA_BYTE, DATA, node.linear, first, count);
        return linear(node, block, mad);
    }

    private static boolean isBeyondLinear(ManagedNode node, int block) {
        return block < 0 || block > (node.profile().linearCap() - 1) / LinearBlock.ENTRIES;
    }

    static int multicast(ManagedNode node, int modifier, MemorySegment mad) {
        if (isBeyondMulticast(node, modifier)) {
            return Smp.STATUS_BAD_VALUE;
        }
        int first = MulticastBlock.FIRST_LID + MulticastBlock.block(modifier) * MulticastBlock.ENTRIES;
        int port = MulticastBlock.position(modifier) * MulticastBlock.PORTS;
        for (int entry = 0; entry < MulticastBlock.ENTRIES; entry++) {
            long[] words = node.multicastPorts(first + entry);
            long word = words.length == 0 ? 0 : words[port >>> 6] >>> port;
            MulticastBlock.ports(mad, DATA, entry, (int) word);
        }
        return Smp.STATUS_GOOD;
    }

    static int setMulticast(ManagedNode node, int modifier, MemorySegment mad) {
        if (isBeyondMulticast(node, modifier)) {
            return Smp.STATUS_BAD_VALUE;
        }
        int first = MulticastBlock.block(modifier) * MulticastBlock.ENTRIES;
        int port = MulticastBlock.position(modifier) * MulticastBlock.PORTS;
        int existing = (1 << Math.min(MulticastBlock.PORTS, node.portCount() + 1 - port)) - 1;
        for (int entry = 0; entry < MulticastBlock.ENTRIES; entry++) {
            long ports = MulticastBlock.ports(mad, DATA, entry) & existing;
            if (first + entry < node.profile().multicastCap()
                    && (ports != 0 || node.multicastPorts(MulticastBlock.FIRST_LID + first + entry).length != 0)) {
                long[] words = node.growMulticast(first + entry);
                words[port >>> 6] = (words[port >>> 6] & ~(0xffffL << port)) | (ports << port);
            }
        }
        return multicast(node, modifier, mad);
    }

    private static boolean isBeyondMulticast(ManagedNode node, int modifier) {
        return MulticastBlock.block(modifier) * MulticastBlock.ENTRIES
                        >= node.profile().multicastCap()
                || MulticastBlock.position(modifier) * MulticastBlock.PORTS > node.portCount();
    }
}
