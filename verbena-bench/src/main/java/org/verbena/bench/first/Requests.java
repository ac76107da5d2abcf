package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.verbena.message.MessageChannel;
import org.verbena.message.MessageOptions;
import org.verbena.message.RequestChannel;
import org.verbena.message.RequestServer;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.QueuePair;

/**
 * Requests of 64 bytes and their answers: virtual threads share one {@link RequestChannel}, a {@link RequestServer} answers each
 * request on a virtual thread, both with default options. The argument of its own is the number of threads.
 */
public final class Requests {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Requests() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments.more());
        try (Adapter adapter = VerbenaEnd.open()) {
            QueuePair queuePair = MessageChannel.createQueuePair(adapter, MessageOptions.DEFAULT);
            if (arguments.server()) {
                serve(Control.accept(arguments.port(), 1).getFirst(), queuePair);
            } else {
                ask(Control.connect(arguments.port()), queuePair, threads, arguments, out);
            }
        }
    }

    private static void serve(Control client, QueuePair queuePair) throws IOException {
        try (client) {
            client.connect(queuePair);
            try (RequestServer _ = RequestServer.over(queuePair, MessageOptions.DEFAULT, Requests::echo)) {
                client.answer(() -> Usage.of(queuePair.adapter()));
            }
        }
    }

    /** The request's buffer is the channel's, so the answer is a copy. */
    private static ByteBuffer echo(ByteBuffer request) {
        return ByteBuffer.allocate(request.remaining()).put(request).flip();
    }

    private static void ask(Control server, QueuePair queuePair, int threads, Arguments arguments, PrintStream out)
            throws IOException, InterruptedException {
        try (server) {
            server.connect(queuePair);
            try (RequestChannel channel = RequestChannel.over(queuePair, MessageOptions.DEFAULT)) {
                List<RoundTrips.Trip> trips = new ArrayList<>();
                while (trips.size() < threads) {
                    trips.add(trip(channel, trips.size()));
                }
                ManyThreads.measure(trips, arguments, out);
            }
        }
    }

    /** Requests of one thread, each with another content. */
    private static RoundTrips.Trip trip(RequestChannel channel, int thread) {
        ByteBuffer request = ByteBuffer.allocate(RoundTrips.SIZE).putInt(0, thread);
        return () -> {
            request.putInt(Integer.BYTES, request.getInt(Integer.BYTES) + 1);
            try {
                if (!channel.call(request, PATIENCE).equals(request)) {
                    throw new IllegalStateException("the request that was sent did not come back");
                }
            } catch (TimeoutException e) {
                throw new IOException("no answer within " + PATIENCE.toSeconds() + " s", e);
            }
        };
    }
}
