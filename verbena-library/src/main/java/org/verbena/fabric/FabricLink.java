package org.verbena.fabric;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.fabric.flow.HostPort;
import org.verbena.fabric.flow.Parcel;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.Framing;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.Sleeper;
import org.verbena.link.SubnetRoute;
import org.verbena.link.support.Locals;
import org.verbena.link.support.Misuse;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ib.Lrh;

/**
 * A link at a port of a simulated fabric. Its address is the GID of the port, as an IPv6 address with port 4791; packets are those of InfiniBand.
 *
 * <p>Packets have a length in words of four bytes: shorter ones are padded with zeroes, which the receiver sees. Without a way, with a
 * partition key that the port does not have, or while the port is not active, packets are dropped and counted.
 */
final class FabricLink implements Link {
    private static final int GROUP = 0xc000;
    private static final int MULTICAST_PREFIX = 0xff;
    /** Both ECN bits of a traffic class. */
    private static final int CONGESTION_EXPERIENCED = 3;

    private final HostPort host;
    private final ManagedPort port;
    private final PathResolver resolver;
    private final boolean alwaysGlobal;
    private final LinkCounters counters = new LinkCounters();
    private final Endpoint local;
    private final List<Endpoint> locals;
    private final long localHigh;
    private final long localLow;
    private final int packetMax;
    private final Memberships memberships = new Memberships();
    private final LoopBack loop = new LoopBack();
    private @Nullable Packet claimed;
    /** Null if the claimed packet will be dropped. */
    private @Nullable Parcel claimedParcel;

    private boolean claimedForGroup;
    private int committed;
    private boolean closed;

    /** @param alwaysGlobal whether packets have a global route header even where none is needed */
    FabricLink(HostPort host, PathResolver resolver, boolean alwaysGlobal) {
        this.host = host;
        this.port = host.port();
        this.resolver = resolver;
        this.alwaysGlobal = alwaysGlobal;
        this.localHigh = port.gidPrefix();
        this.localLow = port.guid();
        this.local = Endpoint.of(localHigh, localLow, Endpoint.ROCE_PORT);
        this.locals = List.of(local);
        this.packetMax = port.mtu() + Packet.LENGTH_MAX - 4096;
    }

    @Override
    public String name() {
        return "fabric";
    }

    @Override
    public Framing framing() {
        return Framing.INFINIBAND;
    }

    @Override
    public List<Endpoint> locals() {
        return locals;
    }

    @Override
    public int packetMax() {
        return packetMax;
    }

    @Override
    public boolean carriesRaw() {
        return true;
    }

