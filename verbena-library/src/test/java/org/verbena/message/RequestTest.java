package org.verbena.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.verbs.QueuePair;

@OverEachWire
final class RequestTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final MessageOptions OPTIONS = MessageOptions.DEFAULT;

    private final Wire wire;
    private final ArrayList<AutoCloseable> open = new ArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    RequestTest(Wire wire) {
        this.wire = wire;
    }

    @AfterEach
    void close() throws Exception {
        gate.countDown();
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private record Service(RequestChannel client, RequestServer server, QueuePair clients, QueuePair servers) {}

    private Service serve(Ends ends, MessageOptions options, RequestHandler handler) {
        return serve(ends, options, handler, MessageThreads::startVirtual);
    }

    private Service serve(Ends ends, MessageOptions options, RequestHandler handler, Executor executor) {
        open.add(ends);
        QueuePair one = MessageChannel.createQueuePair(ends.a, options);
        QueuePair other = MessageChannel.createQueuePair(ends.b, options);
        Ends.connect(one, other);
        RequestServer server = RequestServer.over(other, options, handler, executor);
        RequestChannel client = RequestChannel.over(one, options);
        open.add(server);
        open.add(client);
        return new Service(client, server, one, other);
    }

    private static ByteBuffer echo(ByteBuffer request) {
        byte[] bytes = new byte[request.remaining()];
        request.get(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void hundredsOfVirtualThreadsCallOnOneChannel() throws Exception {
        callFromManyThreads(serve(Ends.bySockets(wire), OPTIONS, RequestTest::echo));
    }

    @Test
    void aHandlerMayRunOnTheChannelsThread() throws Exception {
        callFromManyThreads(serve(Ends.over(wire), OPTIONS, RequestTest::echo, Runnable::run));
    }

    @Test
    void callsSurviveALossyLink() throws Exception {
        callFromManyThreads(serve(Ends.lossy(0.01), OPTIONS.withBufferSize(64).withDepth(8, 8), RequestTest::echo));
    }

    private static void callFromManyThreads(Service service) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var work = new ArrayList<Future<?>>();
            for (int t = 0; t < 200; t++) {
                int mine = t;
                work.add(threads.submit(() -> {
                    for (int i = 0; i < 10; i++) {
                        var request = ByteBuffer.allocate(64 + mine % 3 * 20)
                                .putInt(mine)
                                .putInt(i)
                                .rewind();
                        assertEquals(request, service.client.call(request, LONG));
                    }
                    return null;
                }));
            }
            for (Future<?> each : work) {
                each.get(120, TimeUnit.SECONDS);
            }
        }
        assertEquals(0, service.client.pending());
    }

    @Test
    void largeRequestsAndAnswersAreWhole() throws Exception {
        byte[] bytes = new byte[3 << 20];
        new Random(1).nextBytes(bytes);
        Service service = serve(Ends.bySockets(wire), OPTIONS, RequestTest::echo);
        for (int i = 0; i < 3; i++) {
            assertArrayEquals(
                    bytes, service.client.call(ByteBuffer.wrap(bytes), LONG).array());
        }
    }

    @Test
    void anAnswerMayBeTheRequestItself() throws Exception {
        Service service = serve(Ends.bySockets(wire), OPTIONS.withLargeMessages(2), request -> request);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<?>>();
            for (int t = 0; t < 8; t++) {
                byte[] bytes = new byte[t % 2 == 0 ? 100 : 300_000];
                new Random(t).nextBytes(bytes);
                calls.add(threads.submit(() -> {
                    for (int i = 0; i < 10; i++) {
                        assertArrayEquals(
                                bytes,
                                service.client
                                        .call(ByteBuffer.wrap(bytes), LONG)
                                        .array());
                    }
                    return null;
                }));
            }
            for (Future<?> call : calls) {
                call.get(120, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void anInterruptEndsACall() throws Exception {
        Service service = serve(Ends.over(wire), OPTIONS, request -> {
            gate.await();
            return request;
        });
        var told = new CompletableFuture<Throwable>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                service.client.call(text("x"), LONG);
            } catch (Exception ended) {
                told.complete(ended);
            }
        });
        while (service.client.pending() == 0) {
            Thread.onSpinWait();
        }
        caller.interrupt();
        assertInstanceOf(InterruptedException.class, told.get(60, TimeUnit.SECONDS));
        assertEquals(0, service.client.pending());
    }

    @Test
    void aRequestThatIsTooLongIsRefused() throws Exception {
        Service service = serve(Ends.over(wire), OPTIONS.withMessageMax(10_000), RequestTest::echo);
        assertEquals(text("x"), service.client.call(text("x"), LONG));
        assertThrows(IllegalArgumentException.class, () -> service.client.call(ByteBuffer.allocate(10_001), LONG));
        var later = service.client.callAsync(ByteBuffer.allocate(10_001), LONG);
        var failure = assertThrows(ExecutionException.class, () -> later.get(60, TimeUnit.SECONDS));
        assertInstanceOf(IllegalArgumentException.class, failure.getCause());
        assertEquals(0, service.client.pending());
    }

    @Test
    void aCancelledCallIsForgotten() throws Exception {
        Service service = serve(Ends.over(wire), OPTIONS, request -> {
            gate.await();
            return echo(request);
        });
        CompletableFuture<ByteBuffer> call = service.client.callAsync(text("x"), LONG);
        assertTrue(call.cancel(true));
        assertEquals(0, service.client.pending());
        gate.countDown();
        assertEquals(text("y"), service.client.call(text("y"), LONG));
    }

    @Test
    void anExecutorThatRefusesAnswersWithAnError() {
        Service service = serve(Ends.over(wire), OPTIONS, RequestTest::echo, _ -> {
            throw new UnsupportedOperationException("no threads");
        });
        var told = assertThrows(RemoteRequestException.class, () -> service.client.call(text("x"), LONG));
        assertEquals("java.lang.UnsupportedOperationException: no threads", told.getMessage());
    }

    @Test
    void anExceptionOfTheHandlerReachesTheCaller() throws Exception {
        Service service = serve(Ends.over(wire), OPTIONS, _ -> {
            throw new IllegalArgumentException("no such key");
        });
        var told = assertThrows(RemoteRequestException.class, () -> service.client.call(text("x"), LONG));
        assertEquals("java.lang.IllegalArgumentException: no such key", told.getMessage());
        var later = assertThrows(
                ExecutionException.class,
                () -> service.client.callAsync(text("x"), LONG).get(60, TimeUnit.SECONDS));
        assertInstanceOf(RemoteRequestException.class, later.getCause());
    }

    @Test
    void anAnswerTooLongForTheCallerIsAnError() {
        Service service = serve(Ends.over(wire), OPTIONS.withMessageMax(10_000), _ -> ByteBuffer.allocate(10_001));
        var told = assertThrows(RemoteRequestException.class, () -> service.client.call(text("x"), LONG));
        assertTrue(told.toString().contains("10000 bytes"), told::toString);
    }

    @Test
    void aCallWithoutAnAnswerEndsAtItsLimit() throws Exception {
        Service service = serve(Ends.over(wire), OPTIONS, request -> {
            gate.await();
            return echo(request);
        });
        assertThrows(TimeoutException.class, () -> service.client.call(text("x"), Duration.ofMillis(20)));
        var later = service.client.callAsync(text("y"), Duration.ofMillis(20));
        var failure = assertThrows(ExecutionException.class, () -> later.get(60, TimeUnit.SECONDS));
        assertInstanceOf(TimeoutException.class, failure.getCause());
        assertEquals(0, service.client.pending());
        gate.countDown();
        assertEquals(text("z"), service.client.call(text("z"), LONG), "late answers disturb nothing");
    }

    @Test
    void asynchronousCallsAreAnswered() throws Exception {
        Service service = serve(Ends.over(wire), OPTIONS, RequestTest::echo);
        var all = new ArrayList<CompletableFuture<ByteBuffer>>();
        for (int i = 0; i < 500; i++) {
            all.add(service.client.callAsync(text("request " + i), LONG));
        }
        for (int i = 0; i < 500; i++) {
            assertEquals(text("request " + i), all.get(i).get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void closingTheServerEndsCalls() throws Exception {
        Service service = serve(Ends.over(wire), OPTIONS, request -> {
            gate.await();
            return request;
        });
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> service.client.call(text("x"), LONG));
            while (service.client.pending() == 0) {
                Thread.onSpinWait();
            }
            var second = service.client.callAsync(text("y"), LONG);
            service.server.close();
            for (Future<?> call : new Future<?>[] {first, second}) {
                var failure = assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
                assertInstanceOf(ChannelException.class, failure.getCause());
            }
        }
        assertFalse(service.client.isOpen());
        assertThrows(ChannelException.class, () -> service.client.call(text("z"), LONG));
        service.server.whenEnded().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aFailedConnectionEndsCalls() throws Exception {
        Service service = serve(Ends.over(wire), OPTIONS, request -> {
            gate.await();
            return request;
        });
        var call = service.client.callAsync(text("y"), LONG);
        service.clients.abort();
        var failure = assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
        assertInstanceOf(ChannelException.class, failure.getCause());
    }
}
