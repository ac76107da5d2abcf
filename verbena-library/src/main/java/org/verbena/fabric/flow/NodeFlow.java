package org.verbena.fabric.flow;

import org.verbena.manage.NodeKind;
import org.verbena.manage.agent.BadPacket;
import org.verbena.manage.agent.KeyViolations;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.wire.BigEndian;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Vcrc;

/** A node in the data path: what becomes of a packet that has come in by one of its ports. */
final class NodeFlow {
    private static final int FRAME_BYTES = Vcrc.LENGTH + 2;

    final Flow flow;
    final ManagedNode node;
    final boolean isSwitch;
    final PortFlow[] ports;
    private final boolean isRouter;
    /** How long a packet may stay in the node. */
    long lifetimePs = Long.MAX_VALUE;

    NodeFlow(Flow flow, ManagedNode node) {
        this.flow = flow;
        this.node = node;
        this.isSwitch = node.isSwitch();
        this.isRouter = node.kind() == NodeKind.ROUTER;
        this.ports = new PortFlow[node.portCount() + 1];
        for (int number = 0; number < ports.length; number++) {
            ports[number] = new PortFlow(flow, this, node.port(number));
        }
        onSettings();
    }

    /** The settings of a switch may have changed. */
    void onSettings() {
        long lifetimeNs = isSwitch ? node.lifeTimeNs() : Long.MAX_VALUE;
        lifetimePs = lifetimeNs >= Flow.NEVER_NS ? Long.MAX_VALUE : lifetimeNs * Flow.PS_PER_NS;
    }

    /** Whether packets leave before their last byte has come. */
    boolean cutsThrough() {
        return isSwitch && !flow.storeAndForward;
    }

    /** When the node looks at a packet whose first bytes and last byte arrive at these times. */
    long arrivalPs(long headPs, long tailPs) {
        if (!isSwitch) {
            return tailPs;
        }
        return (flow.storeAndForward ? tailPs : Math.min(headPs, tailPs)) + flow.switchDelayPs;
    }

    /** When the node looks at a flow control packet whose last byte arrives at this time: never before an earlier packet. */
    long noteArrivalPs(long endPs) {
        return isSwitch ? endPs + flow.switchDelayPs : endPs;
    }

    /** A packet came in by a port, and was found right. */
    void onPacket(PortFlow in, Parcel parcel) {
        if (parcel.targetLid == LidRange.PERMISSIVE) {
            flow.management.onDirected(this, in, parcel);
        } else if (isSwitch) {
            forward(in, parcel);
        } else {
            deliver(in, parcel);
        }
    }

    /** A packet that never left this node has come to a port. */
    void onLocal(PortFlow at, Parcel parcel) {
        if (parcel.targetLid == LidRange.PERMISSIVE) {
            flow.management.deliverDirected(this, at, parcel);
        } else {
            deliver(at, parcel);
        }
    }

    // --- switches

    private void forward(PortFlow in, Parcel parcel) {
        if (parcel.isMulticast()) {
            forwardToAll(in, parcel);
            return;
        }
        int out = node.outputTo(parcel.targetLid);
        if (out >= ports.length || out == in.number) {
            in.port.counters().receiveSwitchRelayErrors++;
            flow.drop(parcel);
            return;
        }
        PortFlow to = ports[out];
        if (waitForTail(parcel, out == 0 ? 0 : to.durationPs(parcel.length + FRAME_BYTES))) {
            return;
        }
        if (isRefusedInbound(in, parcel) || isRefusedOutbound(to, parcel)) {
            flow.drop(parcel);
        } else if (out == 0) {
            deliver(in, parcel);
        } else {
            pass(in, parcel, to);
        }
    }

    /** Whether the packet has to wait: a faster output would run out of bytes. It comes here again. */
    private boolean waitForTail(Parcel parcel, long durationPs) {
        long earliestPs = parcel.tailPs - durationPs;
        if (earliestPs <= flow.nowPs || parcel.port == null) {
            return false;
        }
        flow.events.add(parcel, earliestPs);
        return true;
    }

    /** Whether a port does not let a packet in, for its partition or because it is raw. It is counted, and a trap may be sent. */
    private boolean isRefusedInbound(PortFlow in, Parcel parcel) {
        boolean refused = parcel.lane != PortFlow.MANAGEMENT_LANE
                && (parcel.hasTransport()
                        ? in.port.enforcesInbound() && !in.port.isMember(parcel.pkey())
                        : in.port.filtersRawInbound());
        if (refused) {
            in.port.counters().receiveConstraintErrors++;
            onRefusedKey(in, parcel);
        }
        return refused;
    }

