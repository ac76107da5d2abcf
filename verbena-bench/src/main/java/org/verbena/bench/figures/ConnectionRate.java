package org.verbena.bench.figures;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.Endpoint;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/**
 * Connections opened and closed through the connection manager over UDP loopback: a program that prints connections a second.
 * For each connection a queue pair is created, connected, disconnected and closed at both ends.
 *
 * <p>Arguments: threads that connect, seconds.
 */
final class ConnectionRate {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;

    private ConnectionRate(String host, int port) {
        adapter = Adapter.open(UdpNetwork.open(Endpoint.of(host, port)), AdapterOptions.DEFAULT.withName(host));
        domain = adapter.createProtectionDomain();
        completions = adapter.createCompletionQueue(1 << 12);
    }

    /** Prints one number. */
    public static void main(String... arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        long seconds = Long.parseLong(arguments[1]);
        // Both connection managers use the same port, so that the two adapters need two addresses.
        var server = new ConnectionRate("127.0.0.2", 0);
        var client = new ConnectionRate("127.0.0.1", server.adapter.endpoint().port());
        try (Adapter _ = server.adapter;
                Adapter _ = client.adapter;
                Listener listener = Listener.open(
                        server.adapter,
                        new InetSocketAddress("127.0.0.2", 0),
                        ListenerOptions.DEFAULT,
                        server::accept)) {
            System.out.printf(Locale.ROOT, "%.0f%n", client.rate(listener.address(), threads, seconds));
        }
    }

    private QueuePair queuePair() {
        return adapter.createQueuePair(QueuePairOptions.of(domain, completions).withCapacity(8, 8));
    }

    /** Accepts on the engine's thread, as soon as the request arrives. */
    private void accept(ConnectionRequest request) {
        QueuePair queuePair = queuePair();
        var _ = request.accept(queuePair, AcceptOptions.DEFAULT)
                .whenDisconnected()
                .thenRun(queuePair::close);
    }

    private double rate(InetSocketAddress at, int threads, long seconds) throws InterruptedException {
        AtomicLong done = new AtomicLong();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(Thread.ofPlatform().daemon().start(() -> connect(at, done)));
        }
        Thread.sleep(Duration.ofSeconds(seconds)); // until everything is compiled
        long before = done.get();
        long begin = System.nanoTime();
        Thread.sleep(Duration.ofSeconds(seconds));
        double rate = (done.get() - before) * 1e9 / (System.nanoTime() - begin);
        workers.forEach(Thread::interrupt);
        for (Thread worker : workers) {
            worker.join();
        }
        return rate;
    }

    private void connect(InetSocketAddress at, AtomicLong done) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try (QueuePair queuePair = queuePair();
                        Connection connection = Connector.connect(adapter, at, queuePair, ConnectorOptions.DEFAULT)) {
                    var _ = connection.disconnect();
                    if (!connection.awaitDisconnected(PATIENCE)) {
                        throw new IllegalStateException(connection + " does not end");
                    }
                    done.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
