package org.verbena.fabric.flow;

import org.jspecify.annotations.Nullable;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.Cabling;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.wire.ib.Vcrc;

/**
 * A port in the data path: sends the packets of its lanes to the port at the other end of the cable, and takes packets from there. As an event it is the
 * end of a transmission.
 */
final class PortFlow extends Event {
    /** The lane of subnet management, which has no credits. */
    static final int MANAGEMENT_LANE = 15;

    /** Packets of subnet management that one port buffers. */
    static final int MANAGEMENT_BUFFER = 128;

    private static final int MANAGEMENT_BIT = 1 << MANAGEMENT_LANE;
    private static final int LANES = 16;
    /** Symbols around a packet: its start and its end. */
    private static final int DELIMITERS = 2;
    /** Bytes of a flow control packet with its delimiters. */
    private static final int NOTE_BYTES = 8;
    /** Bytes that a cut-through switch has seen when it knows the way: the local route header. */
    private static final int HEAD_BYTES = 8;
    /** A lane stalls for this many lifetimes at the head of the queue (specification 18.2.5.4). */
    private static final int STALL_FACTOR = 8;
    /** Longest headers beside the payload of a packet (specification 7.7.8). */
    private static final int HEADERS_MAX = 124;

    final Flow flow;
    final NodeFlow node;
    final ManagedPort port;
    final int number;
    /** The other end; null without a cable. */
    @Nullable
    PortFlow peer;
    /** Counts the times that the link went down: packets of an earlier time are lost. */
    int epoch;
    /** Whether the link was up when the registers were looked at last. */
    boolean wasUp;
    /** Number of its subnet; −1: none. */
    int subnet = -1;
    /** The local identifiers that the {@link Directory} knows. */
    int knownLid;

    int knownLids;
    /** Faults of the cable, in this direction; null: none. */
    @Nullable
    CableFaults faults;
    /** Sees each packet that leaves or arrives; null: none. */
    @Nullable
    ParcelTap tap;
    /** The consumer of packets that are for this end node; null: none. */
    @Nullable
    HostPort host;
    /** Users of management datagrams at this port, the first asked first. */
    MadFlow[] users = {};

    final Refresh refresh = new Refresh(this);
    /** Errors of the link, as this end sees them. */
    final LinkWatch watch = new LinkWatch(this);

    private final Lane[] lanes = new Lane[LANES];
    private final Arbiter arbiter = new Arbiter();
    private long psPerKib;
    private long propagationPs;
    /** Lanes with packets that wait. */
    private int waiting;
    /** Lanes whose first packet waits for credits. */
    private int blocked;
    /** Lanes whose peer is to be told of free blocks. */
    private int notes;
    /** When the cable is free. */
    private long freePs;
    /** Since when packets wait while the cable is idle; meaningful while that is so. */
    private long idleSincePs;

    private boolean starved;
    /** Lanes for which the peer gets no more credits: a fault. */
    private int starvedLanes;
    /** Time between two packets for the link: a fault; 0: none. */
    long slowNs;
    /** Packets of lane 15 that came in by this port and have not left the node. */
    private int managementHeld;

    // The packet that is being sent came in by this port and occupies its buffer until its last byte has left.
    private @Nullable PortFlow sendingFrom;
    private int sendingLane;
    private int sendingBlocks;
    private @Nullable Parcel sendingOriginal;

    PortFlow(Flow flow, NodeFlow node, ManagedPort port) {
        this.flow = flow;
        this.node = node;
        this.port = port;
        this.number = port.number();
        this.wasUp = port.physicalState() == PhysicalState.LINK_UP;
        arbiter.load(port.highArbitration(), port.lowArbitration(), port.highLimit());
    }

    // --- the link

    /** A cable of this length leads to another port. */
    void connect(PortFlow other, int lengthCm) {
        peer = other;
        propagationPs = (long) lengthCm * Flow.PS_PER_CM;
    }

    /** The cable is pulled. */
    void disconnect() {
        peer = null;
    }

    /** State, rate or settings of the port have changed. */
    void onSettings() {
        psPerKib = Math.ceilDiv(8L * 1024 * Flow.PS_PER_SECOND, port.bitsPerSecond());
        arbiter.load(port.highArbitration(), port.lowArbitration(), port.highLimit());
        kick();
    }

    /** The link has been trained: counts of blocks begin anew. Called at one end, for both. */
    void onLinkUp(PortFlow other) {
        for (int number = 0; number < MANAGEMENT_LANE; number++) {
            if (lanes[number] != null || other.lanes[number] != null) {
                Lane.begin(lane(number), other.lane(number));
            }
        }
        onSettings();
        other.onSettings();
    }

