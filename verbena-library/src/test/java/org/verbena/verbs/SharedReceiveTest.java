package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.adapter.pair.ReceiveWork;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.ProtectionDomain;
import org.verbena.trace.Counter;

/** Two queue pairs that take from one receive queue. */
@OverEachWire
final class SharedReceiveTest {
    private final Pair pair;
    private final SharedReceiveQueue shared;
    private final List<QueuePair> senders = new ArrayList<>();
    private final List<QueuePair> receivers = new ArrayList<>();

    SharedReceiveTest(Wire wire) {
        pair = new Pair(wire);
        shared = pair.b.adapter.createSharedReceiveQueue(16, 2);
        for (int i = 0; i < 2; i++) {
            QueuePair sender = pair.a.adapter.createQueuePair(QueuePairOptions.of(pair.a.domain, pair.a.completions));
            QueuePair receiver = pair.b.adapter.createQueuePair(
                    QueuePairOptions.of(pair.b.domain, pair.b.completions).withSharedReceives(shared));
            Wires.connect(sender, receiver, ConnectionOptions.DEFAULT);
            senders.add(sender);
            receivers.add(receiver);
        }
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void receives(int count) {
        for (int i = 0; i < count; i++) {
            assertTrue(shared.post(new WorkRequest.Receive(i, pair.b.segment(i * 100L, 100))));
        }
    }

    private void send(int sender, int id) {
        senders.get(sender)
                .post(new WorkRequest.Send(id, Payload.inline(new byte[] {(byte) id}), SendOptions.SIGNALLED));
        pair.run();
    }

    @Test
    void eachMessageTakesTheOldestReceiveWhoeverItIsFor() {
        receives(4);
        for (int i = 0; i < 4; i++) {
            send(i % 2, 50 + i);
        }
        List<Completion> received = pair.b.drain();
        assertEquals(
                List.of(0L, 1L, 2L, 3L), received.stream().map(Completion::id).toList());
        for (int i = 0; i < 4; i++) {
            assertEquals(receivers.get(i % 2).number(), received.get(i).queuePair());
            assertEquals(50 + i, pair.b.memory.get(ValueLayout.JAVA_BYTE, i * 100L));
        }
    }

    @Test
    void theLimitIsToldOfOnce() {
        receives(5);
        shared.limit(4);
        send(0, 1);
        assertFalse(Pair.has(pair.b, EventKind.SHARED_RECEIVE_LIMIT_REACHED, shared));
        send(1, 2);
        assertEquals(3, shared.available());
        assertTrue(Pair.has(pair.b, EventKind.SHARED_RECEIVE_LIMIT_REACHED, shared));
        send(0, 3);
        assertFalse(Pair.has(pair.b, EventKind.SHARED_RECEIVE_LIMIT_REACHED, shared));
        shared.limit(2);
        send(0, 4);
        assertTrue(Pair.has(pair.b, EventKind.SHARED_RECEIVE_LIMIT_REACHED, shared));
    }

    @Test
    void anEmptyQueueHoldsSendersBackUntilAReceiveIsPosted() {
        send(0, 1);
        send(1, 2);
        assertEquals(List.of(), pair.b.drain());
        assertEquals(pair.wire == Wire.IWARP ? 0 : 2, pair.b.adapter.counters().value(Counter.SENT_RNR_NAKS));
        receives(2);
        pair.pass(2_000_000);
        assertEquals(2, pair.a.drain().size());
        assertEquals(2, pair.b.drain().size());
    }

    @Test
    void aFullQueueSaysNo() {
        receives(16);
        assertFalse(shared.post(new WorkRequest.Receive(16)));
    }

    @Test
    void aRefusedQueuePairHoldsNothing() {
        Adapter adapter = pair.b.adapter;
        SharedReceiveQueue closed = adapter.createSharedReceiveQueue(4, 1);
        closed.close();
        ProtectionDomain domain = adapter.createProtectionDomain();
        CompletionQueue sends = adapter.createCompletionQueue(4);
        CompletionQueue receives = adapter.createCompletionQueue(4);
        QueuePairOptions options = QueuePairOptions.of(domain, sends)
                .withReceiveCompletions(receives)
                .withSharedReceives(closed);
        assertEquals(
                "the shared receive queue is closed",
                assertThrows(IllegalStateException.class, () -> adapter.createQueuePair(options))
                        .getMessage());
        sends.close();
        receives.close();
        domain.close();
    }

    /** One thread takes a receive and posts another, in turn: the queue always has 7 or 8 of 8. */
    @Test
    @Timeout(60)
    void theNumberOfReceivesIsRightForAnyThread() throws InterruptedException {
        SharedReceiveQueue busy = pair.b.adapter.createSharedReceiveQueue(8, 1);
        WorkRequest.Receive receive = new WorkRequest.Receive(1);
        for (int i = 0; i < 8; i++) {
            assertTrue(busy.post(receive));
        }
        AtomicBoolean done = new AtomicBoolean();
        Thread engine = Thread.ofPlatform().unstarted(() -> {
            ReceiveSource source = ((LocalSharedReceives) busy.control()).source();
            ReceiveWork hand = source.emptyHand();
            while (!done.get()) {
                source.take(hand);
                hand.drop(source.operations());
                busy.post(receive);
            }
        });
        engine.start();
        try {
            for (int i = 0; i < 1_000_000; i++) {
                long available = busy.available();
                assertTrue(available == 7 || available == 8, "found " + available);
            }
        } finally {
            done.set(true);
            engine.join();
        }
    }

    @Test
    void aFailedQueuePairLeavesTheReceivesToTheOther() {
        receives(3);
        receivers.get(0).abort();
        assertEquals(3, shared.available());
        assertTrue(Pair.has(pair.b, EventKind.LAST_RECEIVE_REACHED, receivers.get(0)));
        assertEquals(List.of(), pair.b.drain());
        send(1, 9);
        assertEquals(0, pair.b.drain().getFirst().id());
    }

    @Test
    void aReceiveInHandComesBackWhenItsQueuePairFails() {
        receives(3);
        // The first packet of a long message takes a receive that is too small for the rest.
        senders.get(0).post(new WorkRequest.Send(1, pair.a.segment(0, 5000)));
        pair.run();
        assertEquals(
                List.of(pair.refused(Status.REMOTE_INVALID_REQUEST)),
                pair.a.drain().stream().map(Completion::status).toList());
        assertEquals(
                List.of(Status.LOCAL_LENGTH_ERROR),
                pair.b.drain().stream().map(Completion::status).toList());
        assertEquals(QueuePairState.ERROR, receivers.get(0).state());
        assertEquals(2, shared.available());
    }
}
