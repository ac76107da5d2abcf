package org.verbena.bench;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.UdpNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/**
 * How many connections a second are made and ended through the connection manager over UDP on the loopback interface: queue
 * pair, request, reply, ready to use, request and reply for the end, queue pair closed, at both ends.
 */
public final class ConnectionRate implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** An adapter with what its queue pairs share. */
    private record Side(Adapter adapter, ProtectionDomain domain, CompletionQueue completions) {
        static Side on(Link link, String name) {
            Adapter adapter = Adapter.open(link, AdapterOptions.DEFAULT.withName(name));
            return new Side(adapter, adapter.createProtectionDomain(), adapter.createCompletionQueue(1024));
        }

        QueuePair queuePair() {
            return adapter.createQueuePair(
                    QueuePairOptions.of(domain, completions).withCapacity(16, 16));
        }
    }

    private final Side server;
    private final Side client;
    private final Listener listener;

    public ConnectionRate() {
        Link first = UdpNetwork.open(Endpoint.of("127.0.0.1", 0));
        server = Side.on(first, "server");
        client = Side.on(UdpNetwork.open(Endpoint.of("127.0.0.2", first.local().port())), "client");
        InetSocketAddress any =
                new InetSocketAddress(server.adapter().endpoint().address(), 0);
        listener = Listener.open(server.adapter(), any, ListenerOptions.DEFAULT, this::accept);
    }

    private void accept(ConnectionRequest request) {
        QueuePair queuePair = server.queuePair();
        var _ = request.accept(queuePair, AcceptOptions.DEFAULT)
                .whenDisconnected()
                .thenRun(queuePair::close);
    }

    /** Connections a second, with so many clients at once. */
    public double measure(int clients, Duration duration) throws InterruptedException, ExecutionException {
        long startNs = System.nanoTime();
        long endNs = startNs + duration.toNanos();
        long made = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            var counts = IntStream.range(0, clients)
                    .mapToObj(i -> threads.submit(() -> connectUntil(endNs)))
                    .toList();
            for (Future<Long> count : counts) {
                made += count.get();
            }
        }
        return made * 1e9 / (System.nanoTime() - startNs);
    }

    private long connectUntil(long endNs) throws InterruptedException {
        long made = 0;
        for (; System.nanoTime() - endNs < 0; made++) {
            QueuePair queuePair = client.queuePair();
            Connection connection =
                    Connector.connect(client.adapter(), listener.address(), queuePair, ConnectorOptions.DEFAULT);
            connection.close();
            if (!connection.awaitDisconnected(LONG)) {
                throw new IllegalStateException(connection + " does not end");
            }
            queuePair.close();
        }
        return made;
    }

    @Override
    public void close() {
        listener.close();
        client.adapter().close();
        server.adapter().close();
    }

    /** Prints a line for each number of clients, after a warm-up. */
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        try (ConnectionRate rate = new ConnectionRate()) {
            rate.measure(4, Duration.ofSeconds(5));
            for (int clients : new int[] {1, 4, 16}) {
                System.out.printf(
                        "%2d clients: %,.0f connections/s%n", clients, rate.measure(clients, Duration.ofSeconds(5)));
            }
        }
    }
}
