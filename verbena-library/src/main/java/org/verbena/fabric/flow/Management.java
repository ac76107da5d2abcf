package org.verbena.fabric.flow;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.agent.DirectedRoute;
import org.verbena.manage.agent.MadOutcome;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.PerformanceAgent;
import org.verbena.manage.agent.SubnetAgent;
import org.verbena.wire.BigEndian;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Lrh;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.Smp;

/**
 * Management datagrams in the data path: packets for queue pairs 0 and 1 of a node. The agents of the node answer what is theirs; the users of the port get
 * the rest.
 */
final class Management {
    /** Where the datagram is in a parcel. */
    private static final int AT = Parcel.BODY + Bth.LENGTH + Deth.LENGTH;

    private static final int BODY_LENGTH = Bth.LENGTH + Deth.LENGTH + Mad.LENGTH + Icrc.LENGTH;
    private static final int WORDS = (Lrh.LENGTH + BODY_LENGTH) / 4;

    private final Flow flow;
    private final Icrc icrc = new Icrc();

    Management(Flow flow) {
        this.flow = flow;
    }

    // --- users

    MadFlow attach(PortFlow port, MadReceiver receiver) {
        MadFlow user = new MadFlow(this, port, receiver);
        port.users = Arrays.copyOf(port.users, port.users.length + 1);
        port.users[port.users.length - 1] = user;
        return user;
    }

    void close(MadFlow user) {
        user.port.users =
                Arrays.stream(user.port.users).filter(other -> other != user).toArray(MadFlow[]::new);
    }

    /** Sends the datagram of a user. */
    void send(MadFlow user, MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
        Parcel parcel = make(user.port, mad, targetLid, targetQueuePair, sourceQueuePair);
        parcel.origin = user;
        parcel.originLid = targetLid;
        if (!Smp.isDirected(mad, 0)) {
            emit(user.port, parcel);
            return;
        }
        PortFlow port = user.port;
        int verdict = DirectedRoute.start(parcel.segment(), AT, port.port, targetLid);
        if (verdict == DirectedRoute.DELIVER) {
            turnRound(port, parcel);
        } else if (DirectedRoute.isByLid(verdict) && targetLid == LidRange.PERMISSIVE) {
            flow.drop(parcel);
        } else {
            follow(port.node, port, parcel, verdict);
        }
    }

    /** A packet never leaves its node: it arrives at its own port. */
    private void turnRound(PortFlow port, Parcel parcel) {
        parcel.local = port;
        flow.events.add(parcel, flow.nowPs);
    }

    /** A packet with a datagram from a port to a local identifier. */
    private Parcel make(PortFlow from, MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
        Parcel parcel = flow.parcels.take(BODY_LENGTH);
        parcel.shape(false, BODY_LENGTH);
        parcel.tailPs = flow.nowPs;
        MemorySegment.copy(mad, 0, parcel.segment(), AT, Mad.LENGTH);
        int sourceLid = targetLid == LidRange.PERMISSIVE ? LidRange.PERMISSIVE : from.port.lid();
        address(parcel, from, sourceLid, targetLid, targetQueuePair, sourceQueuePair);
        return parcel;
    }

    /** Writes all headers and check sums of a parcel that has a datagram; the check sums of a directed one are left for later. */
    private void address(
            Parcel parcel, PortFlow from, int sourceLid, int targetLid, int targetQueuePair, int sourceQueuePair) {
        MemorySegment segment = parcel.segment();
        boolean subnet = targetQueuePair == 0;
        int lane = subnet ? PortFlow.MANAGEMENT_LANE : from.port.laneOf(0, 0);
        new Lrh(lane, 0, 0, Lrh.NEXT_BTH, targetLid, WORDS, sourceLid).write(segment, parcel.start);
        Bth.write(segment, Parcel.BODY, Opcode.UD_SEND_ONLY, false, 0, Partitions.DEFAULT_KEY, targetQueuePair);
        Bth.writeSequence(segment, Parcel.BODY, 0, false);
        new Deth(subnet ? 0 : Mad.QKEY, sourceQueuePair).write(segment, Parcel.BODY + Bth.LENGTH);
        boolean directed =
                subnet && sourceQueuePair == 0 && sourceLid == LidRange.PERMISSIVE && targetLid == LidRange.PERMISSIVE;
        if (directed) {
            parcel.sealDirected();
        } else {
            writeIcrc(parcel);
            parcel.seal();
        }
    }