    /** Whether a port does not let a packet out. */
    private boolean isRefusedOutbound(PortFlow out, Parcel parcel) {
        boolean refused = parcel.lane != PortFlow.MANAGEMENT_LANE
                && (parcel.hasTransport()
                        ? out.port.enforcesOutbound() && !out.port.isMember(parcel.pkey())
                        : out.port.filtersRawOutbound());
        if (refused) {
            out.port.counters().transmitConstraintErrors++;
            onRefusedKey(out, parcel);
        }
        return refused;
    }

    /** A packet was refused at a port for its partition key: the agent counts it and may send a trap. */
    private void onRefusedKey(PortFlow at, Parcel parcel) {
        if (parcel.hasTransport()) {
            int source = BigEndian.readShort(parcel.segment(), parcel.start + 6);
            int queuePair = Bth.destinationQueuePair(parcel.segment(), Parcel.BODY);
            KeyViolations.onPartitionKey(
                    at.port,
                    new BadPacket(source, parcel.targetLid, parcel.pkey(), parcel.serviceLevel, 0, queuePair),
                    flow.nowNs());
        }
    }

    private void pass(PortFlow in, Parcel parcel, PortFlow out) {
        if (parcel.lane == PortFlow.MANAGEMENT_LANE) {
            out.send(parcel, PortFlow.MANAGEMENT_LANE);
            return;
        }
        int lane = out.port.laneOf(parcel.serviceLevel, in.number);
        if (lane >= out.port.lanes()) {
            in.port.counters().receiveSwitchRelayErrors++;
            flow.drop(parcel);
        } else {
            out.send(parcel, lane);
        }
    }

    /** A copy leaves by each port of the group but the one that the packet came by; the packet's buffer is free when all have left. */
    private void forwardToAll(PortFlow in, Parcel parcel) {
        if (waitForTail(parcel, 0)) {
            return;
        }
        if (isRefusedInbound(in, parcel)) {
            flow.drop(parcel);
            return;
        }
        // One too many, so that no copy that leaves at once is taken for the last.
        parcel.copies = 1;
        long[] outputs = node.multicastPorts(parcel.targetLid);
        for (int word = 0; word < outputs.length; word++) {
            for (long left = outputs[word]; left != 0; left &= left - 1) {
                int out = 64 * word + Long.numberOfTrailingZeros(left);
                if (out != 0 && out != in.number && mayCopy(in, parcel, ports[out])) {
                    sendCopy(in, parcel, ports[out]);
                }
            }
        }
        if (outputs.length == 0) {
            int out = node.defaultMulticastTo(parcel.targetLid, in.number);
            if (out != 0 && mayCopy(in, parcel, ports[out])) {
                sendCopy(in, parcel, ports[out]);
            }
        }
        if (parcel.copies == 1) {
            in.port.counters().receiveSwitchRelayErrors++;
        }
        flow.onCopyGone(parcel);
    }

    private void sendCopy(PortFlow in, Parcel parcel, PortFlow out) {
        Parcel copy = flow.parcels.take(parcel.length);
        copy.copyOf(parcel);
        copy.port = in;
        copy.original = parcel;
        parcel.copies++;
        pass(in, copy, out);
    }

    private boolean mayCopy(PortFlow in, Parcel parcel, PortFlow out) {
        return out.port.laneOf(parcel.serviceLevel, in.number) < out.port.lanes() && !isRefusedOutbound(out, parcel);
    }

    // --- end nodes, and port 0 of switches

    private void deliver(PortFlow in, Parcel parcel) {
        if (parcel.bad) {
            flow.drop(parcel); // counted when it came in
            return;
        }
        boolean own = isSwitch || parcel.isMulticast() || in.port.owns(parcel.targetLid);
        if (!own) {
            in.port.counters().receiveErrors++;
            flow.drop(parcel);
            return;
        }
        if (isRouter && flow.routing.takes(in, parcel)) {
            return;
        }
        int queuePair = parcel.hasTransport() && !parcel.isMulticast()
                ? Bth.destinationQueuePair(parcel.segment(), Parcel.BODY)
                : Bth.QUEUE_PAIR_MASK;
        if (queuePair <= 1 && flow.management.takes(this, in, parcel, queuePair)) {
            return;
        }
        if (queuePair > 1 && parcel.hasTransport() && !in.port.admits(parcel.pkey())) {
            onRefusedKey(in, parcel);
            flow.drop(parcel);
            return;
        }
        if (parcel.hasOtherGuid(in.port)) {
            flow.sink(parcel);
            return;
        }
        HostPort host = in.host;
        if (host != null && parcel.lane != PortFlow.MANAGEMENT_LANE) {
            host.onParcel(parcel);
        } else {
            flow.sink(parcel);
        }
    }

    @Override
    public String toString() {
        return node.name();
    }
}