    /** The link is down: everything under way on it, or waiting for it, is lost. */
    void onLinkDown() {
        epoch++;
        for (Lane lane : lanes) {
            if (lane != null) {
                flow.events.remove(lane);
                while (lane.head != null) {
                    discardHead(lane);
                }
            }
        }
        waiting = 0;
        blocked = 0;
        notes = 0;
        starved = false;
        watch.forget();
    }

    /** The link is trained again without going down: what is under way on the cable is lost, counts of blocks begin anew. Called at one end, for both. */
    void recover(PortFlow other) {
        recoverOwn();
        other.recoverOwn();
        onLinkUp(other);
    }

    private void recoverOwn() {
        epoch++;
        port.counters().linkErrorRecoveries++;
        for (int left = blocked; left != 0; left &= left - 1) {
            flow.events.remove(lanes[Integer.numberOfTrailingZeros(left)]);
        }
        blocked = 0;
        notes = 0;
        watch.forget();
    }

    /** The lane with this number, made when it is first used. */
    Lane lane(int laneNumber) {
        Lane lane = lanes[laneNumber];
        if (lane == null) {
            lane = new Lane(this, laneNumber, flow.bufferBytes);
            lanes[laneNumber] = lane;
        }
        return lane;
    }

    @Nullable
    Lane laneIfUsed(int laneNumber) {
        return lanes[laneNumber];
    }

    boolean isBlocked(int laneNumber) {
        return (blocked >>> laneNumber & 1) != 0;
    }

    /** Time that bytes occupy the cable. */
    long durationPs(int bytes) {
        return (bytes * psPerKib) >> 10;
    }

    // --- to the peer

    /** A packet is to leave by this port on this lane. A packet that may not is discarded and counted. */
    void send(Parcel parcel, int laneNumber) {
        boolean management = laneNumber == MANAGEMENT_LANE;
        PortState state = port.state();
        if (peer == null
                || (management ? state == PortState.DOWN : state != PortState.ACTIVE)
                || port.physicalState() != PhysicalState.LINK_UP
                || parcel.length > port.mtu() + HEADERS_MAX) {
            port.counters().transmitDiscards++;
            discard(parcel);
            return;
        }
        Lane lane = lane(laneNumber);
        if (flow.nowPs < lane.stalledUntilPs) {
            port.counters().transmitDiscards++;
            discard(parcel);
            return;
        }
        lane.add(parcel);
        waiting |= 1 << laneNumber;
        if (flow.congestion != 0 && lane.waitingBlocks > flow.congestion && !management) {
            flow.mark(parcel);
        }
        if (!isDue()) {
            kick();
        }
    }

    /** Sends the next packet if the cable is free and a lane may. */
    private void kick() {
        if (isDue() || peer == null) {
            return;
        }
        if (notes != 0) {
            sendNotes(peer);
        }
        int ready = waiting & ~blocked;
        if ((ready & MANAGEMENT_BIT) != 0) {
            transmit(lanes[MANAGEMENT_LANE], peer);
            return;
        }
        int sendable = 0;
        int old = 0;
        for (int left = ready; left != 0; left &= left - 1) {
            Lane lane = lanes[Integer.numberOfTrailingZeros(left)];
            Parcel head = lane.head;
            if (head == null || flow.nowPs - head.tailPs >= node.lifetimePs) {
                old |= 1 << lane.number;
            } else if (lane.credits() >= head.blocks) {
                sendable |= 1 << lane.number;
            } else {
                block(lane, head);
            }
        }
        if (old != 0) {
            discardOld(old);
            kick(); // for the packets behind them
            return;
        }
        if (sendable != 0) {
            int chosen = arbiter.choose(sendable);
            Lane lane = lanes[chosen];
            if (lane.head != null) {
                arbiter.charge(lane.head.length);
            }
            transmit(lane, peer);
        } else if (waiting != 0 && !starved) {
            starved = true;
            idleSincePs = flow.nowPs;
        }
    }

    private void block(Lane lane, Parcel head) {
        blocked |= 1 << lane.number;
        lane.blockedSincePs = flow.nowPs;
        if (!lane.isDue()) {
            flow.events.add(lane, Lifetime.nextLookPs(this, lane, head));
        }
    }

    /** Discards the first packets of lanes that have been in the switch too long. */
    private void discardOld(int old) {
        for (int left = old; left != 0; left &= left - 1) {
            Lane lane = lanes[Integer.numberOfTrailingZeros(left)];
            while (lane.head != null && Lifetime.isOver(this, lane.head)) {
                discardHead(lane);
            }
            if (lane.head == null) {
                waiting &= ~(1 << lane.number);
            }
        }
    }