    @Override
    public List<Integer> partitions() {
        List<Integer> keys = new ArrayList<>();
        for (int index = 0; index < port.partitionCount(); index++) {
            int key = port.partition(index);
            if (key != 0) {
                keys.add(key);
            }
        }
        return List.copyOf(keys);
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public LinkPath path(Address to, LinkFlow flow) {
        Endpoint remote = Endpoint.of(to);
        return new FabricPath(this, remote, Locals.toward(remote, flow, locals), flow);
    }

    // --- groups

    @Override
    public void join(Address to) {
        Endpoint group = Endpoint.of(to);
        Locals.joining(group, locals);
        if (group.port() != Endpoint.ROCE_PORT) {
            throw new LinkException(
                    "group " + group + " found, port " + Endpoint.ROCE_PORT + " expected: a fabric has no other");
        }
        if (closed) {
            throw Misuse.closed(this);
        }
        if (!memberships.has(group.high(), group.low())) {
            Locals.checkGroups(memberships.count());
            resolver.join(group.high(), group.low());
            memberships.add(group.high(), group.low());
        }
    }

    @Override
    public void leave(Address from) {
        Endpoint group = Endpoint.of(from);
        if (memberships.remove(group.high(), group.low())) {
            resolver.leave(group.high(), group.low());
        }
    }

    // --- sending

    @Override
    public @Nullable Packet claim(LinkPath path, int length) {
        return claim(path, length, false);
    }

    @Override
    public @Nullable Packet claimRaw(LinkPath path, int length) {
        return claim(path, length, true);
    }

    private @Nullable Packet claim(LinkPath path, int length, boolean raw) {
        if (!(path instanceof FabricPath to) || to.owner != this) {
            throw Misuse.path(path, this);
        }
        if (length < 1 || length > packetMax) {
            throw Misuse.length(length, packetMax);
        }
        if (claimed != null) {
            throw Misuse.claimPending();
        }
        if (closed) {
            throw Misuse.closed(this);
        }
        FabricWay way = wayOf(to);
        if (way == null) {
            counters.onRefused();
            return null;
        }
        claimedForGroup = to.group;
        if (FabricWay.NONE.equals(way) || port.state() != PortState.ACTIVE || (raw && way.global())) {
            return claimToDrop(to, length, raw);
        }
        int level = to.levelOn(way);
        int words = Math.ceilDiv(length, 4);
        Parcel parcel = host.claim(level, 4 * words);
        if (parcel == null) {
            counters.onRefused();
            return null;
        }
        claimedParcel = parcel;
        boolean global = !raw && (way.global() || alwaysGlobal);
        parcel.shape(global, 4 * words);
        writeHeaders(parcel, to, way, level, raw, words);
        Packet packet =
                describe(parcel.packet().at(Parcel.BODY, length, 0), to, raw).behind(Parcel.BODY - parcel.start());
        claimed = packet;
        return packet;
    }

    /** The way that packets of a path take now; null if it is not known yet. */
    private @Nullable FabricWay wayOf(FabricPath to) {
        FabricWay way = to.way;
        if (way == null || FabricWay.NONE.equals(way) || !resolver.isCurrent(way)) {
            // A fabric has no ports: there is no receiver at another one.
            way = to.remote().port() == Endpoint.ROCE_PORT
                    ? resolver.resolve(to.targetHigh, to.targetLow)
                    : FabricWay.NONE;
            to.way = way;
        }
        return way;
    }

    @Nullable
    SubnetRoute subnetRoute(FabricPath to) {
        FabricWay way = wayOf(to);
        if (way == null || FabricWay.NONE.equals(way)) {
            return null;
        }
        int entropy = to.flow().entropy();
        return new SubnetRoute(sourceLid(entropy), way.lidFor(entropy), to.levelOn(way), to.group || !way.global());
    }

    private int sourceLid(int entropy) {
        return FabricWay.spread(port.lid(), port.lmc(), entropy);
    }

    /** A packet that no receiver will get. */
    private @Nullable Packet claimToDrop(FabricPath to, int length, boolean raw) {
        Packet packet = loop.take();
        if (packet == null) {
            counters.onRefused();
            return null;
        }
        claimed = describe(packet.at(Parcel.BODY, length, 0).behind(Lrh.LENGTH), to, raw);
        return packet;
    }

    private Packet describe(Packet packet, FabricPath to, boolean raw) {
        return packet.from(localHigh, localLow, local.port())
                .to(to.targetHigh, to.targetLow, to.remote().port())
                .marked(to.flow().trafficClass(), to.flow().hopLimit())
                .raw(raw);
    }

    private void writeHeaders(Parcel parcel, FabricPath to, FabricWay way, int level, boolean raw, int words) {
        MemorySegment segment = parcel.segment();
        boolean global = parcel.start() == 0;
        int entropy = to.flow().entropy();
        int next = raw ? Lrh.NEXT_RAW : global ? Lrh.NEXT_GRH : Lrh.NEXT_BTH;
        Lrh.write(segment, parcel.start(), level, next, way.lidFor(entropy), parcel.length() / 4, sourceLid(entropy));
        if (global) {
            Grh.write(
                    segment,
                    Lrh.LENGTH,
                    to.flow().trafficClass(),
                    entropy,
                    4 * words,
                    to.flow().hopLimit(),
                    localHigh,
                    localLow,
                    to.targetHigh,
                    to.targetLow);
        }
    }

    @Override
    public void commit(Packet packet) {
        requireClaimed(packet);
        Parcel parcel = claimedParcel;
        if (parcel == null) {
            loop.release(packet);
            counters.onSendDropped(1);
        } else if (!packet.raw() && !port.hasKey(Bth.pkey(packet.segment(), packet.offset()))) {
            host.abandon(parcel);
            counters.onSendDropped(1);
        } else {
            pad(packet);
            if (claimedForGroup && memberships.has(packet.targetHigh(), packet.targetLow())) {
                loopBack(packet);
            }
            int length = packet.length();
            host.commit(parcel);
            committed++;
            counters.onSent(1, length);
        }
        claimed = null;
        claimedParcel = null;
    }

    /** Fills the last word with zeroes. */
    private static void pad(Packet packet) {
        int end = packet.offset() + packet.length();
        for (int at = end; (at & 3) != 0; at++) {
            packet.bytes().put(at, (byte) 0);
        }
    }

    /** No switch sends a packet back by the port that it came from: a member's own packet comes to it from here. */
    private void loopBack(Packet packet) {
        Packet copy = loop.take();
        if (copy == null) {
            counters.onReceiveDropped(1);
        } else {
            loop.send(copy.copy(packet));
        }
    }

    @Override
    public void abandon(Packet packet) {
        requireClaimed(packet);
        Parcel parcel = claimedParcel;
        if (parcel == null) {
            loop.release(packet);
        } else {
            host.abandon(parcel);
        }
        claimed = null;
        claimedParcel = null;
    }

    private void requireClaimed(Packet packet) {
        if (claimed == null || packet != claimed) {
            throw Misuse.notClaimed();
        }
    }

    @Override
    public int flush() {
        host.flush();
        int packets = committed;
        committed = 0;
        if (packets > 0) {
            counters.onSendCall();
        }
        return packets;
    }

    // --- receiving

    @Override
    public int receive(PacketHandler handler, int limit) {
        counters.onReceiveCall();
        int packets = 0;
        boolean released = false;
        while (packets < limit) {
            Packet own = loop.receive();
            Parcel parcel = own == null ? host.receive() : null;
            if (own != null) {
                deliver(own, handler);
                loop.release(own);
                packets++;
            } else if (parcel != null) {
                packets += deliver(parcel, handler) ? 1 : 0;
                host.release(parcel);
                released = true;
            } else {
                break;
            }
        }
        if (released) {
            host.flush(); // senders wait for the room
        }
        return packets;
    }

    private void deliver(Packet packet, PacketHandler handler) {
        counters.onReceived(1, packet.length());
        handler.onPacket(packet);
    }

    private boolean deliver(Parcel parcel, PacketHandler handler) {
        Packet packet = parcel.packet();
        int length = parcel.length() - (Parcel.BODY - parcel.start());
        packet.at(Parcel.BODY, length, 0).behind(Parcel.BODY - parcel.start());
        if (length < 1 || !readRoute(parcel, packet) || !isForMember(packet)) {
            counters.onReceiveDropped(1);
            return false;
        }
        if (!packet.raw()) {
            if (length < Bth.LENGTH || !port.admits(Bth.pkey(packet.segment(), Parcel.BODY))) {
                counters.onReceiveDropped(1);
                return false;
            }
            if (Bth.fecn(packet.segment(), Parcel.BODY)) {
                packet.marked(packet.trafficClass() | CONGESTION_EXPERIENCED, packet.hopLimit());
            }
        }
        deliver(packet, handler);
        return true;
    }

    /** Source and target of a packet; false if it has none that make sense. */
    private boolean readRoute(Parcel parcel, Packet packet) {
        MemorySegment segment = parcel.segment();
        int next = Lrh.nextHeader(segment, parcel.start());
        packet.raw(next == Lrh.NEXT_RAW);
        if (parcel.start() == 0) {
            return next == Lrh.NEXT_GRH && readGlobal(segment, packet);
        }
        ManagedPort source = host.portOf(Lrh.sourceLid(segment, parcel.start()));
        if (source == null || next == Lrh.NEXT_GRH || Lrh.destinationLid(segment, parcel.start()) >= GROUP) {
            return false;
        }
        packet.from(source.gidPrefix(), source.guid(), Endpoint.ROCE_PORT)
                .to(localHigh, localLow, Endpoint.ROCE_PORT)
                .marked(0, LinkFlow.HOP_LIMIT);
        return true;
    }

    private boolean readGlobal(MemorySegment segment, Packet packet) {
        long at = Lrh.LENGTH;
        packet.from(Grh.sourceHigh(segment, at), Grh.sourceLow(segment, at), Endpoint.ROCE_PORT)
                .to(Grh.targetHigh(segment, at), Grh.targetLow(segment, at), Endpoint.ROCE_PORT)
                .marked(Grh.trafficClass(segment, at), Grh.hopLimit(segment, at));
        return true;
    }

    /** Whether a packet is for this port, or for a group that it is a member of. */
    private boolean isForMember(Packet packet) {
        if (packet.targetHigh() >>> 56 == MULTICAST_PREFIX) {
            return memberships.has(packet.targetHigh(), packet.targetLow());
        }
        return packet.targetHigh() == localHigh && packet.targetLow() == localLow;
    }

    // --- sleep

    @Override
    public void attach(Sleeper sleeper) {
        host.onReceived(() -> {
            VarHandle.fullFence();
            sleeper.rouse();
        });
    }

    @Override
    public long sleepMaxNs() {
        return host.hasReceived() || !loop.isEmpty() ? 0 : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (claimed != null) {
                abandon(claimed);
            }
            memberships.forEach(resolver::leave);
            resolver.close();
            host.onReceived(null);
            host.close();
        }
    }
}
