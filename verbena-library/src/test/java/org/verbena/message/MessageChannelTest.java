package org.verbena.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.trace.Counter;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

@OverEachWire
final class MessageChannelTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final MessageOptions OPTIONS = MessageOptions.DEFAULT;
    private static final MessageOptions SMALL =
            OPTIONS.withBufferSize(256).withDepth(4, 4).withLargeMessages(2);

    private final Wire wire;
    private final ArrayList<AutoCloseable> open = new ArrayList<>();

    MessageChannelTest(Wire wire) {
        this.wire = wire;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** Two channels that talk to each other. */
    private record Talk(Ends ends, MessageChannel a, MessageChannel b) {}

    private Talk talk(Ends ends, MessageOptions options) {
        return talk(ends, options, options);
    }

    private Talk talk(Ends ends, MessageOptions first, MessageOptions second) {
        open.add(ends);
        QueuePair one = MessageChannel.createQueuePair(ends.a, first);
        QueuePair other = MessageChannel.createQueuePair(ends.b, second);
        Ends.connect(one, other);
        MessageChannel a = MessageChannel.over(one, first);
        MessageChannel b = MessageChannel.over(other, second);
        open.add(a);
        open.add(b);
        return new Talk(ends, a, b);
    }

    private static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] next(MessageChannel channel) throws InterruptedException {
        try (Message message = channel.receive(LONG)) {
            assertNotNull(message, "no message came");
            return message.bytes();
        }
    }

    private static void assertEnded(Future<?> future, String text) {
        var failure = assertThrows(ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS));
        var cause = assertInstanceOf(ChannelException.class, failure.getCause());
        assertTrue(cause.toString().contains(text), cause::toString);
    }

    @Test
    void messagesArriveInOrderInBothDirections() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        exchange(talk, 500, 256);
    }

    @Test
    void messagesArriveOverUdp() throws Exception {
        exchange(talk(Ends.bySockets(wire), OPTIONS), 2000, 8192);
    }

    @Test
    void messagesArriveOnALossyLink() throws Exception {
        // Larger than a buffer as well: every fourth message or so is read.
        exchange(talk(Ends.lossy(0.02), SMALL), 300, 1000);
    }

    /** Both ends send and receive at the same time; lengths and contents follow from the number of the message. */
    private static void exchange(Talk talk, int count, int longest) throws Exception {
        talk.a.send(ByteBuffer.allocate(1));
        assertEquals(1, next(talk.b).length);
        talk.b.send(ByteBuffer.allocate(1));
        assertEquals(1, next(talk.a).length);
        long refused = missingReceives(talk); // by a hello that came before the other channel was made
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var work = new ArrayList<Future<?>>();
            for (MessageChannel channel : new MessageChannel[] {talk.a, talk.b}) {
                work.add(threads.submit(() -> {
                    for (int i = 0; i < count; i++) {
                        channel.send(ByteBuffer.wrap(random(i * 37 % (longest + 1), i)));
                    }
                    return null;
                }));
                work.add(threads.submit(() -> {
                    for (int i = 0; i < count; i++) {
                        assertArrayEquals(random(i * 37 % (longest + 1), i), next(channel), "message " + i);
                    }
                    return null;
                }));
            }
            for (Future<?> each : work) {
                each.get(120, TimeUnit.SECONDS);
            }
        }
        assertEquals(refused, missingReceives(talk));
    }

    private static long missingReceives(Talk talk) {
        return talk.ends.a.counters().value(Counter.SENT_RNR_NAKS)
                + talk.ends.b.counters().value(Counter.SENT_RNR_NAKS);
    }

    @Test
    void largeMessagesArriveWholeFromEveryKindOfMemory() throws Exception {
        Talk talk = talk(Ends.bySockets(wire), OPTIONS);
        byte[] there = random(10 << 20, 1);
        byte[] back = random(10 << 20, 2);
        try (Arena arena = Arena.ofShared();
                Arena confined = Arena.ofConfined();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> sender = threads.submit(() -> {
                talk.a.send(ByteBuffer.wrap(there));
                talk.a.send(arena.allocateFrom(ValueLayout.JAVA_BYTE, there));
                talk.a.send(ByteBuffer.allocateDirect(there.length)
                        .put(there)
                        .flip()
                        .asReadOnlyBuffer());
                return null;
            });
            Future<?> receiver = threads.submit(() -> {
                for (int i = 0; i < 3; i++) {
                    assertArrayEquals(there, next(talk.b));
                }
                return null;
            });
            Future<byte[]> answer = threads.submit(() -> next(talk.a));
            talk.b.send(confined.allocateFrom(ValueLayout.JAVA_BYTE, back));
            assertArrayEquals(back, answer.get(60, TimeUnit.SECONDS));
            sender.get(60, TimeUnit.SECONDS);
            receiver.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aLargeMessageKeepsItsPlaceAmongSmallOnes() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        var sent = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 40; i++) {
            sent.add(talk.a.sendAsync(ByteBuffer.wrap(random(i % 3 == 0 ? 5000 + i : i, i))));
        }
        for (int i = 0; i < 40; i++) {
            assertArrayEquals(random(i % 3 == 0 ? 5000 + i : i, i), next(talk.b), "message " + i);
        }
        for (CompletableFuture<Void> each : sent) {
            each.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aSmallerBufferOfThePeerCounts() throws Exception {
        Talk talk = talk(Ends.over(wire), OPTIONS, SMALL);
        byte[] bytes = random(4000, 5);
        CompletableFuture<Void> early = talk.a.sendAsync(ByteBuffer.wrap(bytes));
        assertArrayEquals(bytes, next(talk.b));
        early.get(60, TimeUnit.SECONDS);
        CompletableFuture<Void> back = talk.b.sendAsync(ByteBuffer.wrap(bytes));
        assertArrayEquals(bytes, next(talk.a));
        back.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aSenderWaitsForAReceiverThatTakesNothing() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        for (int i = 0; i < 4; i++) {
            assertTrue(talk.a.send(ByteBuffer.allocate(8), LONG));
        }
        assertFalse(talk.a.send(ByteBuffer.allocate(8), Duration.ofMillis(20)));
        assertFalse(talk.a.send(ByteBuffer.allocate(1000), Duration.ofMillis(1)), "a large one waits as well");
        assertEquals(8, next(talk.b).length);
        assertEquals(8, next(talk.b).length);
        assertTrue(talk.a.send(ByteBuffer.allocate(9), LONG));
    }

    @Test
    void aLargeMessageThatIsNotTakenInTimeIsWithdrawn() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL.withCloseLimit(LONG)); // the time that the peer has to drop it
        var filling = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 2; i++) {
            filling.add(talk.a.sendAsync(ByteBuffer.wrap(random(1000, i)))); // takes both landings of the peer
        }
        for (CompletableFuture<Void> each : filling) {
            each.get(60, TimeUnit.SECONDS);
        }
        assertFalse(talk.a.send(ByteBuffer.wrap(random(1000, 7)), Duration.ofMillis(50)));
        assertTrue(talk.a.send(ByteBuffer.wrap(random(10, 8)), LONG));
        assertArrayEquals(random(1000, 0), next(talk.b));
        assertArrayEquals(random(1000, 1), next(talk.b));
        assertArrayEquals(random(10, 8), next(talk.b));
    }

    @Test
    void receivingTakesNoLongerThanItsLimit() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        assertNull(talk.a.receive(Duration.ZERO));
        assertNull(talk.a.receive(Duration.ofMillis(5)));
        assertEquals(-1, talk.a.receive(ByteBuffer.allocate(8), Duration.ofMillis(5)));
    }

    @Test
    void aMessageThatDoesNotFitTheBufferStays() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        talk.a.send(ByteBuffer.wrap(random(100, 1)));
        var small = ByteBuffer.allocate(99);
        assertThrows(IllegalArgumentException.class, () -> talk.b.receive(small, LONG));
        var into = ByteBuffer.allocate(102).position(1);
        assertEquals(100, talk.b.receive(into, LONG));
        assertEquals(101, into.position());
        assertEquals(random(100, 1)[99], into.get(100));
    }

    @Test
    void futuresGetMessagesInTheOrderOfTheCalls() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        var first = talk.b.receiveAsync();
        var second = talk.b.receiveAsync();
        talk.a.send(ByteBuffer.wrap(new byte[] {1}));
        talk.a.send(ByteBuffer.wrap(new byte[] {2}));
        try (Message one = first.get(60, TimeUnit.SECONDS);
                Message two = second.get(60, TimeUnit.SECONDS)) {
            assertEquals(1, one.segment().get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(2, two.buffer().get(0));
        }
    }

    @Test
    void aMessageForACancelledFutureIsDroppedAndItsBufferComesBack() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        for (int i = 0; i < 9; i++) { // more than there are receives
            assertTrue(talk.b.receiveAsync().cancel(false));
            assertTrue(talk.a.send(ByteBuffer.wrap(new byte[] {(byte) i}), LONG));
        }
        talk.a.send(ByteBuffer.wrap(new byte[] {77}));
        assertEquals(77, next(talk.b)[0]);
    }

    @Test
    void aMessageThatDoesNotFitOneBufferGoesToAnotherThreadThatWaits() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        var refused = new FutureTask<>(() -> talk.b.receive(ByteBuffer.allocate(99), Duration.ofMinutes(10)));
        var taken = new FutureTask<>(() -> talk.b.receive(ByteBuffer.allocate(100), Duration.ofMinutes(10)));
        for (FutureTask<Integer> each : List.of(refused, taken)) { // the first one that waits is the first one woken
            Thread receiver = Thread.ofPlatform().start(each);
            while (receiver.isAlive() && receiver.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait(); // a thread that waits for the lock is WAITING
            }
        }
        talk.a.send(ByteBuffer.allocate(100));
        var failure = assertThrows(ExecutionException.class, () -> refused.get(60, TimeUnit.SECONDS));
        assertInstanceOf(IllegalArgumentException.class, failure.getCause());
        assertEquals(100, taken.get(60, TimeUnit.SECONDS));
    }

    @Test
    void closingWaitsForAPeerWhoseChannelComesLater() throws Exception {
        Ends ends = Ends.over(wire);
        open.add(ends);
        MessageOptions patient = SMALL.withCloseLimit(LONG);
        QueuePair one = MessageChannel.createQueuePair(ends.a, patient);
        QueuePair other = MessageChannel.createQueuePair(ends.b, patient);
        Ends.connect(one, other);
        MessageChannel early = MessageChannel.over(one, patient);
        CompletableFuture<Void> sent = early.sendAsync(ByteBuffer.wrap(new byte[] {5}));
        Thread closer = Thread.ofPlatform().start(early::close);
        awaitWaiting(closer);
        MessageChannel late = MessageChannel.over(other, patient);
        open.add(late);
        assertEquals(5, next(late)[0]);
        sent.get(60, TimeUnit.SECONDS);
        closer.join();
    }

    /** Returns when a thread waits, or has ended. */
    private static void awaitWaiting(Thread thread) {
        while (thread.getState() == Thread.State.RUNNABLE
                || thread.getState() == Thread.State.NEW
                || thread.getState() == Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aClosedMessageCannotBeRead() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        talk.a.send(ByteBuffer.allocate(3));
        Message message = talk.b.receive(LONG);
        assertNotNull(message);
        message.close();
        message.close();
        assertThrows(IllegalStateException.class, message::buffer);
        assertThrows(IllegalStateException.class, message::segment);
    }

    @Test
    void manyThreadsSendAndReceive() throws Exception {
        Talk talk = talk(Ends.over(wire), OPTIONS);
        int senders = 50;
        int each = 200;
        long[] sums = new long[senders];
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var work = new ArrayList<Future<?>>();
            for (int t = 0; t < senders; t++) {
                int mine = t;
                work.add(threads.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        talk.a.send(
                                ByteBuffer.allocate(8).putInt(mine).putInt(i).flip());
                    }
                    return null;
                }));
            }
            int[] last = new int[senders];
            for (int i = 0; i < senders * each; i++) {
                ByteBuffer message = ByteBuffer.wrap(next(talk.b));
                int thread = message.getInt();
                int number = message.getInt();
                assertEquals(last[thread]++, number, "order of one thread");
                sums[thread] += number;
            }
            for (Future<?> one : work) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        for (long sum : sums) {
            assertEquals((long) each * (each - 1) / 2, sum);
        }
    }

    @Test
    void channelsShareADispatcher() throws Exception {
        Ends ends = Ends.over(wire);
        open.add(ends);
        var completions = ends.a.createCompletionQueue(4 * SMALL.completionCapacity());
        Dispatcher dispatcher = Dispatcher.over(completions).start("shared");
        open.add(dispatcher);
        var mine = new ArrayList<MessageChannel>();
        var theirs = new ArrayList<MessageChannel>();
        for (int i = 0; i < 4; i++) {
            QueuePair one = MessageChannel.createQueuePair(ends.a, SMALL, dispatcher);
            QueuePair other = MessageChannel.createQueuePair(ends.b, SMALL);
            Ends.connect(one, other);
            mine.add(MessageChannel.over(one, SMALL, dispatcher));
            theirs.add(MessageChannel.over(other, SMALL));
        }
        for (int i = 0; i < 4; i++) {
            mine.get(i).send(ByteBuffer.wrap(random(200, i)));
            theirs.get(i).send(ByteBuffer.wrap(random(300, i)));
        }
        for (int i = 0; i < 4; i++) {
            assertArrayEquals(random(200, i), next(theirs.get(i)));
        }
        mine.get(0).close();
        assertArrayEquals(random(300, 1), next(mine.get(1)));
        mine.forEach(MessageChannel::close);
        theirs.forEach(MessageChannel::close);
    }

    @Test
    void aSendWithoutTimeDoesNotWait() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL.withDepth(4, 16)); // credits end before buffers do
        talk.a.send(ByteBuffer.wrap(new byte[] {1}));
        assertFalse(talk.a.send(ByteBuffer.allocate(1000), Duration.ZERO), "a large one is never sent so");
        for (int i = 2; i <= 4; i++) {
            assertTrue(talk.a.send(ByteBuffer.wrap(new byte[] {(byte) i}), Duration.ZERO));
        }
        assertFalse(talk.a.send(ByteBuffer.wrap(new byte[] {5}), Duration.ZERO));
        for (int i = 1; i <= 4; i++) {
            assertEquals(i, next(talk.b)[0]);
        }
        assertNull(talk.b.receive(Duration.ofMillis(20)));
    }

    @Test
    void anInterruptEndsAWait() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        for (int i = 0; i < 4; i++) {
            talk.a.send(ByteBuffer.wrap(new byte[] {(byte) i}));
        }
        for (int length : new int[] {8, 1000}) {
            assertInterrupted(() -> talk.a.send(ByteBuffer.allocate(length)));
        }
        assertInterrupted(() -> talk.a.receive(LONG));
        for (int i = 0; i < 4; i++) {
            assertEquals(i, next(talk.b)[0]);
        }
        talk.a.send(ByteBuffer.wrap(new byte[] {9}));
        assertEquals(9, next(talk.b)[0], "what was interrupted was not sent");
    }

    @Test
    void aThreadThatIsInterruptedSendsNothing() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        talk.a.send(ByteBuffer.wrap(new byte[] {1})); // from now on a message is posted at once
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> talk.a.send(ByteBuffer.wrap(new byte[] {2})));
        assertFalse(Thread.interrupted(), "the exception has told of it");
        talk.a.send(ByteBuffer.wrap(new byte[] {3}));
        assertEquals(1, next(talk.b)[0]);
        assertEquals(3, next(talk.b)[0]);
    }

    private static void assertInterrupted(Executable call) throws Exception {
        var told = new CompletableFuture<Throwable>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                call.execute();
                told.complete(new AssertionError("the call has returned"));
            } catch (Throwable ended) {
                told.complete(ended);
            }
        });
        awaitWaiting(thread);
        thread.interrupt();
        assertInstanceOf(InterruptedException.class, told.get(60, TimeUnit.SECONDS));
    }

    @Test
    void aMessageThatIsQueuedIsReadWhenItsTurnComes() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        try (Arena confined = Arena.ofConfined();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                talk.a.send(ByteBuffer.allocate(1));
            }
            Future<?> taker = threads.submit(() -> {
                while (next(talk.b).length == 1) {}
                return null;
            });
            talk.a.send(confined.allocate(20)); // waits in the queue; another thread posts it
            taker.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void closingDeliversWhatIsUnderWayAndTellsThePeer() throws Exception {
        Talk talk = talk(Ends.over(wire), OPTIONS.withCloseLimit(LONG));
        for (int i = 0; i < 20; i++) {
            talk.a.send(ByteBuffer.wrap(random(50, i)));
        }
        CompletableFuture<Void> large = talk.a.sendAsync(ByteBuffer.wrap(random(100_000, 99)));
        talk.a.close();
        talk.a.close();
        large.get(60, TimeUnit.SECONDS);
        for (int i = 0; i < 20; i++) {
            assertArrayEquals(random(50, i), next(talk.b));
        }
        assertArrayEquals(random(100_000, 99), next(talk.b));
        var ended = assertThrows(ChannelException.class, () -> talk.b.receive(LONG));
        assertTrue(ended.toString().contains("peer closed"), ended::toString);
        assertThrows(ChannelException.class, () -> talk.b.send(ByteBuffer.allocate(1)));
        assertThrows(ChannelException.class, () -> talk.a.send(ByteBuffer.allocate(1)));
        assertThrows(ChannelException.class, () -> talk.a.receive(LONG));
        assertFalse(talk.a.isOpen());
        assertFalse(talk.b.isOpen());
    }

    @Test
    void closingUnderLoadEndsEveryCall() throws Exception {
        Talk talk = talk(Ends.over(wire), OPTIONS.withCloseLimit(Duration.ofMillis(100)));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var work = new ArrayList<Future<?>>();
            for (int t = 0; t < 20; t++) {
                int length = t % 5 == 0 ? 20_000 : 100;
                work.add(threads.submit(() -> {
                    while (true) {
                        talk.a.send(ByteBuffer.allocate(length));
                    }
                }));
            }
            for (int i = 0; i < 200; i++) {
                next(talk.b);
            }
            var waiting = threads.submit(() -> talk.a.receive(LONG));
            talk.a.close();
            for (Future<?> each : work) {
                assertEnded(each, "closed");
            }
            assertEnded(waiting, "closed");
        }
    }

    @Test
    void aFailedConnectionEndsEveryCall() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) { // as many as the peer has receives
                talk.a.send(ByteBuffer.allocate(8));
            }
            var sender = threads.submit(() -> {
                talk.a.send(ByteBuffer.allocate(8));
                return null;
            });
            var large = threads.submit(() -> {
                talk.a.send(ByteBuffer.allocate(8000));
                return null;
            });
            var receiver = threads.submit(() -> talk.a.receive(LONG));
            var later = talk.a.receiveAsync();
            var queued = talk.a.sendAsync(ByteBuffer.allocate(8));
            talk.a.queuePair().abort();
            assertEnded(sender, "has failed");
            assertEnded(large, "has failed");
            assertEnded(receiver, "has failed");
            assertEnded(later, "has failed");
            assertEnded(queued, "has failed");
        }
        assertThrows(ChannelException.class, () -> talk.a.send(ByteBuffer.allocate(8)));
    }

    @Test
    void aPeerThatDiesEndsTheCallsOfASender() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        talk.a.send(ByteBuffer.allocate(8));
        assertEquals(8, next(talk.b).length);
        talk.b.queuePair().abort();
        CompletableFuture<Message> receiver = talk.a.receiveAsync();
        CompletableFuture<Void> sender = talk.a.sendAsync(ByteBuffer.allocate(8));
        assertEnded(receiver, wire == Wire.IWARP ? "has failed" : "does not answer");
        if (wire == Wire.ROCE) { // over iWARP it may be in the stream before its end is seen
            assertEnded(sender, "does not answer");
        }
    }

    @Test
    void aClosedAdapterEndsCalls() throws Exception {
        Talk talk = talk(Ends.over(wire), SMALL);
        talk.a.send(ByteBuffer.allocate(8));
        CompletableFuture<Message> receiver = talk.a.receiveAsync();
        talk.ends.a.close();
        assertEnded(receiver, "");
    }

    @Test
    void misuseIsRefused() {
        Ends ends = Ends.over(wire);
        open.add(ends);
        QueuePair idle = MessageChannel.createQueuePair(ends.a, SMALL);
        assertThrows(IllegalStateException.class, () -> MessageChannel.over(idle, SMALL));
        var domain = ends.a.createProtectionDomain();
        QueuePair narrow = ends.a.createQueuePair(QueuePairOptions.of(domain, ends.a.createCompletionQueue(16)));
        var failure = assertThrows(IllegalArgumentException.class, () -> MessageChannel.over(narrow, OPTIONS));
        assertTrue(failure.toString().contains("completion queue"), failure::toString);
        assertThrows(IllegalArgumentException.class, () -> OPTIONS.withBufferSize(1));
        assertThrows(IllegalArgumentException.class, () -> OPTIONS.withMessageMax(1));
    }

    @Test
    void aMessageThatThePeerDoesNotTakeIsRefused() throws Exception {
        Talk talk = talk(Ends.over(wire), OPTIONS, OPTIONS.withMessageMax(20_000));
        talk.a.send(ByteBuffer.allocate(20_000 - 1).limit(1));
        assertThrows(IllegalArgumentException.class, () -> talk.a.send(ByteBuffer.allocate(20_001)));
        var failed = assertThrows(
                ExecutionException.class,
                () -> talk.a.sendAsync(ByteBuffer.allocate(20_001)).get(60, TimeUnit.SECONDS));
        assertInstanceOf(IllegalArgumentException.class, failed.getCause());
        assertEquals(1, next(talk.b).length);
    }
}
