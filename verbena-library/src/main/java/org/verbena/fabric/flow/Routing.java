package org.verbena.fabric.flow;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.BigEndian;
import org.verbena.wire.ib.Lrh;

/** What routers do: forward packets by their global route header into another subnet, with a new local route header. */
final class Routing {
    private static final int GRH = Lrh.LENGTH;
    private static final int HOP_LIMIT = GRH + 7;
    private static final int TARGET = GRH + 24;

    private final Flow flow;

    Routing(Flow flow) {
        this.flow = flow;
    }

    /** Takes a packet that is for another node than the router; false if it is for the router itself. */
    boolean takes(PortFlow in, Parcel parcel) {
        if (parcel.start != 0 || parcel.isMulticast()) {
            return false;
        }
        MemorySegment segment = parcel.segment();
        long prefix = BigEndian.readLong(segment, TARGET);
        long guid = BigEndian.readLong(segment, TARGET + 8);
        PortFlow target = flow.directory.find(prefix, guid);
        if (target != null && target.node == in.node) {
            return false;
        }
        int hops = BigEndian.readByte(segment, HOP_LIMIT);
        PortFlow out = target == null ? null : outputTo(in.node, target);
        if (target == null || out == null || hops <= 1) {
            in.port.counters().receiveSwitchRelayErrors++;
            flow.drop(parcel);
            return true;
        }
        PortFlow next = out.subnet == target.subnet ? target : flow.directory.routerToward(out, target);
        int lid = next == null ? 0 : next.port.lid();
        int lane = out.port.laneOf(parcel.serviceLevel, 0);
        if (lid == 0 || lane >= out.port.lanes()) {
            out.port.counters().transmitDiscards++;
            flow.drop(parcel);
            return true;
        }
        BigEndian.writeByte(segment, HOP_LIMIT, hops - 1);
        BigEndian.writeShort(segment, 2, lid);
        BigEndian.writeShort(segment, 6, out.port.lid());
        parcel.targetLid = lid;
        parcel.stale = true;
        out.send(parcel, lane);
        return true;
    }

    /** The port by which a router reaches the target's subnet. */
    private @Nullable PortFlow outputTo(NodeFlow router, PortFlow target) {
        PortFlow direct = null;
        PortFlow indirect = null;
        for (int number = 1; number < router.ports.length; number++) {
            PortFlow port = router.ports[number];
            if (port.subnet == target.subnet) {
                direct = direct == null ? port : direct;
            } else if (indirect == null && port.subnet >= 0) {
                PortFlow next = flow.directory.routerToward(port, target);
                indirect = next != null && next.node != router ? port : null;
            }
        }
        return direct != null ? direct : indirect;
    }
}
