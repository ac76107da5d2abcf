package org.verbena.exchange;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.verbena.Wire;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.MemoryStreams;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.tcp.TcpNetwork;
import org.verbena.link.tcp.TcpOptions;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;

/**
 * Adapters that reach each other by one of the wires, for tests of the contract that both have. Those that one thread drives by hand, in virtual
 * time for instance, have streams in memory over iWARP; {@linkplain #openLive live} ones have TCP of this machine. While {@link OnFabric} says so,
 * adapters over RoCE are at ports of a fabric.
 */
public final class Wires {
    private static final int STREAM_CAPACITY = 1 << 18;
    private static final int PACKET_MAX = 1448;
    private static final int TURNS_MAX = 1000;
    private static final long PATIENCE_NS = 60_000_000_000L;

    /** Live adapters over iWARP: each has a loopback address that no other process and no other adapter of this one has, so that ports are free. */
    private static final AtomicInteger LIVE = new AtomicInteger();

    private static final int LIVE_MAX = 254;

    /** Whether adapters over RoCE are on a fabric in fact. */
    private static volatile boolean onFabric;

    private final Wire wire;
    private final boolean switched;
    private final FabricSites byHand = new FabricSites(false);
    private final FabricSites live = new FabricSites(true);
    private final InProcessNetwork packets = new InProcessNetwork();
    private final MemoryStreams streams = new MemoryStreams(STREAM_CAPACITY, PACKET_MAX, 0, new Seed(1));
    private int addresses;

    public Wires(Wire wire) {
        this(wire, wire == Wire.ROCE && onFabric);
    }

    private Wires(Wire wire, boolean switched) {
        this.wire = wire;
        this.switched = switched;
    }

    /** Adapters on a fabric of three switches, whatever {@link OnFabric} says. */
    public static Wires ofFabric() {
        return new Wires(Wire.ROCE, true);
    }

    static void onFabric(boolean now) {
        onFabric = now;
    }

    /** Whether the tests of a class run over a fabric now. */
    public static boolean isOnFabric() {
        return onFabric;
    }

    /** The network of adapters over RoCE. */
    public InProcessNetwork packets() {
        return packets;
    }

    /** A link over RoCE that adapters of {@link #open} reach. */
    public Link openLink() {
        return switched ? byHand.open() : packets.open();
    }

    /** A link over RoCE that adapters of {@link #openLive} reach. */
    public Link openLiveLink() {
        return switched ? live.open() : packets.open();
    }

    /** An adapter that the others reach. */
    public Adapter open(NanoClock clock, AdapterOptions options) {
        return switch (wire) {
            case ROCE -> Adapter.open(openLink(), clock, options);
            case IWARP ->
                Adapter.open(
                        streams.open(Endpoint.of("192.0.2." + ++addresses, 0).address()), clock, options);
        };
    }

    /** An adapter that the others of its kind reach, in the machine's time, driven as the options say. */
    public Adapter openLive(AdapterOptions options) {
        return openLive(options, link -> link, network -> network);
    }

    /** The same, with a test's wrapper around the link or the network. */
    public Adapter openLive(
            AdapterOptions options, UnaryOperator<Link> ofPackets, UnaryOperator<StreamNetwork> ofStreams) {
        return switch (wire) {
            case ROCE -> Adapter.open(ofPackets.apply(openLiveLink()), options);
            case IWARP -> {
                StreamNetwork network = TcpNetwork.open(ownLoopback(), TcpOptions.DEFAULT);
                yield Adapter.open(ofStreams.apply(network), NanoClock.system(), options);
            }
        };
    }

    /** The same, by sockets of this machine. */
    public Adapter openBySockets(AdapterOptions options) {
        return wire == Wire.IWARP || switched
                ? openLive(options)
                : Adapter.open(UdpNetwork.open(Endpoint.of("127.0.0.1", 0)), options);
    }

    private static InetAddress ownLoopback() {
        int process = (int) ProcessHandle.current().pid() & 0x7fff;
        int host = 1 + LIVE.getAndIncrement() % LIVE_MAX;
        return Endpoint.of("127." + (0x80 | process >> 8) + "." + (process & 0xff) + "." + host, 0)
                .address();
    }

    /** Connects two queue pairs: over RoCE each with the other's address, over iWARP by a listener and a connector. */
    public static Joined connect(QueuePair one, QueuePair other, ConnectionOptions how) {
        if (one.adapter().wire() == Wire.IWARP) {
            return connectStream(one, other, how);
        }
        one.connect(other.address(), how);
        other.connect(one.address(), how);
        return new Joined(List.of());
    }

    /**
     * Two queue pairs that are connected.
     *
     * @param connections the ends of their connection, where a wire has such
     */
    public record Joined(List<Connection> connections) {
        /** Ends the connection: a queue pair that has one cannot be connected again before. */
        public void end() {
            connections.forEach(Connection::close);
        }
    }

    private static Joined connectStream(QueuePair one, QueuePair other, ConnectionOptions how) {
        Adapter there = other.adapter();
        AcceptOptions accepting = AcceptOptions.DEFAULT.withConnection(how);
        var at = new InetSocketAddress(there.endpoint().address(), 0);
        var accepted = new AtomicReference<Connection>();
        try (Listener listener = Listener.open(
                there, at, ListenerOptions.DEFAULT, request -> accepted.set(request.accept(other, accepting)))) {
            CompletableFuture<Connection> connecting = Connector.connectAsync(
                    one.adapter(), listener.address(), one, ConnectorOptions.DEFAULT.withConnection(how));
            boolean byHand = isRunByHand(there);
            long startNs = NanoClock.system().nowNs();
            for (int turn = 0; !connecting.isDone() || accepted.get() == null; turn++) {
                long tookNs = NanoClock.system().nowNs() - startNs;
                assertTrue(byHand ? turn < TURNS_MAX : tookNs < PATIENCE_NS, "no connection");
                work(one.adapter(), byHand);
                work(there, byHand);
            }
            return new Joined(List.of(connecting.join(), accepted.get()));
        }
    }

    private static boolean isRunByHand(Adapter adapter) {
        try {
            adapter.management().requireMayWait();
            return false;
        } catch (IllegalStateException byHand) {
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void work(Adapter adapter, boolean byHand) {
        if (byHand) {
            adapter.work(adapter.management().nowNs());
        } else {
            adapter.management().call(() -> {}); // gives a turn to an adapter that its consumers drive
        }
    }
}