    private void discardHead(Lane lane) {
        Parcel parcel = lane.poll();
        if (parcel != null) {
            port.counters().transmitDiscards++;
            discard(parcel);
        }
    }

    /** The first packet of a lane has waited for credits for some time. */
    void onWaitOver(Lane lane) {
        Parcel head = lane.head;
        if (!isBlocked(lane.number) || head == null) {
            return;
        }
        if (Lifetime.isOver(this, head)) {
            blocked &= ~(1 << lane.number);
            kick(); // discards it
            return;
        }
        long lifePs = Lifetime.atHeadPs(this);
        long waitedPs = flow.nowPs - lane.blockedSincePs;
        if (waitedPs >= lifePs) {
            expire(lane, lifePs);
            return;
        }
        if (waitedPs >= Flow.BLOCKED_CHECK_PS) {
            flow.deadlocks.onBlocked(lane);
        }
        flow.events.add(lane, Lifetime.nextLookPs(this, lane, head));
    }

    /**
     * The first packet of a lane has waited too long: it is discarded. After several in a row the lane stalls: all its packets are discarded for
     * eight times as long.
     */
    private void expire(Lane lane, long lifePs) {
        boolean stalls = ++lane.stalls >= Math.max(1, port.laneStallCount());
        do {
            discardHead(lane);
        } while (stalls && lane.head != null);
        if (stalls) {
            lane.stalls = 0;
            lane.stalledUntilPs = flow.nowPs + STALL_FACTOR * lifePs;
        }
        blocked &= ~(1 << lane.number);
        if (lane.head == null) {
            waiting &= ~(1 << lane.number);
        }
        kick();
    }

    private void transmit(Lane lane, PortFlow to) {
        Parcel parcel = lane.poll();
        if (parcel == null) {
            return;
        }
        if (lane.head == null) {
            waiting &= ~(1 << lane.number);
        }
        if (starved) {
            starved = false;
            port.counters().transmitWait += (flow.nowPs - idleSincePs) / Math.max(1, durationPs(4));
        }
        lane.stalls = 0;
        flow.deadlocks.onUnblocked(lane);
        sendingFrom = parcel.port;
        sendingLane = parcel.lane;
        sendingBlocks = parcel.blocks;
        sendingOriginal = parcel.original;
        if (parcel.hostLane >= 0 && host != null) {
            host.onLeft(parcel);
        }
        parcel.moveTo(lane.number);
        if (lane.number != MANAGEMENT_LANE) {
            lane.sent = lane.sent + parcel.blocks & Lane.WRAP_MASK;
        }
        count(parcel);
        long startPs = Math.max(flow.nowPs, freePs);
        int bytes = parcel.length + Vcrc.LENGTH + DELIMITERS;
        freePs = startPs + durationPs(bytes);
        flow.events.add(this, freePs);
        parcel.original = null;
        parcel.port = to;
        parcel.epoch = to.epoch;
        parcel.accounted = false;
        parcel.tailPs = freePs + propagationPs;
        CableFaults faulty = faults;
        if (faulty != null) {
            flow.management.complete(parcel);
            if (!faulty.pass(parcel, this)) {
                return;
            }
        }
        flow.events.add(parcel, to.node.arrivalPs(startPs + propagationPs + durationPs(HEAD_BYTES), parcel.tailPs));
    }

    private void count(Parcel parcel) {
        var counters = port.counters();
        counters.transmittedPackets++;
        counters.transmittedWords += parcel.length >>> 2;
        if (parcel.isMulticast()) {
            counters.transmittedMulticasts++;
        }
        if (tap != null) {
            flow.management.complete(parcel);
            tap.onParcel(parcel, true, flow.nowPs);
        }
        flow.hops++;
    }

    /** The last byte of a packet has left: its room in the buffer that it came from is free. */
    @Override
    void happen() {
        PortFlow from = sendingFrom;
        Parcel original = sendingOriginal;
        sendingFrom = null;
        sendingOriginal = null;
        if (original != null) {
            flow.onCopyGone(original);
        } else if (from != null) {
            from.free(sendingLane, sendingBlocks);
        }
        kick();
    }

    /** A packet that waited here is discarded: the buffer that it occupies is free, its sender may be told. */
    private void discard(Parcel parcel) {
        if (parcel.hostLane >= 0 && host != null) {
            host.onLeft(parcel);
        }
        flow.drop(parcel);
    }

    // --- flow control

    /** Blocks of the receive buffer are free. */
    void free(int laneNumber, int blocks) {
        if (laneNumber == MANAGEMENT_LANE) {
            managementHeld--;
            return;
        }
        Lane lane = lane(laneNumber);
        if (lane.onFreed(blocks) && (starvedLanes >>> laneNumber & 1) == 0) {
            notes |= 1 << laneNumber;
            if (!isDue()) {
                kick();
            }
        }
    }

