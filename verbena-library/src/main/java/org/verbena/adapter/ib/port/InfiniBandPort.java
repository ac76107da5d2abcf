package org.verbena.adapter.ib.port;

import org.verbena.Mtu;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.ib.Demultiplexer;
import org.verbena.adapter.ib.Destinations;
import org.verbena.adapter.ib.EtherTypes;
import org.verbena.adapter.ib.Groups;
import org.verbena.adapter.ib.PacketReceiver;
import org.verbena.adapter.ib.PacketReceivers;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.Seal;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.ib.datagram.DatagramParameters;
import org.verbena.adapter.ib.datagram.DatagramTransport;
import org.verbena.adapter.ib.management.ManagementQueue;
import org.verbena.adapter.ib.message.ConnectParameters;
import org.verbena.adapter.ib.message.UnreliableTransport;
import org.verbena.adapter.ib.raw.RawParameters;
import org.verbena.adapter.ib.raw.RawTransport;
import org.verbena.adapter.ib.reliable.ReliableConnection;
import org.verbena.adapter.ib.unreliable.UnreliableConnection;
import org.verbena.adapter.pair.AttachParameters;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PairCarrier;
import org.verbena.adapter.pair.PairService;
import org.verbena.adapter.pair.Transport;
import org.verbena.link.Address;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.WakeSource;
import org.verbena.memory.ProtectionDomain;
import org.verbena.wire.ib.Opcode;

/** Carries queue pairs by InfiniBand packets on one link. The engine's thread calls everything. */
public final class InfiniBandPort implements PairCarrier {
    private final Link link;
    private final Mtu mtuMax;
    private final EngineParts parts;
    private final TurnTime time;
    private final Transmitter transmitter;
    private final Demultiplexer demultiplexer;
    private final Groups groups;
    private final PacketReceivers receivers = new PacketReceivers();
    private final EtherTypes etherTypes = new EtherTypes();
    private final Destinations destinations = new Destinations();
    // Made once: a method reference at the call would be an object a turn.
    private final PacketHandler onPacket = this::onPacket;

    /**
     * A port on this link. It makes transports of these parts.
     *
     * @throws IllegalStateException if the packets of the link are too short for any MTU
     */
    public InfiniBandPort(Link link, EngineParts parts) {
        this.link = link;
        this.parts = parts;
        this.time = parts.time();
        Seal seal = Seal.of(link.framing());
        this.mtuMax = mtuMax(link, seal);
        this.transmitter = new Transmitter(link, seal, parts.counters(), parts.effort());
        this.groups = new Groups(link);
        this.demultiplexer =
                new Demultiplexer(receivers, parts.queuePairs(), groups, etherTypes, seal, parts.counters());
    }

    private static Mtu mtuMax(Link link, Seal seal) {
        int longestHeader = Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE.headerLength();
        Mtu mtu = Mtu.atMost(link.packetMax() - longestHeader - seal.length());
        if (mtu == null) {
            throw new IllegalStateException(
                    "the link carries packets of " + link.packetMax() + " bytes, too few for any MTU");
        }
        return mtu;
    }

    /** The largest MTU whose packets the link carries. */
    public Mtu mtuMax() {
        return mtuMax;
    }

    // --- for the engine

    @Override
    public int receive(long nowNs, int max) {
        return link.receive(onPacket, max);
    }

    private void onPacket(Packet packet) {
        demultiplexer.receive(time.nowNs(), packet);
    }

    @Override
    public void flush() {
        link.flush();
    }

    @Override
    public WakeSource source() {
        return link;
    }

    @Override
    public void recover() {
        transmitter.recover();
        PacketReceiver cut = demultiplexer.takeReceiving();
        if (cut != null) {
            cut.onMemoryFault();
        }
    }

    @Override
    public void onRemoved(int queuePair) {
        groups.leaveAll(queuePair);
    }

    // --- for queue pairs

    /** True for every service and address. {@link #attach} throws if the link has no path to the address. */
    @Override
    public boolean reaches(AttachParameters parameters) {
        return true;
    }

    @Override
    public Transport attach(Pair pair, AttachParameters parameters) {
        return switch (parameters) {
            case ConnectParameters connect
            when connect.service() == PairService.RELIABLE_CONNECTION -> {
                var made =
                        new ReliableConnection(pair, parts, transmitter, receivers, peer(connect), connect.receive());
                receivers.add(made);
                yield made;
            }
            case ConnectParameters connect ->
                attached(new UnreliableConnection(
                        pair,
                        parts,
                        transmitter,
                        receivers,
                        peer(connect),
                        connect.receive().firstPsn()));
            case DatagramParameters datagram ->
                attached(new DatagramTransport(pair, parts, transmitter, receivers, destinations, datagram));
            case RawParameters raw -> attachRaw(pair, raw);
            default -> throw new IllegalArgumentException("InfiniBand has no use for " + parameters);
        };
    }

    private Transport attached(UnreliableTransport transport) {
        receivers.add(transport);
        return transport;
    }

    private Transport attachRaw(Pair pair, RawParameters raw) {
        if (!link.carriesRaw()) {
            throw new IllegalStateException("the link (" + link.name()
                    + ") carries no raw packets; only links within the process and on a fabric do");
        }
        var made = new RawTransport(pair, parts, transmitter, receivers, destinations, etherTypes, raw);
        etherTypes.add(raw.etherType(), made);
        return attached(made);
    }

    private Peer peer(ConnectParameters connect) {
        return new Peer(
                link.path(connect.remote(), connect.flow()), connect.remoteQueuePair(), connect.pkey(), connect.mtu());
    }

    // --- of InfiniBand only

    /**
     * Adds a destination of datagrams; its number.
     *
     * @throws org.verbena.link.LinkException if the link has no path to it
     * @throws IllegalStateException if all numbers are in use
     */
    public int addDestination(Address remote, LinkFlow flow, ProtectionDomain domain) {
        return destinations.add(link.path(remote, flow), domain);
    }

    /** Forgets a destination; does nothing if there is none with this number. */
    public void removeDestination(int handle) {
        destinations.remove(handle);
    }

    /** The multicast groups of its queue pairs. */
    public Groups groups() {
        return groups;
    }

    /** Opens queue pair 1. */
    public ManagementQueue openManagement() {
        ManagementQueue queue = new ManagementQueue(link, transmitter, parts);
        receivers.add(queue);
        return queue;
    }

    /** Closes queue pair 1; datagrams that it has sent leave. */
    public void closeManagement(ManagementQueue queue) {
        link.flush();
        receivers.remove(queue);
    }
}
