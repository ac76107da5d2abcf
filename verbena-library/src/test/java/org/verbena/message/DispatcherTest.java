package org.verbena.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

@OverEachWire
final class DispatcherTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Keeps the completions it is given. */
    private static final class Recorder implements WorkHandler {
        final LinkedBlockingQueue<Completion> done = new LinkedBlockingQueue<>();
        final LinkedBlockingQueue<Completion> failed = new LinkedBlockingQueue<>();
        final CompletableFuture<Throwable> ended = new CompletableFuture<>();

        @Override
        public void onCompletion(Completions batch, int index) {
            done.add(batch.get(index));
        }

        @Override
        public void onFailure(Completions batch, int index) {
            failed.add(batch.get(index));
        }

        @Override
        public void onEnd(Throwable cause) {
            ended.complete(cause);
        }
    }

    /** An adapter's parts: two queue pairs with one completion queue. */
    private static final class Side {
        final ProtectionDomain domain;
        final CompletionQueue completions;
        final QueuePair first;
        final QueuePair second;
        final MemorySegment memory = Arena.ofAuto().allocate(4096, 8);
        final Region region;

        Side(Adapter adapter) {
            domain = adapter.createProtectionDomain();
            completions = adapter.createCompletionQueue(512);
            first = adapter.createQueuePair(QueuePairOptions.of(domain, completions));
            second = adapter.createQueuePair(QueuePairOptions.of(domain, completions));
            region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
        }

        LocalSegment segment(long offset, long length) {
            return LocalSegment.of(region, offset, length);
        }
    }

    private final Wire wire;
    private final Ends ends;
    private final Side a;
    private final Side b;
    private final Dispatcher dispatcher;
    private final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

    DispatcherTest(Wire wire) {
        this.wire = wire;
        ends = Ends.over(wire);
        a = new Side(ends.a);
        b = new Side(ends.b);
        dispatcher = Dispatcher.over(a.completions);
        Ends.connect(a.first, b.first);
        Ends.connect(a.second, b.second);
        dispatcher.onFailure(failures::add);
    }

    @AfterEach
    void close() {
        dispatcher.close();
        ends.close();
    }

    private static Completion await(CompletableFuture<Completion> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private WorkRequest.Write write(long id) {
        return new WorkRequest.Write(id, a.segment(0, 64), RemoteMemory.of(b.region));
    }

    private WorkRequest.Receive receive(long id) {
        return new WorkRequest.Receive(id, a.segment(0, 64));
    }

    @Test
    void aSubmittedRequestCompletesItsFutureUnderItsOwnId() throws Exception {
        dispatcher.start("dispatcher");
        a.memory.set(ValueLayout.JAVA_LONG, 0, 4711);
        Completion completion = await(dispatcher.submit(a.first, write(-5)));
        assertEquals(-5, completion.id());
        assertEquals(Status.SUCCESS, completion.status());
        awaitArrival();
        assertEquals(4711, b.memory.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void anUnsignalledRequestCompletesItsFutureToo() throws Exception {
        dispatcher.start("dispatcher");
        SendOptions how = SendOptions.UNSIGNALLED;
        RemoteMemory there = RemoteMemory.of(b.region);
        a.memory.set(ValueLayout.JAVA_LONG, 0, 99);
        var request = wire == Wire.IWARP
                ? new WorkRequest.Write(1, Payload.of(a.segment(0, 8)), there, how)
                : new WorkRequest.AtomicWrite(1, 99, there, how);
        assertEquals(1, await(dispatcher.submit(a.first, request)).id());
        awaitArrival();
        assertEquals(99, b.memory.get(ValueLayout.JAVA_LONG, 0));
    }

    /** Over iWARP the completion of a write says that its bytes are in the stream; that of a read behind it, that they have arrived. */
    private void awaitArrival() throws Exception {
        if (wire == Wire.IWARP) {
            await(dispatcher.submit(a.first, new WorkRequest.Read(3, a.segment(1024, 8), RemoteMemory.of(b.region))));
        }
    }

    @Test
    void readsAndAtomicsCanBeSubmitted() throws Exception {
        dispatcher.start("dispatcher");
        RemoteMemory there = RemoteMemory.of(b.region);
        SendOptions how = SendOptions.SIGNALLED;
        b.memory.set(ValueLayout.JAVA_LONG, 0, 40);
        await(dispatcher.submit(a.first, new WorkRequest.FetchAdd(1, a.segment(0, 8), there, 2, how)));
        await(dispatcher.submit(a.first, new WorkRequest.CompareSwap(2, a.segment(8, 8), there, 42, 43, how)));
        await(dispatcher.submit(a.first, new WorkRequest.Read(3, a.segment(16, 8), there)));
        assertEquals(40, a.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(42, a.memory.get(ValueLayout.JAVA_LONG, 8));
        assertEquals(43, a.memory.get(ValueLayout.JAVA_LONG, 16));
    }

    @Test
    void aSubmittedReceiveCompletesWhenAMessageComes() throws Exception {
        dispatcher.start("dispatcher");
        CompletableFuture<Completion> received = dispatcher.submit(a.first, receive(8));
        b.memory.set(ValueLayout.JAVA_LONG, 0, 12);
        assertTrue(b.first.post(new WorkRequest.Send(1, b.segment(0, 16))));
        assertEquals(16, await(received).byteLength());
        assertEquals(8, await(received).id());
        assertEquals(12, a.memory.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void aRefusedRequestFailsItsFutureWithTheStatus() throws Exception {
        dispatcher.start("dispatcher");
        RemoteMemory wrong = new RemoteMemory(b.region.address(), b.region.key() ^ 1);
        var future = dispatcher.submit(
                a.first,
                wire == Wire.IWARP // where the completion of a write comes before the peer's refusal
                        ? new WorkRequest.Read(1, a.segment(0, 8), wrong)
                        : new WorkRequest.Write(1, a.segment(0, 8), wrong));
        var failure = assertThrows(ExecutionException.class, () -> await(future));
        var cause = assertInstanceOf(WorkFailedException.class, failure.getCause());
        assertEquals(Status.REMOTE_ACCESS_ERROR, cause.completion().status());
        assertTrue(cause.toString().contains("remote access error"), cause::toString);
    }

    @Test
    void completionsGoToTheHandlerOfTheirQueuePair() throws Exception {
        var one = new Recorder();
        var other = new Recorder();
        dispatcher.handle(a.first, one);
        dispatcher.handle(a.second, other);
        assertTrue(a.first.post(write(1)));
        assertTrue(a.second.post(write(2)));
        assertTrue(a.first.post(write(3)));
        for (int handed = 0; handed < 3; ) {
            handed += dispatcher.runOnce(LONG);
        }
        assertEquals(List.of(1L, 3L), one.done.stream().map(Completion::id).toList());
        assertEquals(List.of(2L), other.done.stream().map(Completion::id).toList());
        assertTrue(one.failed.isEmpty() && other.failed.isEmpty());
    }

    @Test
    void failuresGoToTheFailureMethod() throws Exception {
        var handler = new Recorder();
        dispatcher.handle(a.first, handler);
        dispatcher.start("dispatcher");
        assertTrue(a.first.post(receive(5)));
        a.first.abort();
        Completion failed = handler.failed.poll(30, TimeUnit.SECONDS);
        assertTrue(failed != null && failed.id() == 5 && failed.status() == Status.FLUSHED, () -> "found " + failed);
    }

    @Test
    void anExceptionOfAHandlerIsToldAndEndsNothing() throws Exception {
        dispatcher.handle(a.first, new WorkHandler() {
            @Override
            public void onCompletion(Completions batch, int index) {
                throw new IllegalArgumentException("of the handler");
            }

            @Override
            public void onFailure(Completions batch, int index) {}
        });
        dispatcher.start("dispatcher");
        assertTrue(a.first.post(write(1)));
        Throwable told = failures.poll(30, TimeUnit.SECONDS);
        assertTrue(told != null && "of the handler".equals(told.getMessage()), () -> "told " + told);
        assertEquals(2, await(dispatcher.submit(a.second, write(2))).id());
    }

    @Test
    void aCompletionWithoutAHandlerIsTold() throws Exception {
        dispatcher.start("dispatcher");
        assertTrue(a.first.post(write(77)));
        Throwable told = failures.poll(30, TimeUnit.SECONDS);
        assertTrue(told != null && told.toString().contains("77"), () -> "told " + told);
    }

    @Test
    void manyThreadsSubmitToOneQueuePair() throws Exception {
        dispatcher.start("dispatcher");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var workers = new ArrayList<CompletableFuture<Void>>();
            for (int t = 0; t < 32; t++) {
                workers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                dispatcher.submit(a.first, write(i)).join();
                            }
                        },
                        threads));
            }
            CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        }
        assertEquals(0, failures.size());
    }

    @Test
    void aFullQueueFailsTheFutureAtOnce() {
        List<CompletableFuture<Completion>> all = new ArrayList<>();
        for (int i = 0; i < 129; i++) {
            all.add(dispatcher.submit(a.first, receive(i)));
        }
        assertTrue(all.subList(0, 128).stream().noneMatch(CompletableFuture::isDone));
        var failure = assertThrows(ExecutionException.class, () -> await(all.get(128)));
        assertTrue(failure.toString().contains("is full"), failure::toString);
    }

    @Test
    void noMoreIsSubmittedThanTheCompletionQueueHolds() {
        CompletionQueue small = ends.a.createCompletionQueue(4);
        QueuePair queuePair = ends.a.createQueuePair(QueuePairOptions.of(a.domain, small));
        queuePair.initialize(EnumSet.noneOf(Right.class));
        try (Dispatcher one = Dispatcher.over(small)) {
            for (int i = 0; i < 4; i++) {
                assertFalse(one.submit(queuePair, receive(i)).isDone());
            }
            assertTrue(one.submit(queuePair, receive(9)).isCompletedExceptionally());
        }
    }

    @Test
    void aQueuePairThatIsClosedEndsItsFuturesAndTellsItsHandler() throws Exception {
        var handler = new Recorder();
        dispatcher.handle(a.first, handler);
        dispatcher.start("dispatcher");
        var future = dispatcher.submit(a.first, receive(1));
        a.first.close();
        var failure = assertThrows(ExecutionException.class, () -> await(future));
        assertTrue(failure.toString().contains("reset or closed"), failure::toString);
        handler.ended.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aClosedAdapterEndsFutures() {
        dispatcher.start("dispatcher");
        var future = dispatcher.submit(a.first, receive(1));
        ends.a.close();
        assertThrows(ExecutionException.class, () -> await(future));
    }

    @Test
    void closingEndsFuturesAndHandlers() {
        var handler = new Recorder();
        dispatcher.handle(a.second, handler);
        dispatcher.start("dispatcher");
        var future = dispatcher.submit(a.first, receive(1));
        dispatcher.close();
        assertThrows(ExecutionException.class, () -> await(future));
        assertTrue(handler.ended.isDone());
        assertThrows(IllegalStateException.class, () -> dispatcher.submit(a.first, write(1)));
        assertThrows(IllegalStateException.class, () -> dispatcher.handle(a.first, handler));
        assertThrows(IllegalStateException.class, dispatcher::run);
    }

    @Test
    void removingAQueuePairEndsItsFuturesOnly() throws Exception {
        dispatcher.start("dispatcher");
        var mine = dispatcher.submit(a.first, receive(1));
        var other = dispatcher.submit(a.second, receive(2));
        dispatcher.remove(a.first);
        assertThrows(ExecutionException.class, () -> await(mine));
        assertTrue(b.second.post(new WorkRequest.Send(1, b.segment(0, 8))));
        assertEquals(2, await(other).id());
    }

    @Test
    void misuseIsRefused() {
        dispatcher.start("dispatcher");
        assertThrows(IllegalStateException.class, () -> dispatcher.start("again"));
        assertThrows(IllegalArgumentException.class, () -> dispatcher.submit(b.first, write(1)));
        assertThrows(IllegalArgumentException.class, () -> dispatcher.handle(b.first, new Recorder()));
        LocalSegment most = new LocalSegment(a.region.address(), 1L << 31, a.region.key());
        var tooLong = new WorkRequest.Read(1, List.of(most, most), RemoteMemory.of(b.region), SendOptions.SIGNALLED);
        var failure = assertThrows(ExecutionException.class, () -> await(dispatcher.submit(a.first, tooLong)));
        assertInstanceOf(IllegalArgumentException.class, failure.getCause());
    }
}