    private void writeIcrc(Parcel parcel) {
        int at = parcel.start + parcel.length - Icrc.LENGTH;
        Icrc.write(parcel.segment(), at, icrc.computeLocal(parcel.bytes(), parcel.start, parcel.length - Icrc.LENGTH));
    }

    /** A tap or a fault is to see a packet: computes the check sums that were left for later. */
    void complete(Parcel parcel) {
        if (parcel.unsummed) {
            writeIcrc(parcel);
            parcel.writeVcrc();
            parcel.unsummed = false;
        }
    }

    /** A packet leaves a node: by its port or, from a switch itself, by the port that its table names. */
    private void emit(PortFlow from, Parcel parcel) {
        NodeFlow node = from.node;
        int target = parcel.targetLid;
        if (target == LidRange.PERMISSIVE || from.port.owns(target)) {
            turnRound(from, parcel);
            return;
        }
        PortFlow out = from;
        if (node.isSwitch) {
            int number = node.node.outputTo(target);
            if (number == 0 || number >= node.ports.length) {
                from.port.counters().transmitDiscards++;
                flow.drop(parcel);
                return;
            }
            out = node.ports[number];
        }
        out.send(parcel, parcel.lane);
    }

    /** A datagram of a user is lost, or the answer to it. */
    void onLost(MadFlow user, Parcel parcel) {
        MemorySegment mad = madOf(parcel);
        if (Smp.isDirected(mad, 0)) {
            Smp.HOP_POINTER.write(mad, 0, 0);
        }
        user.receiver.onLost(flow.nowNs(), mad, parcel.originLid);
    }

    private static MemorySegment madOf(Parcel parcel) {
        return parcel.segment().asSlice(AT, Mad.LENGTH);
    }

    private static boolean isDatagram(Parcel parcel) {
        return parcel.length - (Parcel.BODY - parcel.start) == BODY_LENGTH
                && parcel.hasTransport()
                && BigEndian.readByte(parcel.segment(), Parcel.BODY) == Opcode.UD_SEND_ONLY.code();
    }

    // --- directed routes

    /** A packet came in for the node that it has reached. */
    void onDirected(NodeFlow node, PortFlow in, Parcel parcel) {
        if (parcel.port != null && parcel.tailPs > flow.nowPs) {
            flow.events.add(parcel, parcel.tailPs);
        } else if (parcel.start == 0 || !isDatagram(parcel) || !Smp.isDirected(parcel.segment(), AT)) {
            flow.drop(parcel);
        } else {
            arrive(node, in, parcel);
        }
    }

    private void arrive(NodeFlow node, PortFlow in, Parcel parcel) {
        int verdict = DirectedRoute.arrive(parcel.segment(), AT, node.node, in.number);
        if (verdict == DirectedRoute.DELIVER) {
            deliverDirected(node, in, parcel);
        } else {
            follow(node, in, parcel, verdict);
        }
    }

    /** A packet goes on: by a port, by local identifier, or not. */
    private void follow(NodeFlow node, PortFlow in, Parcel parcel, int verdict) {
        if (DirectedRoute.isByLid(verdict)) {
            PortFlow from = node.isSwitch ? node.ports[0] : in;
            parcel.freeBuffer();
            address(parcel, from, from.port.lid(), DirectedRoute.lid(verdict), 0, 0);
            emit(from, parcel);
        } else if (verdict <= 0 || verdict >= node.ports.length) {
            flow.drop(parcel);
        } else {
            parcel.freeBuffer();
            if (parcel.directed && !parcel.touched) {
                parcel.leaveDirected();
            } else {
                address(parcel, in, LidRange.PERMISSIVE, LidRange.PERMISSIVE, 0, 0);
            }
            node.ports[verdict].send(parcel, PortFlow.MANAGEMENT_LANE);
        }
    }

