package org.verbena.link.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.Endpoint;
import org.verbena.memory.Region;
import org.verbena.time.NanoClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AdapterOptions.Run;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** Adapters over TCP in every run mode that waits: consumers of several threads ping each other and sleep in between. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TcpAdapterTest {
    private static final int PAIRS = 3;
    private static final int ROUNDS = 300;
    private static final int LONG_WRITE = 900_000;
    private static final Duration LONG = Duration.ofSeconds(50);

    private static Adapter open(Run run) {
        return open(run, TcpOptions.DEFAULT);
    }

    private static Adapter open(Run run, TcpOptions options) {
        return Adapter.open(
                TcpNetwork.open(Endpoint.of("127.0.0.1", 0).address(), options),
                NanoClock.system(),
                AdapterOptions.DEFAULT.withRun(run));
    }

    /** A queue pair with a completion queue of its own, for one thread. */
    private static final class Consumer {
        final CompletionQueue completions;
        final QueuePair queuePair;
        final MemorySegment memory = Arena.ofAuto().allocate(64, 64);
        final Region region;

        Consumer(Adapter adapter) {
            var domain = adapter.createProtectionDomain();
            completions = adapter.createCompletionQueue(16);
            region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
            queuePair = adapter.createQueuePair(
                    QueuePairOptions.of(domain, completions).withCapacity(4, 4));
        }

        void receive() {
            assertTrue(queuePair.post(new WorkRequest.Receive(1, LocalSegment.of(region, 0, 8))));
        }

        void send(long value) {
            memory.set(ValueLayout.JAVA_LONG, 8, value);
            assertTrue(queuePair.post(new WorkRequest.Send(2, LocalSegment.of(region, 8, 8))));
        }

        /** Waits for a completion; for two if a send before is not completed. The message that has arrived last. */
        long await(boolean sent) throws InterruptedException {
            for (int left = sent ? 2 : 1; left > 0; left--) {
                @Nullable Completion found = completions.poll(LONG);
                assertNotNull(found);
                assertEquals(Status.SUCCESS, found.status());
            }
            return memory.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Run.class,
            names = {"MANUAL"},
            mode = EnumSource.Mode.EXCLUDE)
    void consumersOfOneAdapterPingInTurn(Run run) throws InterruptedException, ExecutionException {
        try (Adapter client = open(run);
                Adapter server = open(run)) {
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            try (Listener listener = Listener.open(
                    server, new InetSocketAddress(server.endpoint().address(), 0), ListenerOptions.DEFAULT)) {
                for (int i = 0; i < PAIRS; i++) {
                    Consumer mine = new Consumer(client);
                    ends.add(start(() -> {
                        Connector.connect(client, listener.address(), mine.queuePair, ConnectorOptions.DEFAULT);
                        ping(mine);
                    }));
                    ConnectionRequest request = listener.accept(LONG);
                    assertNotNull(request);
                    Consumer theirs = new Consumer(server);
                    theirs.queuePair.initialize(EnumSet.allOf(Right.class));
                    theirs.receive();
                    request.accept(theirs.queuePair, AcceptOptions.DEFAULT);
                    ends.add(start(() -> pong(theirs)));
                }
                for (CompletableFuture<Void> end : ends) {
                    end.get();
                }
            }
        }
    }

    /** The write is complete when its bytes are in the buffers of the adapter: more than the sockets take while the server does not read. */
    @ParameterizedTest
    @EnumSource(
            value = Run.class,
            names = {"MANUAL"},
            mode = EnumSource.Mode.EXCLUDE)
    void anAdapterThatClosesSendsTheBytesOfCompleteRequests(Run run) throws InterruptedException, ExecutionException {
        TcpOptions small = new TcpOptions(1 << 16, 1 << 16);
        MemorySegment source = Arena.ofAuto().allocate(LONG_WRITE);
        MemorySegment target = Arena.ofAuto().allocate(LONG_WRITE);
        source.set(ValueLayout.JAVA_BYTE, LONG_WRITE - 1, (byte) 42);
        try (Adapter server = open(Run.INLINE, small);
                Listener listener = Listener.open(
                        server, new InetSocketAddress(server.endpoint().address(), 0), ListenerOptions.DEFAULT)) {
            Consumer theirs = new Consumer(server);
            theirs.queuePair.initialize(EnumSet.allOf(Right.class));
            Region open = server.register(theirs.region.domain(), target, EnumSet.allOf(Right.class));
            Adapter client = open(run, small);
            Consumer mine = new Consumer(client);
            CompletableFuture<Void> complete = start(() -> {
                Connector.connect(client, listener.address(), mine.queuePair, ConnectorOptions.DEFAULT);
                Region from = client.register(mine.region.domain(), source, EnumSet.allOf(Right.class));
                assertTrue(mine.queuePair.post(
                        new WorkRequest.Write(1, LocalSegment.of(from, 0, LONG_WRITE), RemoteMemory.of(open))));
                mine.await(false);
            });
            ConnectionRequest request = listener.accept(LONG);
            assertNotNull(request);
            request.accept(theirs.queuePair, AcceptOptions.DEFAULT);
            complete.get();
            CompletableFuture<Void> closed = start(client::close);
            while (target.get(ValueLayout.JAVA_BYTE, LONG_WRITE - 1) != 42
                    && theirs.queuePair.state() == QueuePairState.READY_TO_SEND) {
                theirs.completions.poll(Duration.ofMillis(1)); // gives the server its turns
            }
            closed.get();
            assertEquals(42, target.get(ValueLayout.JAVA_BYTE, LONG_WRITE - 1), "the last byte");
        }
    }

    private interface Talk {
        void run() throws InterruptedException;
    }

    private static CompletableFuture<Void> start(Talk talk) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                talk.run();
                end.complete(null);
            } catch (InterruptedException | RuntimeException | AssertionError e) {
                end.completeExceptionally(e);
            }
        });
        return end;
    }

    private static void ping(Consumer by) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            by.receive();
            by.send(round);
            assertEquals(-round, by.await(true));
        }
    }

    private static void pong(Consumer by) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            assertEquals(round, by.await(round > 0));
            by.receive();
            by.send(-round);
        }
        by.await(false); // drives an adapter that runs inline until the last answer has left
    }
}
