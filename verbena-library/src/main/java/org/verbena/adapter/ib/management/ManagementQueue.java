package org.verbena.adapter.ib.management;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ScheduleMark;
import org.verbena.adapter.Scheduled;
import org.verbena.adapter.Scheduler;
import org.verbena.adapter.ib.PacketReceiver;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.SubnetRoute;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.BigEndian;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.TransportService;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.Req;

/** Queue pair 1 of an adapter. The engine's thread calls everything. */
public final class ManagementQueue implements Scheduled, PacketReceiver {
    private static final int PARTITION_MASK = 0x7fff;
    private static final long SECOND_NS = 1_000_000_000;

    /** A datagram that waits for its turn. */
    private record Outgoing(Peer peer, MemorySegment mad) {}

    /** Prepared destinations. When there are too many, the least recently used is removed. */
    private static final class Peers extends LinkedHashMap<Endpoint, Peer> {
        private static final long serialVersionUID = 1;

        Peers() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Endpoint, Peer> eldest) {
            return size() > Limits.MANAGEMENT_PEERS_MAX;
        }
    }

    private final Link link;
    private final Transmitter transmitter;
    private final Scheduler scheduler;
    private final Counters counters;
    private final ScheduleMark scheduleMark = new ScheduleMark(this);
    private final Deth deth = new Deth(Mad.QKEY, Mad.QUEUE_PAIR);
    private final Map<Integer, MadHandler> handlers = new HashMap<>();
    private final Peers peers = new Peers();
    private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
    private int psn;
    /** Whether a handler runs: its sends answer a datagram, whose source address may be forged. */
    private boolean answering;
    /** When the current second began. */
    private long secondNs;
    /** Paths prepared for answers in the current second. */
    private int answered;

    public ManagementQueue(Link link, Transmitter transmitter, EngineParts parts) {
        this.link = link;
        this.transmitter = transmitter;
        this.scheduler = parts.scheduler();
        this.counters = parts.counters();
    }

    /** Gives datagrams of a class to a handler from now on. */
    public void serve(int managementClass, MadHandler handler) {
        handlers.put(managementClass, handler);
    }

    /**
     * Queues a datagram for queue pair 1 of a port.
     *
     * @param mad its 256 bytes, copied
     * @return false if the datagram is dropped, because there is no path or no room; the drop is counted
     */
    public boolean send(Endpoint remote, MemorySegment mad) {
        Peer peer = peer(remote);
        if (peer == null || waiting.size() >= Limits.MANAGEMENT_SENDS_MAX) {
            counters.add(Counter.DROPPED_UNSENT_MAD);
            return false;
        }
        MemorySegment copy = MemorySegment.ofArray(mad.toArray(ValueLayout.JAVA_BYTE));
        int own = ownPort(remote);
        if (own != remote.port()) {
            Mad.senderPort(copy, 0, own);
        }
        waiting.add(new Outgoing(peer, copy));
        scheduler.add(this);
        return true;
    }

    /** Takes the endpoint of a port that does not receive, as the network has told; null if it has told of none. */
    public @Nullable Endpoint takeRefusal() {
        Address refused = link.takeRefusal();
        return refused == null ? null : Endpoint.of(refused);
    }

    /** The UDP port at which answers of this port are received. */
    private int ownPort(Endpoint remote) {
        for (Address local : link.locals()) {
            Endpoint own = Endpoint.of(local);
            if (own.ipv6() == remote.ipv6()) {
                return own.port();
            }
        }
        return remote.port();
    }

    private @Nullable Peer peer(Endpoint remote) {
        Peer known = peers.get(remote);
        if (known == null) {
            if (answering && ++answered > Limits.MANAGEMENT_PEERS_MAX) {
                return null; // a path costs memory; more new sources than this in a second are taken for forged ones
            }
            try {
                LinkFlow flow = LinkFlow.of(Mad.QUEUE_PAIR);
                known = new Peer(link.path(remote, flow), Mad.QUEUE_PAIR, defaultKey(), Mtu.MTU_256);
                peers.put(remote, known);
            } catch (LinkException noPath) {
                return null;
            }
        }
        return known;
    }

    /** The port's own key of the default partition: as a limited member, if management has made it one. */
    private int defaultKey() {
        for (int own : link.partitions()) {
            if (inPartition(own)) {
                return own;
            }
        }
        return Partitions.DEFAULT_KEY;
    }

    /** A connection request names the local identifiers of its path, which are known at the latest when it leaves. */
    private static void completeRequest(Packet packet, LinkPath path) {
        long at = (long) packet.offset() + Opcode.UD_SEND_ONLY.headerLength();
        SubnetRoute route = Req.isRequest(packet.segment(), at) ? path.subnetRoute() : null;
        if (route != null) {
            Req.route(
                    packet.segment(),
                    at + Mad.HEADER_LENGTH,
                    route.sourceLid(),
                    route.destinationLid(),
                    route.serviceLevel(),
                    route.local());
        }
    }

    // --- calls of the engine

    @Override
    public void receive(long nowNs, Packet packet, Opcode opcode) {
        Counter refusal = judge(packet, opcode);
        if (refusal != null) {
            counters.add(refusal);
            return;
        }
        MemorySegment mad = packet.segment().asSlice(packet.offset() + opcode.headerLength(), Mad.LENGTH);
        MadHandler handler = handlers.get(Mad.managementClass(mad, 0));
        if (handler == null) {
            counters.add(Counter.DROPPED_UNSERVED_MAD);
            return;
        }
        counters.add(Counter.RECEIVED_MADS);
        // All ports of a RoCEv2 network receive at the same UDP port, unless the datagram names another. The source
        // port of a packet is only entropy.
        int named = Mad.senderPort(mad, 0);
        int port = named < Limits.MANAGEMENT_PORT_MIN ? packet.targetPort() : named;
        if (nowNs - secondNs >= SECOND_NS) {
            secondNs = nowNs;
            answered = 0;
        }
        answering = true;
        try {
            handler.onMad(nowNs, Endpoint.of(packet.sourceHigh(), packet.sourceLow(), port), mad);
        } finally {
            answering = false;
        }
    }

    private @Nullable Counter judge(Packet packet, Opcode opcode) {
        MemorySegment segment = packet.segment();
        int at = packet.offset();
        if (opcode != Opcode.UD_SEND_ONLY
                || opcode.payloadLength(packet.length(), Bth.padCount(segment, at)) != Mad.LENGTH) {
            return Counter.DROPPED_MALFORMED_MAD;
        }
        if (BigEndian.readInt(segment, at + Bth.LENGTH) != Mad.QKEY) {
            return Counter.DROPPED_WRONG_QKEY;
        }
        return BigEndian.readByte(segment, at + opcode.headerLength()) == Mad.BASE_VERSION
                ? null
                : Counter.DROPPED_MALFORMED_MAD;
    }

    @Override
    public boolean transmit(long nowNs, int budget) {
        for (int left = budget; left > 0; left--) {
            Outgoing next = waiting.peek();
            if (next == null) {
                return false;
            }
            // Linux sets the acknowledgement request bit in datagrams too; receivers ignore it.
            Packet packet = transmitter.begin(next.peer(), Opcode.UD_SEND_ONLY, Mad.LENGTH, psn, true, false);
            if (packet == null) {
                return true;
            }
            deth.write(packet.segment(), (long) packet.offset() + Bth.LENGTH);
            MemorySegment.copy(
                    next.mad(),
                    0,
                    packet.segment(),
                    (long) packet.offset() + Opcode.UD_SEND_ONLY.headerLength(),
                    Mad.LENGTH);
            completeRequest(packet, next.peer().path());
            transmitter.end(packet);
            counters.add(Counter.SENT_MADS);
            psn = Psn.next(psn);
            waiting.remove();
        }
        return !waiting.isEmpty();
    }

    /** Touches no memory of a consumer. */
    @Override
    public void onMemoryFault() {}

    @Override
    public int number() {
        return Mad.QUEUE_PAIR;
    }

    @Override
    public TransportService service() {
        return TransportService.UD;
    }

    @Override
    public boolean takesPackets() {
        return true;
    }

    @Override
    public boolean comesFromPeer(Packet packet) {
        return true;
    }

    @Override
    public boolean inPartition(int pkey) {
        return ((pkey ^ Partitions.DEFAULT_KEY) & PARTITION_MASK) == 0;
    }

    @Override
    public ScheduleMark scheduleMark() {
        return scheduleMark;
    }
}
