package org.verbena.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.Wire;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.QueuePair;

/** Requests and answers over iWARP, on TCP of this machine, by the same classes as over RoCEv2. */
@Timeout(60)
final class StreamRequestTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final AdapterOptions OPTIONS = AdapterOptions.DEFAULT.withWire(Wire.IWARP);
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void requestsOfAllLengthsAndOfManyThreadsAreAnswered() throws InterruptedException, TimeoutException {
        try (Adapter here = Adapter.open(HERE, OPTIONS.withName("here"));
                Adapter there = Adapter.open(HERE, OPTIONS.withName("there"));
                Listener listener = Listener.open(there, HERE, ListenerOptions.DEFAULT)) {
            QueuePair mine = MessageChannel.createQueuePair(here, MessageOptions.DEFAULT);
            QueuePair theirs = MessageChannel.createQueuePair(there, MessageOptions.DEFAULT);
            var connecting = Connector.connectAsync(here, listener.address(), mine, ConnectorOptions.DEFAULT);
            Connection accepted = listener.acceptAsync().join().accept(theirs, AcceptOptions.DEFAULT);
            connecting.join();
            accepted.awaitEstablished(LIMIT);
            try (RequestServer _ = RequestServer.over(theirs, MessageOptions.DEFAULT, StreamRequestTest::same);
                    RequestChannel client = RequestChannel.over(mine, MessageOptions.DEFAULT)) {
                Seed seed = new Seed(5);
                for (int length : new int[] {0, 1, 100, 5_000, 70_000, 2_000_000}) {
                    byte[] request = new byte[length];
                    for (int i = 0; i < length; i++) {
                        request[i] = (byte) seed.nextInt(256);
                    }
                    assertArrayEquals(request, bytes(client.call(ByteBuffer.wrap(request), LIMIT)));
                }
                assertEquals(20 * 50, callsOfThreads(client));
            }
        }
    }

    private static ByteBuffer same(ByteBuffer request) {
        return ByteBuffer.wrap(bytes(request));
    }

    private static byte[] bytes(ByteBuffer from) {
        byte[] all = new byte[from.remaining()];
        from.get(all);
        return all;
    }

    private static int callsOfThreads(RequestChannel client) throws InterruptedException {
        AtomicInteger right = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 20; t++) {
            byte own = (byte) t;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 50; i++) {
                    right.addAndGet(isRight(client, own, (byte) i) ? 1 : 0);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return right.get();
    }

    private static boolean isRight(RequestChannel client, byte... request) {
        try {
            return Arrays.equals(request, bytes(client.call(ByteBuffer.wrap(request), LIMIT)));
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
