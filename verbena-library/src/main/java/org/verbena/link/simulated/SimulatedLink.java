package org.verbena.link.simulated;

import java.util.ArrayDeque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.Sleeper;
import org.verbena.link.support.Locals;
import org.verbena.link.support.MemoryLink;
import org.verbena.link.support.Misuse;
import org.verbena.link.support.SourcePorts;

/** One link of a {@link SimulatedNetwork}. No call takes time. */
final class SimulatedLink extends MemoryLink {
    /** A destination. */
    private record SimulatedPath(
            SimulatedLink owner, Endpoint remote, Endpoint source, LinkFlow flow, Addresses addresses, boolean group)
            implements LinkPath {}

    /** Source and target, in the form packets want. */
    private record Addresses(long sourceHigh, long sourceLow, long targetHigh, long targetLow) {}

    private final SimulatedNetwork network;
    private final SimulatedWire wire;
    private final PriorityQueue<Flight> underWay = new PriorityQueue<>();
    private final ArrayDeque<Flight> arrived = new ArrayDeque<>();
    private @Nullable Flight claimed;
    private @Nullable SimulatedPath claimedPath;
    private long wireFreeNs;
    private int committed;
    private int groups;
    private boolean closed;

    SimulatedLink(SimulatedNetwork network, List<Endpoint> locals, SimulatedWire wire) {
        super("simulated", locals);
        this.network = network;
        this.wireFreeNs = network.nowNs();
        this.wire = wire;
    }

    @Override
    public LinkPath path(Address to, LinkFlow flow) {
        Endpoint remote = Endpoint.of(to);
        Endpoint source = Locals.toward(remote, flow, locals).withPort(SourcePorts.of(flow));
        Addresses addresses = new Addresses(source.high(), source.low(), remote.high(), remote.low());
        return new SimulatedPath(
                this, remote, source, flow, addresses, remote.address().isMulticastAddress());
    }

    @Override
    public void join(Address to) {
        Endpoint group = Endpoint.of(to);
        Locals.joining(group, locals);
        if (closed) {
            throw Misuse.closed(this);
        }
        if (!network.members(group).contains(this)) {
            Locals.checkGroups(groups);
            groups += network.join(this, group) ? 1 : 0;
        }
    }

    @Override
    public void leave(Address from) {
        Endpoint group = Endpoint.of(from);
        groups -= network.leave(this, group) ? 1 : 0;
    }

    @Override
    public @Nullable Packet claim(LinkPath path, int length) {
        if (!(path instanceof SimulatedPath to) || to.owner() != this) {
            throw Misuse.path(path, this);
        }
        if (length < 1 || length > Packet.LENGTH_MAX) {
            throw Misuse.length(length, Packet.LENGTH_MAX);
        }
        if (claimed != null) {
            throw Misuse.claimPending();
        }
        if (closed) {
            throw Misuse.closed(this);
        }
        if (wireFreeNs - network.nowNs() >= wire.aheadMaxNs()) {
            counters.onRefused();
            return null;
        }
        return claim(to, length, network.take());
    }

    private Packet claim(SimulatedPath to, int length, Flight flight) {
        claimed = flight;
        claimedPath = to;
        Addresses addresses = to.addresses();
        return flight.packet
                .at(0, length, 0)
                .from(addresses.sourceHigh(), addresses.sourceLow(), to.source().port())
                .to(addresses.targetHigh(), addresses.targetLow(), to.remote().port())
                .marked(to.flow().trafficClass(), to.flow().hopLimit());
    }

    @Override
    public void commit(Packet packet) {
        Flight flight = takeClaimed(packet);
        SimulatedPath to = claimedPath;
        if (to == null) {
            throw Misuse.notClaimed();
        }
        wireFreeNs = Math.max(wireFreeNs, network.nowNs()) + wire.occupiedNs(packet.length());
        boolean delivered = to.group() ? departToAll(to.remote(), flight) : depart(network.at(to.remote()), flight);
        if (delivered) {
            counters.onSent(1, packet.length());
            committed++;
        } else {
            counters.onSendDropped(1);
        }
    }

    private boolean depart(@Nullable SimulatedLink target, Flight flight) {
        if (target == null) {
            network.giveBack(flight);
            return false;
        }
        flight.depart(wireFreeNs + wire.latencyNs(), network.nextPacketNumber());
        target.underWay.add(flight);
        return true;
    }

    private boolean departToAll(Endpoint group, Flight flight) {
        List<SimulatedLink> members = network.members(group);
        for (int i = 0; i < members.size(); i++) {
            depart(members.get(i), network.take().copyOf(flight.packet));
        }
        network.giveBack(flight);
        return !members.isEmpty();
    }

    @Override
    public void abandon(Packet packet) {
        network.giveBack(takeClaimed(packet));
    }

    private Flight takeClaimed(Packet packet) {
        Flight flight = claimed;
        if (flight == null || packet != flight.packet) {
            throw Misuse.notClaimed();
        }
        claimed = null;
        return flight;
    }

    @Override
    public int flush() {
        int packets = committed;
        committed = 0;
        return packets;
    }

    @Override
    public int receive(PacketHandler handler, int limit) {
        arrive();
        int packets = 0;
        for (; packets < limit; packets++) {
            Flight flight = arrived.poll();
            if (flight == null) {
                break;
            }
            counters.onReceived(1, flight.packet.length());
            handler.onPacket(flight.packet);
            network.giveBack(flight);
        }
        return packets;
    }

    /** Moves the packets that have arrived by now into the receive queue, in order of arrival; packets that find it full are lost. */
    private void arrive() {
        long nowNs = network.nowNs();
        for (Flight flight = underWay.peek(); flight != null && flight.arrivalNs <= nowNs; flight = underWay.peek()) {
            underWay.remove();
            if (arrived.size() < wire.queueMax()) {
                arrived.add(flight);
            } else {
                counters.onReceiveDropped(1);
                network.giveBack(flight);
            }
        }
    }

    long nextDeliveryNs() {
        Flight next = arrived.isEmpty() ? underWay.peek() : arrived.peek();
        return next == null ? Long.MAX_VALUE : next.arrivalNs;
    }

    /** Nothing to watch: virtual time passes only between turns. */
    @Override
    public void attach(Sleeper sleeper) {}

    @Override
    public long sleepMaxNs() {
        return nextDeliveryNs() <= network.nowNs() ? 0 : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            network.remove(this);
            arrived.clear();
            underWay.clear();
        }
    }
}
