package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;

/** A thousand queue pairs of one adapter, all busy at once, each byte looked at. */
@OverEachWire
final class ManyQueuePairsTest {
    private static final int QUEUE_PAIRS = 1000;
    private static final int ROUNDS = 4;
    private static final int BYTES = 5000;

    private final Wire wire;

    ManyQueuePairsTest(Wire wire) {
        this.wire = wire;
    }

    @Test
    void aThousandQueuePairsAllBusy() {
        try (var pair = new Pair(wire, (long) QUEUE_PAIRS * BYTES * 2, 64, ConnectionOptions.DEFAULT)) {
            CompletionQueue sent = pair.a.adapter.createCompletionQueue(8 * QUEUE_PAIRS);
            CompletionQueue received = pair.b.adapter.createCompletionQueue(8 * QUEUE_PAIRS);
            List<QueuePair> mine = new ArrayList<>();
            List<QueuePair> theirs = new ArrayList<>();
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                QueuePair a = pair.a.adapter.createQueuePair(
                        QueuePairOptions.of(pair.a.domain, sent).withCapacity(4, 4));
                QueuePair b = pair.b.adapter.createQueuePair(
                        QueuePairOptions.of(pair.b.domain, received).withCapacity(4, 4));
                Wires.connect(a, b, ConnectionOptions.DEFAULT);
                mine.add(a);
                theirs.add(b);
            }
            for (int round = 0; round < ROUNDS; round++) {
                post(pair, mine, theirs, round);
                pair.run();
                completes(sent, 3 * QUEUE_PAIRS);
                completes(received, QUEUE_PAIRS);
                verify(pair, round);
            }
        }
    }

    private static byte[] data(int queuePair, int round) {
        return Exchange.pattern(BYTES, queuePair * 31 + round * 7);
    }

    /** Queue pair i writes its bytes, reads them back, and sends the first of them. */
    private static void post(Pair pair, List<QueuePair> mine, List<QueuePair> theirs, int round) {
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            long at = (long) i * BYTES * 2;
            MemorySegment.copy(MemorySegment.ofArray(data(i, round)), 0, pair.a.memory, at, BYTES);
            assertTrue(theirs.get(i).post(new WorkRequest.Receive(i, pair.b.segment(at + BYTES, 64))));
            QueuePair queuePair = mine.get(i);
            assertTrue(queuePair.post(new WorkRequest.Write(i, pair.a.segment(at, BYTES), pair.b.remote(at))));
            assertTrue(queuePair.post(new WorkRequest.Read(i, pair.a.segment(at + BYTES, BYTES), pair.b.remote(at))));
            assertTrue(queuePair.post(new WorkRequest.Send(i, pair.a.segment(at, 64))));
        }
    }

    private static void completes(CompletionQueue queue, int count) {
        var batch = new Completions(count + 1);
        assertEquals(count, queue.poll(batch));
        for (int i = 0; i < count; i++) {
            assertEquals(Status.SUCCESS, batch.status(i));
        }
    }

    private static void verify(Pair pair, int round) {
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            long at = (long) i * BYTES * 2;
            byte[] data = data(i, round);
            MemorySegment expected = MemorySegment.ofArray(data);
            assertEquals(-1, pair.b.memory.asSlice(at, BYTES).mismatch(expected));
            assertEquals(-1, pair.a.memory.asSlice(at + BYTES, BYTES).mismatch(expected));
            assertEquals(
                    -1, pair.b.memory.asSlice(at + BYTES, 64).mismatch(MemorySegment.ofArray(Arrays.copyOf(data, 64))));
        }
    }
}
