package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** Builds the notices of events and gives them to the sender of traps. A port without identifiers of itself and of its manager sends none. */
final class Notices {
    private Notices() {}

    /** Trap 128, from port 0 of a switch. */
    static void linkState(ManagedNode node, long nowNs) {
        ManagedPort end = node.port(0);
        if (cannotSend(end)) {
            return;
        }
        byte[] bytes = new byte[Notice.LENGTH];
        MemorySegment notice = begin(end, bytes, Notice.TYPE_URGENT, Notice.LINK_STATE);
        Notice.LINK_STATE_LID.write(notice, 0, end.lid);
        send(end, bytes, nowNs);
    }

    /** Trap 144, if the port sends that one. */
    static void capabilities(ManagedPort end, long nowNs) {
        if (cannotSend(end) || (end.capabilityMask & PortInfo.CAPABILITY_MASK_TRAP) == 0) {
            return;
        }
        byte[] bytes = new byte[Notice.LENGTH];
        MemorySegment notice = begin(end, bytes, Notice.TYPE_INFORMATIONAL, Notice.CAPABILITY_CHANGE);
        Notice.LID.write(notice, 0, end.lid);
        Notice.CAPABILITY_MASK.write(notice, 0, end.capabilityMask);
        send(end, bytes, nowNs);
    }

    /** Trap 256, about a packet. */
    static void badKey(ManagedPort end, MemorySegment mad, long nowNs) {
        if (cannotSend(end)) {
            return;
        }
        byte[] bytes = new byte[Notice.LENGTH];
        MemorySegment notice = begin(end, bytes, Notice.TYPE_SECURITY, Notice.BAD_MANAGEMENT_KEY);
        Notice.LID.write(notice, 0, end.lid);
        Notice.METHOD.write(notice, 0, Smp.METHOD.read(mad, 0));
        Notice.PACKET_ATTRIBUTE.write(notice, 0, Smp.ATTRIBUTE.read(mad, 0));
        Notice.PACKET_MODIFIER.write(notice, 0, Smp.MODIFIER.read(mad, 0));
        Notice.MANAGEMENT_KEY.write(notice, 0, Smp.MANAGEMENT_KEY.read(mad, 0));
        if (Smp.isDirected(mad, 0)) {
            int hops = Math.min(Smp.HOP_COUNT.read(mad, 0), Notice.RETURN_PATH_MAX);
            Notice.ROUTE_SOURCE_LID.write(notice, 0, Smp.SOURCE_LID.read(mad, 0));
            Notice.IS_DIRECTED.write(notice, 0, 1);
            Notice.IS_PATH_CUT.write(notice, 0, hops < Smp.HOP_COUNT.read(mad, 0) ? 1 : 0);
            Notice.HOPS.write(notice, 0, hops);
            for (int hop = 1; hop <= hops; hop++) {
                BigEndian.writeByte(notice, Notice.RETURN_PATH + hop - 1, Smp.returnPort(mad, 0, hop));
            }
        }
        sendOne(end, bytes, nowNs);
    }

    /** Trap 257 or 258, about a packet for a port with identifiers. */
    static void badKey(ManagedPort end, int trap, BadPacket packet, long nowNs) {
        if (cannotSend(end)) {
            return;
        }
        byte[] bytes = new byte[Notice.LENGTH];
        MemorySegment notice = begin(end, bytes, Notice.TYPE_SECURITY, trap);
        Notice.LID.write(notice, 0, packet.sourceLid());
        Notice.TARGET_LID.write(notice, 0, packet.targetLid());
        Notice.KEY.write(notice, 0, packet.key());
        Notice.SERVICE_LEVEL.write(notice, 0, packet.serviceLevel());
        Notice.SOURCE_QUEUE_PAIR.write(notice, 0, packet.sourceQueuePair());
        Notice.TARGET_QUEUE_PAIR.write(notice, 0, packet.targetQueuePair());
        sendOne(end, bytes, nowNs);
    }

    /** Trap 259, about a packet at an external port of a switch. */
    static void badSwitchKey(ManagedPort at, BadPacket packet, long nowNs) {
        ManagedPort end = at.node().port(0);
        if (cannotSend(end)) {
            return;
        }
        byte[] bytes = new byte[Notice.LENGTH];
        MemorySegment notice = begin(end, bytes, Notice.TYPE_SECURITY, Notice.BAD_SWITCH_PARTITION_KEY);
        Notice.LID.write(notice, 0, packet.sourceLid());
        Notice.TARGET_LID.write(notice, 0, packet.targetLid());
        Notice.SWITCH_KEY.write(notice, 0, packet.key());
        Notice.SWITCH_SERVICE_LEVEL.write(notice, 0, packet.serviceLevel());
        Notice.SWITCH_SOURCE_QUEUE_PAIR.write(notice, 0, packet.sourceQueuePair());
        Notice.SWITCH_TARGET_QUEUE_PAIR.write(notice, 0, packet.targetQueuePair());
        Notice.SWITCH_LID.write(notice, 0, end.lid);
        Notice.SWITCH_PORT.write(notice, 0, at.number());
        sendOne(end, bytes, nowNs);
    }

    /** Trap 129, 130 or 131, about a link. */
    static void linkError(ManagedPort at, int trap, long nowNs) {
        ManagedPort end = at.node().endPort(at.number());
        if (cannotSend(end)) {
            return;
        }
        byte[] bytes = new byte[Notice.LENGTH];
        MemorySegment notice = begin(end, bytes, Notice.TYPE_URGENT, trap);
        Notice.LID.write(notice, 0, end.lid);
        Notice.PORT.write(notice, 0, at.number());
        sendOne(end, bytes, nowNs);
    }

    /** Of a flood of errors one trap at a time tells. */
    private static void sendOne(ManagedPort end, byte[] notice, long nowNs) {
        TrapSender traps = end.node().traps;
        if (traps == null || !traps.isUnderWay(end, MemorySegment.ofArray(notice))) {
            send(end, notice, nowNs);
        }
    }

    private static boolean cannotSend(ManagedPort end) {
        return end.lid == 0 || end.managerLid == 0 || (end.capabilityMask & PortInfo.CAPABILITY_TRAP) == 0;
    }

    private static MemorySegment begin(ManagedPort end, byte[] bytes, int type, int trap) {
        MemorySegment notice = MemorySegment.ofArray(bytes);
        Notice.IS_GENERIC.write(notice, 0, 1);
        Notice.TYPE.write(notice, 0, type);
        Notice.PRODUCER.write(notice, 0, end.node().kind().code());
        Notice.TRAP_NUMBER.write(notice, 0, trap);
        Notice.ISSUER_LID.write(notice, 0, end.lid);
        return notice;
    }

    private static void send(ManagedPort end, byte[] notice, long nowNs) {
        TrapSender traps = end.node().traps;
        if (traps == null || end.node().isLikeIbsim()) {
            end.node().hardware.onTrap(end, notice);
        } else {
            traps.send(end, notice, nowNs);
        }
    }
}
