package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;

/** A completion queue that is too small: an event, the queue pair in error, the engine alive. */
@Timeout(60)
@OverEachWire
final class OverrunTest {
    private final Pair pair;
    private final CompletionQueue small;
    private final CompletionQueue large;

    OverrunTest(Wire wire) {
        pair = new Pair(wire);
        small = pair.a.adapter.createCompletionQueue(4);
        large = pair.a.adapter.createCompletionQueue(64);
    }

    private QueuePair connected(QueuePairOptions options) {
        QueuePair mine = pair.a.adapter.createQueuePair(options);
        QueuePair theirs = pair.b.adapter.createQueuePair(QueuePairOptions.of(pair.b.domain, pair.b.completions));
        Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        return mine;
    }

    private void engineIsAlive() {
        pair.a.queuePair.post(new WorkRequest.Write(99, pair.a.segment(0, 8), pair.b.remote(0)));
        pair.run();
        assertEquals(List.of(99L), pair.a.drain().stream().map(Completion::id).toList());
    }

    @Test
    void oneSendCompletionTooManyFailsTheQueuePair() {
        QueuePair queuePair =
                connected(QueuePairOptions.of(pair.a.domain, small).withReceiveCompletions(large));
        for (int i = 0; i < 6; i++) {
            assertTrue(queuePair.post(new WorkRequest.Write(i, pair.a.segment(0, 8), pair.b.remote(0))));
        }
        pair.run();
        assertEquals(QueuePairState.ERROR, queuePair.state());
        assertTrue(Pair.has(pair.a, EventKind.COMPLETION_QUEUE_OVERRUN, small));
        assertTrue(Pair.has(pair.a, EventKind.QUEUE_PAIR_FATAL, queuePair));
        for (int i = 0; i < 4; i++) {
            Completion completion = small.poll();
            assertEquals(i, completion == null ? -1 : completion.id());
        }
        // What is posted from now on comes back flushed.
        queuePair.post(new WorkRequest.Write(7, pair.a.segment(0, 8), pair.b.remote(0)));
        pair.run();
        Completion flushed = small.poll();
        assertEquals(Status.FLUSHED, flushed == null ? null : flushed.status());
        engineIsAlive();
    }

    @Test
    void oneReceiveCompletionTooManyFailsTheQueuePair() {
        QueuePair queuePair = pair.a.adapter.createQueuePair(
                QueuePairOptions.of(pair.a.domain, large).withReceiveCompletions(small));
        QueuePair theirs = pair.b.adapter.createQueuePair(QueuePairOptions.of(pair.b.domain, pair.b.completions));
        Wires.connect(queuePair, theirs, ConnectionOptions.DEFAULT);
        for (int i = 0; i < 6; i++) {
            queuePair.post(new WorkRequest.Receive(i));
            theirs.post(new WorkRequest.Send(i));
        }
        pair.run();
        assertEquals(QueuePairState.ERROR, queuePair.state());
        assertTrue(Pair.has(pair.a, EventKind.COMPLETION_QUEUE_OVERRUN, small));
        engineIsAlive();
    }

    @Test
    void anOverrunIsToldOfOnceHoweverMuchIsFlushedAfterIt() {
        QueuePair queuePair =
                connected(QueuePairOptions.of(pair.a.domain, small).withReceiveCompletions(large));
        for (int i = 0; i < 12; i++) {
            assertTrue(queuePair.post(new WorkRequest.Write(i, pair.a.segment(0, 8), pair.b.remote(0))));
        }
        pair.run();
        int told = 0;
        for (AsyncEvent e = pair.a.adapter.events().poll();
                e != null;
                e = pair.a.adapter.events().poll()) {
            told += e.kind() == EventKind.COMPLETION_QUEUE_OVERRUN ? 1 : 0;
        }
        assertEquals(1, told);
    }

    /** The overrun comes while the requests behind a failed one are flushed. */
    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"UC", "UD"})
    void anOverrunWhileFlushingRetiresNothingTwice(Service service) {
        if (pair.a.lacks(service)) {
            return;
        }
        QueuePair queuePair = pair.a.adapter.createQueuePair(QueuePairOptions.of(pair.a.domain, small)
                .withReceiveCompletions(large)
                .withService(service)
                .withCapacity(16, 16));
        start(queuePair);
        for (int i = 0; i < 9; i++) {
            assertTrue(queuePair.post(request(service, i, i == 0)));
        }
        pair.run();
        assertEquals(QueuePairState.ERROR, queuePair.state());
        for (int i = 0; i < 4; i++) {
            Completion completion = small.poll();
            assertEquals(i, completion == null ? -1 : completion.id());
        }
        assertNull(small.poll());
        // Its rings are as they should be: the whole capacity is there again, and used in order.
        queuePair.reset();
        start(queuePair);
        for (int i = 0; i < 16; i++) {
            assertTrue(queuePair.post(request(service, 100 + i, false)));
        }
        assertFalse(queuePair.post(request(service, 200, false)));
        pair.run();
        Completion first = small.poll();
        assertEquals(100, first == null ? -1 : first.id());
        engineIsAlive();
    }

    private void start(QueuePair queuePair) {
        if (queuePair.options().service() == Service.UD) {
            queuePair.activate(DatagramOptions.of(1));
        } else {
            queuePair.connect(pair.b.queuePair.address(), ConnectionOptions.DEFAULT);
        }
    }

    private AddressHandle toB() {
        return pair.a.adapter.createAddressHandle(pair.a.domain, pair.b.adapter.endpoint());
    }

    /** One that fails has memory that nobody registered. */
    private WorkRequest.Sending request(Service service, long id, boolean failing) {
        LocalSegment segment =
                failing ? new LocalSegment(pair.a.segment(0, 8).address(), 8, 0x7fff_ff00) : pair.a.segment(0, 8);
        return service == Service.UD
                ? new WorkRequest.SendDatagram(id, Payload.of(segment), toB(), 77, 1, SendOptions.SIGNALLED)
                : new WorkRequest.Send(id, segment);
    }
}