    /** A directed packet is at its end: for the agent, or for a user. */
    void deliverDirected(NodeFlow node, PortFlow in, Parcel parcel) {
        MemorySegment mad = madOf(parcel);
        MadOutcome outcome = SubnetAgent.handle(node.node, in.number, mad, flow.nowNs());
        if (outcome == MadOutcome.ANSWERED) {
            int requestLid = BigEndian.readShort(parcel.segment(), parcel.start + 6);
            int verdict = DirectedRoute.answer(mad, 0, node.node, requestLid);
            if (verdict == DirectedRoute.DELIVER) {
                toUsers(in, parcel, mad, LidRange.PERMISSIVE, LidRange.PERMISSIVE, 0, 0);
            } else {
                follow(node, in, parcel, verdict);
            }
        } else if (outcome == MadOutcome.DONE) {
            end(parcel, mad);
        } else {
            toUsers(node.isSwitch ? node.ports[0] : in, parcel, mad, LidRange.PERMISSIVE, LidRange.PERMISSIVE, 0, 0);
        }
    }

    /** The agent gives no answer: the sender of a request waits in vain. */
    private void end(Parcel parcel, MemorySegment mad) {
        int method = Smp.METHOD.read(mad, 0);
        if (method == Smp.METHOD_GET || method == Smp.METHOD_SET) {
            flow.drop(parcel);
        } else {
            consume(parcel);
        }
    }

    // --- datagrams by local identifier

    /** Takes a packet for queue pair 0 or 1; false if it is for the link of the port. */
    boolean takes(NodeFlow node, PortFlow in, Parcel parcel, int queuePair) {
        if (!isDatagram(parcel)) {
            return false;
        }
        MemorySegment segment = parcel.segment();
        // Consumers send on lanes for data: only packets of lane 15 reach the agent that configures the node.
        boolean admitted = queuePair == 0
                ? parcel.lane == PortFlow.MANAGEMENT_LANE
                : Deth.qkey(segment, Parcel.BODY + Bth.LENGTH) == Mad.QKEY;
        if (!admitted) {
            flow.drop(parcel);
            return true;
        }
        if (queuePair == 0 && Smp.isDirected(segment, AT)) {
            arrive(node, in, parcel);
            return true;
        }
        MemorySegment mad = madOf(parcel);
        PortFlow at = node.isSwitch ? node.ports[0] : in;
        int sourceQueuePair = Deth.sourceQueuePair(segment, Parcel.BODY + Bth.LENGTH);
        int sourceLid = BigEndian.readShort(segment, parcel.start + 6);
        MadOutcome outcome = queuePair == 0
                ? SubnetAgent.handle(node.node, in.number, mad, flow.nowNs())
                : PerformanceAgent.handle(node.node, in.number, mad);
        if (outcome == MadOutcome.ANSWERED) {
            int own = parcel.targetLid;
            parcel.freeBuffer();
            address(parcel, at, own, sourceLid, sourceQueuePair, queuePair);
            emit(at, parcel);
        } else if (outcome == MadOutcome.DONE) {
            end(parcel, mad);
        } else if (offer(at, mad, sourceLid, parcel.targetLid, sourceQueuePair, queuePair)) {
            consume(parcel);
        } else if (queuePair == 0) {
            flow.drop(parcel);
        } else {
            return false;
        }
        return true;
    }

    private void toUsers(
            PortFlow at,
            Parcel parcel,
            MemorySegment mad,
            int sourceLid,
            int targetLid,
            int sourceQueuePair,
            int targetQueuePair) {
        Smp.HOP_POINTER.write(mad, 0, 0);
        if (offer(at, mad, sourceLid, targetLid, sourceQueuePair, targetQueuePair)) {
            consume(parcel);
        } else {
            flow.drop(parcel);
        }
    }

    private boolean offer(
            PortFlow at, MemorySegment mad, int sourceLid, int targetLid, int sourceQueuePair, int targetQueuePair) {
        MadFlow[] users = at.users;
        for (MadFlow user : users) {
            if (user.offer(mad, sourceLid, targetLid, sourceQueuePair, targetQueuePair)) {
                return true;
            }
        }
        return false;
    }

    /** A user has taken the datagram. */
    private void consume(Parcel parcel) {
        parcel.freeBuffer();
        flow.giveBack(parcel);
    }

    // --- traps

    /** Sends a trap to the subnet manager of a port. */
    void sendTrap(ManagedPort from, byte[] notice) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        Smp.request(mad, 0, Smp.CLASS_LID_ROUTED, Smp.METHOD_TRAP, 0, Notice.ATTRIBUTE, 0);
        MemorySegment.copy(MemorySegment.ofArray(notice), 0, mad, Smp.DATA, notice.length);
        PortFlow port = flow.directory.flowOf(from);
        emit(port, make(port, mad, from.managerLid(), 0, 0));
    }
}
