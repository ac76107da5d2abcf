package org.verbena.exchange;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.Wire;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.MemoryStreams;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;

/**
 * Adapters that reach each other by one of the wires within the process, for tests of the contract that both have. Over iWARP one thread
 * drives all of them, by hand.
 */
public final class Wires {
    private static final int STREAM_CAPACITY = 1 << 18;
    private static final int PACKET_MAX = 1448;
    private static final int TURNS_MAX = 1000;

    private final Wire wire;
    private final InProcessNetwork packets = new InProcessNetwork();
    private final MemoryStreams streams = new MemoryStreams(STREAM_CAPACITY, PACKET_MAX, 0, new Seed(1));
    private int addresses;

    public Wires(Wire wire) {
        this.wire = wire;
    }

    /** The network of adapters over RoCE. */
    public InProcessNetwork packets() {
        return packets;
    }

    /** An adapter that the others reach. */
    public Adapter open(NanoClock clock, AdapterOptions options) {
        return switch (wire) {
            case ROCE -> Adapter.open(packets.open(), clock, options);
            case IWARP ->
                Adapter.open(
                        streams.open(Endpoint.of("192.0.2." + ++addresses, 0).address()), clock, options);
        };
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
            for (int turn = 0; !connecting.isDone(); turn++) {
                assertTrue(turn < TURNS_MAX, "no connection");
                work(one.adapter());
                work(there);
            }
            return new Joined(List.of(connecting.join(), accepted.get()));
        }
    }

    private static void work(Adapter adapter) {
        adapter.work(adapter.management().nowNs());
    }
}
