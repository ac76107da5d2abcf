package org.verbena.bench.figures;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.verbs.QueuePair;

/**
 * Connections opened and closed over TCP loopback: a program that prints one number. For each connection a queue pair is created, connected,
 * disconnected and closed at both ends. Both ends are in this process.
 *
 * <p>Arguments: {@code WHAT THREADS SECONDS}. {@code rate} is connections a second; {@code growth} is what the live heap and the memory outside the heap grow by
 * meanwhile, in MiB. The same time before is not counted. The side that disconnects keeps its port for a minute (TIME_WAIT). Several listeners give each of its ports
 * several uses.
 */
final class StreamConnections {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LISTENERS = 8;

    private final IwarpEnd server = new IwarpEnd("server");
    private final IwarpEnd client = new IwarpEnd("client");
    private final List<Listener> listeners = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();

    private StreamConnections() {
        for (int i = 0; i < LISTENERS; i++) {
            listeners.add(server.listen());
        }
    }

    /** Prints one number. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments[1]);
        long seconds = Long.parseLong(arguments[2]);
        double value = new StreamConnections().measure(arguments[0].equals("rate"), threads, seconds);
        System.out.printf(Locale.ROOT, "%.3f%n", value);
        System.exit(0);
    }

    private double measure(boolean rate, int threads, long seconds) throws IOException, InterruptedException {
        for (int i = 0; i < threads; i++) {
            Thread.ofPlatform().daemon().start(this::connectAgainAndAgain);
        }
        Thread.sleep(Duration.ofSeconds(seconds)); // until everything is compiled
        long heapBefore = rate ? 0 : ProcessMemory.liveHeapBytes();
        long residentBefore = ProcessMemory.residentBytes();
        long before = done.get();
        long beginNs = System.nanoTime();
        Thread.sleep(Duration.ofSeconds(seconds));
        if (rate) {
            return (done.get() - before) * 1e9 / (System.nanoTime() - beginNs);
        }
        long heap = ProcessMemory.liveHeapBytes() - heapBefore;
        return (heap + ProcessMemory.residentBytes() - residentBefore) / (double) (1 << 20);
    }

    private void connectAgainAndAgain() {
        try {
            for (int i = 0; ; i++) {
                connect(listeners.get(i % LISTENERS).address());
                done.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void connect(InetSocketAddress at) throws InterruptedException {
        try (QueuePair queuePair = client.queuePair();
                Connection connection = Connector.connect(client.adapter(), at, queuePair, ConnectorOptions.DEFAULT)) {
            var _ = connection.disconnect();
            if (!connection.awaitDisconnected(PATIENCE)) {
                throw new MeasurementException(connection + " does not end");
            }
        }
    }
}
