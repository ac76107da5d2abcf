package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Touches;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;

/** What a post refuses, in which words, and what it leaves behind: nothing. */
@OverEachWire
final class PostTest {
    private static final LocalSegment HALF = new LocalSegment(0, 1L << 30, 1);

    private final Pair pair;
    private final QueuePair queuePair;

    PostTest(Wire wire) {
        pair = new Pair(wire);
        queuePair = pair.a.adapter.createQueuePair(QueuePairOptions.of(pair.a.domain, pair.a.completions)
                .withCapacity(4, 4)
                .withRegister(RegisterFailure.TERMINATE));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void connect() {
        Wires.connect(
                queuePair,
                pair.b.adapter.createQueuePair(QueuePairOptions.of(pair.b.domain, pair.b.completions)),
                ConnectionOptions.DEFAULT);
    }

    private static void refused(Class<? extends RuntimeException> type, String message, Executable action) {
        assertEquals(message, assertThrows(type, action).getMessage());
    }

    private static void refusedRequest(String message, Executable action) {
        refused(IllegalArgumentException.class, message, action);
    }

    private void refusedState(String message, Executable action) {
        refused(IllegalStateException.class, "queue pair " + queuePair.number() + " is " + message, action);
    }

    private static List<LocalSegment> copies(int count, LocalSegment segment) {
        return new ArrayList<>(Collections.nCopies(count, segment));
    }

    @Test
    void sendsBeforeTheQueuePairIsReady() {
        WorkRequest.Send send = new WorkRequest.Send(1);
        refusedState("RESET and takes no sends: connect it first", () -> queuePair.post(send));
        queuePair.initialize(Set.of());
        refusedState("INIT and takes no sends: connect it first", () -> queuePair.post(send));
        if (pair.wire == Wire.IWARP) {
            connect(); // a stream brings it from INIT to RTS
            assertTrue(queuePair.post(send));
            return;
        }
        queuePair.readyToReceive(pair.b.queuePair.address(), ConnectionOptions.DEFAULT);
        refusedState(
                "RTR and takes no sends: call readyToSend first, or wait until the connection is established",
                () -> queuePair.post(send));
        queuePair.readyToSend(ConnectionOptions.DEFAULT);
        assertTrue(queuePair.post(send));
    }

    @Test
    void receivesBeforeTheQueuePairIsInitialized() {
        WorkRequest.Receive receive = new WorkRequest.Receive(1);
        refusedState("RESET and takes no receives: initialize or connect it first", () -> queuePair.post(receive));
        queuePair.initialize(Set.of());
        assertTrue(queuePair.post(receive));
    }

    @Test
    void anythingAfterTheQueuePairIsClosed() {
        connect();
        queuePair.close();
        refusedState("closed and takes no sends", () -> queuePair.post(new WorkRequest.Send(1)));
        refusedState("closed and takes no receives", () -> queuePair.post(new WorkRequest.Receive(1)));
        refusedState("closed", queuePair::abort);
    }

    @Test
    void receivesOfItsOwnWhereTheyAreShared() {
        SharedReceiveQueue shared = pair.a.adapter.createSharedReceiveQueue(4, 1);
        QueuePair sharing = pair.a.adapter.createQueuePair(
                QueuePairOptions.of(pair.a.domain, pair.a.completions).withSharedReceives(shared));
        sharing.initialize(Set.of());
        refused(
                IllegalStateException.class,
                "queue pair " + sharing.number()
                        + " is INIT and takes receives from a shared queue: post to the shared receive queue",
                () -> sharing.post(new WorkRequest.Receive(1)));
    }

    @Test
    void listsThatAreTooLong() {
        connect();
        String message = "the queue takes lists of 4 segments; found 5";
        List<LocalSegment> five = copies(5, pair.a.segment(0, 1));
        refusedRequest(message, () -> queuePair.post(new WorkRequest.Receive(1, five)));
        refusedRequest(
                message,
                () -> queuePair.post(new WorkRequest.Send(1, new Payload.Gathered(five), SendOptions.SIGNALLED)));
        refusedRequest(
                message, () -> queuePair.post(new WorkRequest.Read(1, five, pair.b.remote(0), SendOptions.SIGNALLED)));
    }

    @Test
    void inlineDataThatIsTooLong() {
        connect();
        Payload data = Payload.inline(new byte[65]);
        refusedRequest(
                "the queue pair takes 64 inline bytes; found 65",
                () -> queuePair.post(new WorkRequest.Send(1, data, SendOptions.SIGNALLED)));
    }

    @Test
    void segmentsAndMessagesBeyondTwoGibibytes() {
        connect();
        refusedRequest("a segment has 0 … 2^31 bytes; found 2147483649", () -> new LocalSegment(0, (1L << 31) + 1, 1));
        refusedRequest("a segment has 0 … 2^31 bytes; found -1", () -> new LocalSegment(0, -1, 1));
        List<LocalSegment> over = List.of(HALF, HALF, new LocalSegment(0, 1, 1));
        String message = "a message has at most 2^31 bytes; found 2147483649";
        Payload data = new Payload.Gathered(over);
        refusedRequest(message, () -> queuePair.post(new WorkRequest.Receive(1, over)));
        refusedRequest(message, () -> queuePair.post(new WorkRequest.Send(1, data, SendOptions.SIGNALLED)));
        refusedRequest(
                message, () -> queuePair.post(new WorkRequest.SendWithImmediate(1, data, 1, SendOptions.SIGNALLED)));
        refusedRequest(
                message, () -> queuePair.post(new WorkRequest.SendWithInvalidate(1, data, 1, SendOptions.SIGNALLED)));
        refusedRequest(
                message, () -> queuePair.post(new WorkRequest.Write(1, data, pair.b.remote(0), SendOptions.SIGNALLED)));
        refusedRequest(
                message,
                () -> queuePair.post(
                        new WorkRequest.WriteWithImmediate(1, data, pair.b.remote(0), 1, SendOptions.SIGNALLED)));
        refusedRequest(
                message, () -> queuePair.post(new WorkRequest.Read(1, over, pair.b.remote(0), SendOptions.SIGNALLED)));
        // Exactly 2^31 bytes are a message, here one whose memory nobody has.
        assertTrue(queuePair.post(new WorkRequest.Send(1, HALF, HALF)));
        pair.run();
        assertEquals(Status.LOCAL_PROTECTION_ERROR, pair.a.drain().getFirst().status());
    }

    @Test
    void atomicsWhoseResultHasNotEightBytes() {
        String message = "an atomic's original value has 8 bytes; found a segment of 4";
        LocalSegment four = pair.a.segment(0, 4);
        refusedRequest(message, () -> new WorkRequest.FetchAdd(1, four, pair.b.remote(0), 1, SendOptions.SIGNALLED));
        refusedRequest(
                message, () -> new WorkRequest.CompareSwap(1, four, pair.b.remote(0), 1, 1, SendOptions.SIGNALLED));
    }

    @Test
    void aFullQueueSaysNoAndTakesMoreWhenWorkIsDone() {
        Node a = pair.a;
        for (int i = 0; i < 64; i++) {
            assertTrue(a.queuePair.post(new WorkRequest.Write(i, a.segment(0, 8), pair.b.remote(0))));
            assertTrue(a.queuePair.post(new WorkRequest.Receive(i)));
        }
        assertFalse(a.queuePair.post(new WorkRequest.Write(64, a.segment(0, 8), pair.b.remote(0))));
        assertFalse(a.queuePair.post(new WorkRequest.Receive(64)));
        pair.run();
        assertEquals(64, a.drain().size());
        assertTrue(a.queuePair.post(new WorkRequest.Write(64, a.segment(0, 8), pair.b.remote(0))));
        pair.run();
        assertEquals(64, a.drain().getFirst().id());
    }

    @Test
    void aClosedWindowOrRegionLeavesTheQueueUsable() {
        connect();
        Window window = pair.a.adapter.createWindow(pair.a.domain, Window.Type.TYPE_1);
        var request = new WorkRequest.BindWindow(
                1,
                window,
                MemoryKey.next(window.key()),
                pair.a.region,
                pair.a.region.address(),
                8,
                Set.of(Right.REMOTE_READ),
                SendOptions.SIGNALLED);
        window.close();
        refused(IllegalStateException.class, window + " is closed", () -> queuePair.post(request));
        assertTrue(queuePair.post(new WorkRequest.LocalInvalidate(2, 1, SendOptions.SIGNALLED)));
    }

    /** Requests that are refused only while they are written into a slot. */
    static Stream<WorkRequest.Sending> incompleteRequests() {
        RemoteMemory target = new RemoteMemory(0, 1);
        SendOptions options = SendOptions.SIGNALLED;
        LocalSegment eight = new LocalSegment(0, 8, 1);
        Payload data = Payload.of(eight);
        return Stream.of(
                new WorkRequest.Send(1, data, missing()),
                new WorkRequest.Send(1, Payload.inline(new byte[1]), missing()),
                new WorkRequest.SendWithImmediate(1, data, 1, missing()),
                new WorkRequest.SendWithInvalidate(1, data, 1, missing()),
                new WorkRequest.Write(1, data, missing(), options),
                new WorkRequest.Write(1, data, target, missing()),
                new WorkRequest.WriteWithImmediate(1, data, missing(), 1, options),
                new WorkRequest.WriteWithImmediate(1, data, target, 1, missing()),
                new WorkRequest.Read(1, List.of(eight), missing(), options),
                new WorkRequest.Read(1, List.of(eight), target, missing()),
                new WorkRequest.FetchAdd(1, eight, missing(), 1, options),
                new WorkRequest.FetchAdd(1, eight, target, 1, missing()),
                new WorkRequest.CompareSwap(1, eight, missing(), 1, 1, options),
                new WorkRequest.CompareSwap(1, eight, target, 1, 1, missing()),
                new WorkRequest.AtomicWrite(1, 1, missing(), options),
                new WorkRequest.AtomicWrite(1, 1, target, missing()),
                new WorkRequest.LocalInvalidate(1, 1, missing()),
                new WorkRequest.Register(1, 1, missing()),
                new WorkRequest.RegisterAndSend(1, 1, null, missing(), data, options),
                new WorkRequest.RegisterAndSend(1, 1, null, Touches.MANY, missing(), options),
                new WorkRequest.RegisterAndSend(1, 1, null, Touches.MANY, data, missing()));
    }

    /** Null, as a consumer that is compiled without null checks may pass it. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // the null is the point
    private static <T> T missing() {
        return null;
    }

    @ParameterizedTest
    @MethodSource("incompleteRequests")
    void anIncompleteRequestLeavesTheQueueUsable(WorkRequest.Sending incomplete) {
        connect();
        assertThrows(NullPointerException.class, () -> queuePair.post(incomplete));
        for (int i = 0; i < 4; i++) {
            assertTrue(queuePair.post(new WorkRequest.Send(i)), "send " + i);
        }
        assertFalse(queuePair.post(new WorkRequest.Send(4)), "the refused request took no slot");
    }

    @Test
    void optionsOutOfRange() {
        QueuePairOptions options = queuePair.options();
        refusedRequest("sendCapacity must be 1 … 1048576; found 0", () -> options.withCapacity(0, 1));
        refusedRequest("receiveCapacity must be 1 … 1048576; found 1048577", () -> options.withCapacity(1, 1_048_577));
        refusedRequest("segmentsMax must be 1 … 32; found 33", () -> options.withSegmentsMax(33));
        refusedRequest("inlineMax must be 0 … 1024; found 1025", () -> options.withInlineMax(1025));
        refusedRequest(
                "retries must be 0 … 7; found 8",
                () -> ConnectionOptions.DEFAULT.withRetries(8, ConnectionOptions.DEFAULT.ackTimeout()));
        refusedRequest("inboundReads must be 0 … 128; found 129", () -> ConnectionOptions.DEFAULT.withReads(1, 129));
        refusedRequest("capacity must be 1 … 1048576; found 0", () -> pair.a.adapter.createCompletionQueue(0));
        refusedRequest("segmentsMax must be 1 … 32; found 0", () -> pair.a.adapter.createSharedReceiveQueue(1, 0));
        refusedRequest("a batch holds at least one completion; found 0", () -> new Completions(0));
    }
}
