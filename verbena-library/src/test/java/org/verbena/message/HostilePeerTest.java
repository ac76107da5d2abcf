package org.verbena.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.QueuePairState;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.ProtectionDomain;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/** A peer that breaks the protocol ends its channel with the reason, and nothing else: no call waits for ever, memory comes back, other channels go on. */
@OverEachWire
final class HostilePeerTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final MessageOptions OPTIONS = MessageOptions.DEFAULT
            .withBufferSize(256)
            .withDepth(4, 4)
            .withLargeMessages(2)
            .withMessageMax(100_000)
            .withCloseLimit(Duration.ofMillis(100));
    private static final Hello HELLO = Hello.of(OPTIONS);

    private final ArrayList<AutoCloseable> open = new ArrayList<>();
    private final Ends ends;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final Dispatcher dispatcher;
    private final HostilePeer peer;
    private final MessageChannel neighbour;
    private final MessageChannel neighboursPeer;

    HostilePeerTest(Wire wire) {
        ends = Ends.over(wire);
        domain = ends.a.createProtectionDomain();
        completions = ends.a.createCompletionQueue(4 * OPTIONS.completionCapacity());
        dispatcher = Dispatcher.over(completions).start("hostile");
        peer = new HostilePeer(ends.b);
        QueuePair mine = queuePair();
        QueuePair theirs = MessageChannel.createQueuePair(ends.b, OPTIONS);
        Ends.connect(mine, theirs);
        neighbour = MessageChannel.over(mine, OPTIONS, dispatcher);
        neighboursPeer = MessageChannel.over(theirs, OPTIONS);
    }

    @AfterEach
    void theNeighbourGoesOnAndMemoryComesBack() throws Exception {
        byte[] bytes = new byte[5000];
        bytes[4999] = 7;
        CompletableFuture<Void> sent = neighbour.sendAsync(ByteBuffer.wrap(bytes));
        try (Message message = neighboursPeer.receive(LONG)) {
            assertNotNull(message);
            assertArrayEquals(bytes, message.bytes());
        }
        sent.get(60, TimeUnit.SECONDS);
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        neighbour.close();
        assertEquals(0, domain.entries(), "registered regions after all channels are closed");
        neighboursPeer.close();
        dispatcher.close();
        ends.close();
    }

    private QueuePair queuePair() {
        return ends.a.createQueuePair(QueuePairOptions.of(domain, completions)
                .withCapacity(OPTIONS.sendCapacity(), OPTIONS.receiveCapacity()));
    }

    private QueuePair connected() {
        QueuePair queuePair = queuePair();
        Ends.connect(queuePair, peer.queuePair);
        peer.listen();
        return queuePair;
    }

    private MessageChannel channel() {
        MessageChannel channel = MessageChannel.over(connected(), OPTIONS, dispatcher);
        open.add(channel);
        return channel;
    }

    private RequestChannel requests() {
        RequestChannel channel = RequestChannel.over(connected(), OPTIONS, dispatcher);
        open.add(channel);
        return channel;
    }

    private RequestServer server(RequestHandler handler) {
        RequestServer server = RequestServer.over(connected(), OPTIONS, handler, Runnable::run, dispatcher);
        open.add(server);
        return server;
    }

    /** Returns when the channel has worked off the hello of the peer, before which it sends nothing. */
    private void awaitReady(RequestChannel channel) throws Exception {
        CompletableFuture<ByteBuffer> first = channel.callAsync(ByteBuffer.allocate(8), LONG);
        peer.frame(Frame.DATA, 0, 1, Frame.tag(peer.await(Frame.DATA)), 8);
        first.get(60, TimeUnit.SECONDS);
    }

    /** The channel ends although no message is taken. */
    private static void assertEndsUntaken(MessageChannel channel, String reason) throws Exception {
        for (int i = 0; channel.isOpen(); i++) {
            assertTrue(i < 6000, "the channel goes on");
            Thread.sleep(10);
        }
        assertEnds(channel, reason);
    }

    private static void assertEnds(MessageChannel channel, String reason) {
        var ended = assertThrows(ChannelException.class, () -> {
            while (true) {
                try (Message message = channel.receive(LONG)) {
                    assertNotNull(message, "the channel goes on");
                }
            }
        });
        assertTrue(ended.toString().contains(reason), ended::toString);
        assertThrows(ChannelException.class, () -> channel.send(ByteBuffer.allocate(1)));
        assertFalse(channel.isOpen());
    }

    /** What a peer does, and what the exception says. */
    record Breach(String name, Consumer<HostilePeer> act, String reason) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Hello hello(int receives, int bufferSize, int largeMessages, long messageMax) {
        return new Hello(Hello.MAGIC, Frame.VERSION, receives, bufferSize, largeMessages, messageMax);
    }

    static Stream<Breach> wrongHellos() {
        return Stream.of(
                new Breach(
                        "another magic",
                        p -> p.hello(new Hello(0x12345678, 1, 4, 256, 2, 1000)),
                        "begins with 0x12345678"),
                new Breach(
                        "another version",
                        p -> p.hello(new Hello(Hello.MAGIC, 2, 4, 256, 2, 1000)),
                        "speaks version 2 of message channels, this end version 1"),
                new Breach("no receives", p -> p.hello(hello(0, 256, 2, 1000)), "receives must be 1 … 16384; found 0"),
                new Breach(
                        "negative receives",
                        p -> p.hello(hello(-1, 256, 2, 1000)),
                        "receives must be 1 … 16384; found -1"),
                new Breach("small buffers", p -> p.hello(hello(4, 1, 2, 1000)), "bufferSize must be 64"),
                new Breach("huge buffers", p -> p.hello(hello(4, Integer.MAX_VALUE, 2, 1000)), "bufferSize must be 64"),
                new Breach("many large", p -> p.hello(hello(4, 256, 1000, 1000)), "largeMessages must be 1 … 256"),
                new Breach("negative length", p -> p.hello(hello(4, 256, 2, -1)), "messageMax must be 256"),
                new Breach("huge length", p -> p.hello(hello(4, 256, 2, 1L << 40)), "messageMax must be 256"),
                new Breach("cut off", p -> p.frame(Frame.HELLO, 0, 0, 0, Hello.LENGTH - 1), "has 31 bytes"),
                new Breach("too long", p -> p.frame(Frame.HELLO, 0, 0, 0, Hello.LENGTH + 1), "has 33 bytes"),
                new Breach("none", p -> p.frame(Frame.DATA, 0, 0, 0, 8), "of kind 2; expected a hello"),
                new Breach("a farewell", p -> p.frame(Frame.BYE, 0, 0, 0, 0), "of kind 7; expected a hello"),
                new Breach("nothing", p -> p.send(0, _ -> {}), "a frame of 0 bytes"));
    }

    @ParameterizedTest
    @MethodSource("wrongHellos")
    void aWrongHelloEndsTheChannel(Breach breach) {
        MessageChannel channel = channel();
        breach.act.accept(peer);
        assertEnds(channel, breach.reason);
    }

    static Stream<Breach> breaches() {
        return Stream.of(
                new Breach("a second hello", p -> p.hello(HELLO), "hello twice"),
                new Breach(
                        "no frame", p -> p.send(Frame.LENGTH - 1, _ -> {}), "a frame of 15 bytes; the shortest has 16"),
                new Breach("kind 0", p -> p.frame(0, 0, 0, 0, 0), "unknown kind 0"),
                new Breach("kind 8", p -> p.frame(8, 0, 0, 0, 0), "unknown kind 8"),
                new Breach("kind 255", p -> p.frame(255, 0, 0, 0, 0), "unknown kind 255"),
                new Breach("a long frame", p -> p.frame(Frame.DATA, 0, 0, 0, 257), "RECEIVE"),
                new Breach("a long credit", p -> p.frame(Frame.CREDIT, 0, 0, 0, 1), "kind 6 with a body of 1 bytes"),
                new Breach("a long answer", p -> p.frame(Frame.DONE, 0, 0, 0, 1), "kind 4 with a body of 1 bytes"),
                new Breach(
                        "a long withdrawal", p -> p.frame(Frame.WITHDRAW, 0, 0, 0, 9), "kind 5 with a body of 9 bytes"),
                new Breach("a long farewell", p -> p.frame(Frame.BYE, 0, 0, 0, 2), "kind 7 with a body of 2 bytes"),
                new Breach("a short announcement", p -> p.frame(Frame.ANNOUNCE, 0, 0, 0, 23), "23 bytes; expected 24"),
                new Breach("a long announcement", p -> p.frame(Frame.ANNOUNCE, 0, 0, 0, 25), "25 bytes; expected 24"),
                new Breach(
                        "many credits",
                        p -> p.frame(Frame.CREDIT, 0, 0xffff, 0, 0),
                        "granted 65535 credits and has 4 receives; this end had 4 left"),
                new Breach("one credit more", p -> p.frame(Frame.DATA, 0, 1, 0, 0), "granted 1 credits"),
                new Breach(
                        "an answer to nothing",
                        p -> p.frame(Frame.DONE, 0, 0, 0, 0),
                        "message 0, which is not announced"),
                new Breach(
                        "a negative answer",
                        p -> p.frame(Frame.DONE, 0, 0, -1, 0),
                        "message -1, which is not announced"),
                new Breach("a high answer", p -> p.frame(Frame.DONE, 0, 0, 2, 0), "message 2, which is not announced"),
                new Breach(
                        "a huge answer",
                        p -> p.frame(Frame.DONE, 0, 0, 1L << 32, 0),
                        "message 4294967296, which is not announced"),
                new Breach(
                        "a message that is too long",
                        p -> p.announce(p.readable(100_001, 0)),
                        "100001 bytes; this end takes at most 100000"),
                new Breach("a negative length", p -> p.announce(p.readable(-1, 0)), "message of -1 bytes"),
                new Breach("a negative number", p -> p.announce(p.readable(300, -1)), "number -1; this end takes 2"),
                new Breach("a high number", p -> p.announce(p.readable(300, 2)), "number 2; this end takes 2 at once"),
                new Breach(
                        "a key that is refused", p -> p.announce(new Announcement(0, 300, 12345, 0)), "remote access"),
                new Breach(
                        "a region that is too short",
                        p -> p.announce(new Announcement(
                                p.readable(0, 0).address() + (1L << 30),
                                300,
                                p.readable(0, 0).key(),
                                0)),
                        "remote access"),
                new Breach("an end", p -> p.frame(Frame.BYE, 0, 0, 0, 0), "the peer closed the channel"));
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void aBreachEndsTheChannel(Breach breach) {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        breach.act.accept(peer);
        assertEnds(channel, breach.reason);
    }

    @Test
    void aMessageWithoutACreditEndsTheChannel() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        for (int i = 0; i < 5; i++) {
            peer.frame(Frame.DATA, 0, 0, 0, 8);
        }
        assertEndsUntaken(channel, "without a credit: it was granted 4"); // one that is taken would give a credit
    }

    @Test
    void messagesThatAreTakenGiveTheirCreditsBack() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        for (int i = 0; i < 4; i++) {
            peer.frame(Frame.DATA, 0, 0, 0, 8);
        }
        take(channel, 2);
        assertEquals(2, Frame.credits(peer.await(Frame.CREDIT)));
        peer.frame(Frame.DATA, 0, 0, 0, 8);
        peer.frame(Frame.DATA, 0, 0, 0, 8);
        take(channel, 4);
        assertTrue(channel.isOpen());
    }

    private static void take(MessageChannel channel, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            try (Message message = channel.receive(LONG)) {
                assertNotNull(message);
            }
        }
    }

    @Test
    void twoAnnouncementsUnderOneNumberEndTheChannel() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        peer.announce(peer.readable(300, 0));
        peer.announce(peer.readable(400, 1));
        peer.await(Frame.DONE);
        peer.await(Frame.DONE);
        peer.announce(peer.readable(500, 0)); // both landings are taken: it waits, and has no answer
        peer.announce(peer.readable(600, 0));
        assertEndsUntaken(channel, "under number 0, which another one has still");
    }

    @ParameterizedTest
    @ValueSource(longs = {-2, 2, 1L << 32})
    void anAnswerUnderAnotherNumberIsNotTakenForThatOfAMessage(long number) throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        CompletableFuture<Void> sent = channel.sendAsync(ByteBuffer.allocate(5000));
        peer.await(Frame.ANNOUNCE);
        peer.frame(Frame.DONE, 0, 0, number, 0);
        var failure = assertThrows(ExecutionException.class, () -> sent.get(60, TimeUnit.SECONDS));
        String reason = "message " + number + ", which is not announced";
        assertTrue(failure.toString().contains(reason), failure::toString);
    }

    @Test
    void noMoreMessagesAreAnnouncedThanThePeerTakes() throws Exception {
        MessageChannel channel = channel();
        peer.hello(hello(4, 256, 1, 100_000));
        CompletableFuture<Void> first = channel.sendAsync(ByteBuffer.allocate(5000));
        CompletableFuture<Void> second = channel.sendAsync(ByteBuffer.allocate(6000));
        for (CompletableFuture<Void> each : List.of(first, second)) {
            Announcement announcement = Announcement.read(peer.await(Frame.ANNOUNCE), Frame.LENGTH);
            assertEquals(0, announcement.number(), "the number is free again");
            peer.frame(Frame.DONE, 0, 0, 0, 0);
            each.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aBreachEndsTheConnection() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        peer.frame(8, 0, 0, 0, 0);
        for (int i = 0; channel.queuePair().state() != QueuePairState.ERROR; i++) {
            assertTrue(i < 6000, "the peer can go on");
            Thread.sleep(10);
        }
    }

    @Test
    void aMessageThatComesTogetherWithTheEndIsDelivered() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        CompletableFuture<Message> waiting = channel.receiveAsync();
        var held = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        var _ = neighbour.receiveAsync().thenAccept(message -> {
            message.close();
            held.countDown();
            awaitQuietly(gate); // on the dispatcher's thread: what comes meanwhile is one batch
        });
        neighboursPeer.send(ByteBuffer.allocate(1));
        assertTrue(held.await(60, TimeUnit.SECONDS));
        peer.frame(Frame.DATA, 0, 0, 0, 8);
        peer.frame(Frame.BYE, 0, 0, 0, 0);
        peer.awaitSent();
        gate.countDown();
        try (Message message = waiting.get(60, TimeUnit.SECONDS)) {
            assertEquals(8, message.length());
        }
    }

    private static void awaitQuietly(CountDownLatch gate) {
        try {
            assertTrue(gate.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aPeerThatFailsEndsTheChannelAndEveryCall() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        CompletableFuture<Void> large = channel.sendAsync(ByteBuffer.allocate(5000));
        CompletableFuture<Message> receiver = channel.receiveAsync();
        peer.await(Frame.ANNOUNCE);
        peer.queuePair.abort();
        CompletableFuture<Void> small = channel.sendAsync(ByteBuffer.allocate(8));
        boolean all =
                ends.a.wire() == Wire.ROCE; // over iWARP the small one may be in the stream before its end is seen
        for (CompletableFuture<?> each : all ? List.of(large, receiver, small) : List.of(large, receiver)) {
            var failure = assertThrows(ExecutionException.class, () -> each.get(60, TimeUnit.SECONDS));
            assertInstanceOf(ChannelException.class, failure.getCause());
        }
    }

    @Test
    void aPeerThatDropsAMessageWhichWasNotWithdrawnEndsTheChannel() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        CompletableFuture<Void> sent = channel.sendAsync(ByteBuffer.allocate(5000));
        peer.await(Frame.ANNOUNCE);
        peer.frame(Frame.DONE, Frame.FLAG_DROPPED, 0, 0, 0);
        var failure = assertThrows(ExecutionException.class, () -> sent.get(60, TimeUnit.SECONDS));
        assertTrue(failure.toString().contains("dropped large message 0, which was not withdrawn"), failure::toString);
        assertEnds(channel, "which was not withdrawn");
    }

    @Test
    void aSenderWithATimeLimitDoesNotWaitForAPeerThatAnswersNothing() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        assertTrue(channel.send(ByteBuffer.allocate(8), LONG)); // the hello has come
        var ended = assertThrows(ChannelException.class, () -> channel.send(ByteBuffer.allocate(5000), SHORT));
        assertTrue(ended.toString().contains("neither read nor dropped a message of 5000 bytes"), ended::toString);
        peer.await(Frame.WITHDRAW);
        assertEnds(channel, "neither read nor dropped");
    }

    @Test
    void anInterruptedSenderDoesNotWaitForAPeerThatAnswersNothing() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        var result = new CompletableFuture<Throwable>();
        Thread sender = Thread.ofVirtual().start(() -> {
            try {
                channel.send(ByteBuffer.allocate(5000));
            } catch (InterruptedException | RuntimeException told) {
                result.complete(told);
            }
        });
        peer.await(Frame.ANNOUNCE);
        sender.interrupt();
        assertInstanceOf(InterruptedException.class, result.get(60, TimeUnit.SECONDS));
        assertEnds(channel, "neither read nor dropped");
    }

    @Test
    void aPeerThatGivesNoCreditsHoldsUpNeitherALimitedSendNorTheClose() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        for (int i = 0; i < 4; i++) {
            assertTrue(channel.send(ByteBuffer.allocate(8), LONG));
        }
        assertFalse(channel.send(ByteBuffer.allocate(8), SHORT));
        CompletableFuture<Void> waiting = channel.sendAsync(ByteBuffer.allocate(8));
        channel.close();
        var failure = assertThrows(ExecutionException.class, () -> waiting.get(60, TimeUnit.SECONDS));
        assertTrue(failure.toString().contains("closed"), failure::toString);
    }

    @Test
    void aPeerThatSaysNothingHoldsUpNeitherALimitedSendNorTheClose() throws Exception {
        MessageChannel channel = channel();
        assertFalse(channel.send(ByteBuffer.allocate(8), SHORT));
        assertFalse(channel.send(ByteBuffer.allocate(5000), SHORT));
        channel.close();
        assertThrows(ChannelException.class, () -> channel.send(ByteBuffer.allocate(8)));
    }

    @Test
    void aPeerThatClosesInTheMiddleEndsAMessageThatItHasNotRead() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        CompletableFuture<Void> sent = channel.sendAsync(ByteBuffer.allocate(5000));
        peer.await(Frame.ANNOUNCE);
        peer.frame(Frame.BYE, 0, 0, 0, 0);
        var failure = assertThrows(ExecutionException.class, () -> sent.get(60, TimeUnit.SECONDS));
        assertTrue(failure.toString().contains("the peer closed the channel"), failure::toString);
    }

    @Test
    void aFloodOfFramesThatMeanNothingDisturbsNothing() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        for (int i = 0; i < 50; i++) {
            peer.frame(Frame.CREDIT, 0, 0, 0, 0);
            peer.frame(Frame.WITHDRAW, 0, 0, i, 0);
        }
        peer.frame(Frame.DATA, 0, 0, 0, 8);
        try (Message message = channel.receive(LONG)) {
            assertNotNull(message);
            assertEquals(8, message.length());
        }
        assertTrue(channel.isOpen());
    }

    @Test
    void aMessageThatIsWithdrawnIsDroppedAndAnswered() throws Exception {
        MessageChannel channel = channel();
        peer.hello(HELLO);
        peer.announce(peer.readable(300, 0));
        peer.announce(peer.readable(400, 1));
        peer.await(Frame.DONE);
        peer.await(Frame.DONE);
        peer.announce(peer.readable(500, 0)); // both landings are taken: it waits
        peer.frame(Frame.WITHDRAW, 0, 0, 0, 0);
        var answer = peer.await(Frame.DONE);
        assertEquals(Frame.FLAG_DROPPED, Frame.flags(answer));
        assertEquals(0, Frame.tag(answer));
        peer.announce(peer.readable(600, 0)); // the number is free again
        for (long length : new long[] {300, 400, 600}) {
            try (Message message = channel.receive(LONG)) {
                assertNotNull(message);
                assertEquals(length, message.length());
            }
        }
    }

    // --- requests

    @Test
    void anAnswerToARequestThatWasNotAskedEndsTheChannel() {
        RequestChannel channel = requests();
        peer.hello(HELLO);
        CompletableFuture<ByteBuffer> call = channel.callAsync(ByteBuffer.allocate(8), LONG);
        peer.frame(Frame.DATA, 0, 0, 77, 8);
        var failure = assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
        assertInstanceOf(ChannelException.class, failure.getCause());
        assertTrue(
                failure.toString().contains("answered request 77, which was not asked; asked were 1"),
                failure::toString);
        assertEquals(0, channel.pending());
    }

    @Test
    void aSecondAnswerToARequestIsDropped() throws Exception {
        RequestChannel channel = requests();
        peer.hello(HELLO);
        CompletableFuture<ByteBuffer> call = channel.callAsync(ByteBuffer.allocate(8), LONG);
        long tag = Frame.tag(peer.await(Frame.DATA));
        peer.frame(Frame.DATA, 0, 1, tag, 8);
        peer.frame(Frame.DATA, 0, 0, tag, 9);
        assertEquals(8, call.get(60, TimeUnit.SECONDS).remaining());
        CompletableFuture<ByteBuffer> next = channel.callAsync(ByteBuffer.allocate(8), LONG);
        peer.frame(Frame.DATA, 0, 0, Frame.tag(peer.await(Frame.DATA)), 10);
        assertEquals(10, next.get(60, TimeUnit.SECONDS).remaining());
    }

    @Test
    void aCallWithALargeRequestThatIsNotReadEndsAtItsLimit() throws Exception {
        RequestChannel channel = requests();
        peer.hello(HELLO);
        awaitReady(channel);
        assertThrows(TimeoutException.class, () -> channel.call(ByteBuffer.allocate(5000), SHORT));
        assertFalse(channel.isOpen());
        assertEquals(0, channel.pending());
    }

    @Test
    void aFutureOfALargeRequestThatIsNotReadEndsAtItsLimit() throws Exception {
        RequestChannel channel = requests();
        peer.hello(HELLO);
        awaitReady(channel);
        CompletableFuture<ByteBuffer> call = channel.callAsync(ByteBuffer.allocate(5000), SHORT);
        var failure = assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
        assertInstanceOf(TimeoutException.class, failure.getCause());
        assertFalse(channel.isOpen(), "the request is the caller's again only because the channel has ended");
    }

    @Test
    void callsThatCannotBeSentAreTakenBackAtTheirLimit() throws Exception {
        RequestChannel channel = requests();
        peer.hello(HELLO);
        for (int i = 0; i < 4; i++) { // as many as there are credits
            var _ = channel.callAsync(ByteBuffer.allocate(8), LONG);
            assertEquals(i + 1, Frame.tag(peer.await(Frame.DATA)));
        }
        for (int i = 0; i < 2; i++) {
            assertThrows(TimeoutException.class, () -> channel.call(ByteBuffer.allocate(8), SHORT));
        }
        CompletableFuture<ByteBuffer> call = channel.callAsync(ByteBuffer.allocate(8), LONG);
        peer.frame(Frame.CREDIT, 0, 4, 0, 0);
        assertEquals(7, Frame.tag(peer.await(Frame.DATA)), "the next request is the one that waits");
        peer.frame(Frame.DATA, 0, 0, 7, 8);
        assertEquals(8, call.get(60, TimeUnit.SECONDS).remaining());
    }

    @Test
    void aServerBoundsTheAnswersThatAPeerDoesNotTake() throws Exception {
        var handled = new AtomicInteger();
        RequestServer server = server(_ -> {
            handled.incrementAndGet();
            return ByteBuffer.allocate(100); // longer than the peer takes: each answer is an error
        });
        peer.hello(hello(1, 64, 1, 64));
        for (int i = 1; i <= 4; i++) {
            peer.frame(Frame.DATA, 0, 0, i, 8);
        }
        var answer = peer.await(Frame.DATA);
        assertEquals(RequestChannel.FLAG_ERROR, Frame.flags(answer));
        assertEquals(64, answer.byteSize() - Frame.LENGTH, "the text is cut to what the peer takes");
        String text = new String(answer.asSlice(Frame.LENGTH).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        assertTrue(text.startsWith("java.lang.IllegalArgumentException: the peer takes"), text);
        for (int i = 5; i <= 9; i++) { // one buffer is free again, and no more
            peer.frame(Frame.DATA, 0, 0, i, 8);
        }
        server.whenEnded().get(60, TimeUnit.SECONDS);
        assertTrue(handled.get() <= 5, () -> handled + " requests were handled");
    }
}