    private void sendNotes(PortFlow to) {
        for (int left = notes; left != 0; left &= left - 1) {
            sendNote(lanes[Integer.numberOfTrailingZeros(left)], to);
        }
        notes = 0;
    }

    private void sendNote(Lane lane, PortFlow to) {
        freePs = Math.max(flow.nowPs, freePs) + durationPs(NOTE_BYTES);
        if ((starvedLanes >>> lane.number & 1) == 0) {
            lane.told = lane.limitForPeer();
        }
        CableFaults faulty = faults;
        if (faulty != null && !faulty.passNote(this)) {
            return;
        }
        CreditNote note = flow.takeNote();
        note.port = to;
        note.epoch = to.epoch;
        note.lane = lane.number;
        note.sent = lane.sent;
        note.limit = lane.told;
        flow.events.add(note, to.node.noteArrivalPs(freePs + propagationPs));
    }

    /** Gives the peer no more credits for a lane, or gives them again. */
    void starve(int laneNumber, boolean now) {
        lane(laneNumber);
        int bit = 1 << laneNumber;
        if (now) {
            starvedLanes |= bit;
        } else {
            starvedLanes &= ~bit;
            notes |= bit;
            kick();
        }
    }

    /** The link of this port gets packets no faster than this. */
    void slow(long intervalNs) {
        slowNs = intervalNs;
        if (host != null) {
            host.onSlow();
        }
    }

    /** Sends a flow control packet for each lane in use, without a reason: the peer may have missed one. */
    void refresh() {
        for (Lane lane : lanes) {
            if (lane != null && lane.number != MANAGEMENT_LANE) {
                notes |= 1 << lane.number;
            }
        }
        kick();
    }

    /** A flow control packet came. */
    void onNote(int laneNumber, int peerSent, int newLimit) {
        Lane lane = lane(laneNumber);
        lane.onNote(peerSent, newLimit);
        watch.onNote();
        int bit = 1 << laneNumber;
        if ((blocked & bit) != 0) {
            Parcel head = lane.head;
            if (head == null || lane.credits() >= head.blocks) {
                blocked &= ~bit;
                flow.events.remove(lane);
                if (!isDue()) {
                    kick();
                }
            }
        }
    }

    // --- from the peer

    /** A packet is here: at a switch its head, at an end node its tail. */
    void onArrival(Parcel parcel) {
        if (parcel.epoch != epoch) {
            flow.drop(parcel);
            return;
        }
        if (!parcel.accounted && !account(parcel)) {
            return;
        }
        node.onPacket(this, parcel);
    }

    /** Takes a packet into the buffer; false if it was dropped. */
    private boolean account(Parcel parcel) {
        var counters = port.counters();
        if (parcel.lane == MANAGEMENT_LANE) {
            if (managementHeld >= MANAGEMENT_BUFFER) {
                counters.lane15Dropped++;
                flow.drop(parcel);
                return false;
            }
            managementHeld++;
        } else if (!lane(parcel.lane).onReceived(parcel.blocks)) {
            counters.receiveErrors++;
            watch.onOverrun();
            flow.drop(parcel);
            return false;
        }
        parcel.accounted = true;
        counters.receivedPackets++;
        counters.receivedWords += parcel.length >>> 2;
        if (parcel.isMulticast()) {
            counters.receivedMulticasts++;
        }
        if (tap != null) {
            flow.management.complete(parcel);
            tap.onParcel(parcel, false, flow.nowPs);
        }
        return judge(parcel);
    }

    /** Checks a packet that has just come; false if it was dropped. */
    private boolean judge(Parcel parcel) {
        var counters = port.counters();
        PortState state = port.state();
        boolean management = parcel.lane == MANAGEMENT_LANE;
        if (!management && (parcel.lane >= port.lanes() || state != PortState.ACTIVE)) {
            if (parcel.lane >= port.lanes() || state != PortState.ARMED) {
                counters.receiveErrors++;
                flow.drop(parcel);
                return false;
            }
            Cabling.onData(port);
        }
        if (parcel.bad) {
            counters.receiveRemotePhysicalErrors++;
        } else if (!parcel.isIntact()) {
            counters.receiveErrors++;
            watch.onDamage(true);
            parcel.bad = true;
            parcel.readAgain();
        } else {
            return true;
        }
        // A cut-through switch finds the damage at the packet's end, when its head is on the way; the end says so.
        if (node.cutsThrough() && !management && parcel.hasItsLength()) {
            return true;
        }
        flow.drop(parcel);
        return false;
    }

    @Override
    public String toString() {
        return port.toString();
    }
}
