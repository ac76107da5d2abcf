package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;

/** Every operation once, each turn by hand. */
@OverEachWire
final class OperationsTest {
    private final Wire wire;
    private final Pair pair;
    private final Node a;
    private final Node b;

    OperationsTest(Wire wire) {
        this.wire = wire;
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static void fill(MemorySegment memory, long offset, long length, int seed) {
        for (long i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (seed + i + (i >> 8)));
        }
    }

    @Test
    void sendArrivesInTheReceiveAndBothComplete() {
        fill(a.memory, 0, 10_000, 7);
        b.queuePair.post(new WorkRequest.Receive(5, b.segment(0, 3000), b.segment(20_000, 9000)));
        a.queuePair.post(new WorkRequest.Send(9, a.segment(0, 4000), a.segment(4000, 6000)));
        pair.run();
        assertEquals(
                List.of(Status.SUCCESS),
                a.drain().stream().map(Completion::status).toList());
        Completion received = b.drain().getFirst();
        assertEquals(5, received.id());
        assertEquals(10_000, received.byteLength());
        assertEquals(Operation.RECEIVE, received.operation());
        assertEquals(-1, a.memory.asSlice(0, 3000).mismatch(b.memory.asSlice(0, 3000)));
        assertEquals(-1, a.memory.asSlice(3000, 7000).mismatch(b.memory.asSlice(20_000, 7000)));
    }

    @Test
    void writeReadAndAtomics() {
        fill(a.memory, 0, 200_000, 3);
        a.queuePair.post(new WorkRequest.Write(1, a.segment(0, 200_000), b.remote(0)));
        a.queuePair.post(new WorkRequest.Read(2, a.segment(300_000, 200_000), b.remote(0)));
        a.queuePair.post(
                new WorkRequest.FetchAdd(3, a.segment(600_000, 8), b.remote(500_000), 42, SendOptions.SIGNALLED));
        a.queuePair.post(new WorkRequest.CompareSwap(
                4, a.segment(600_008, 8), b.remote(500_000), 42, 77, SendOptions.SIGNALLED));
        pair.run();
        assertEquals(
                List.of(1L, 2L, 3L, 4L), a.drain().stream().map(Completion::id).toList());
        assertEquals(-1, a.memory.asSlice(0, 200_000).mismatch(b.memory.asSlice(0, 200_000)));
        assertEquals(-1, a.memory.asSlice(300_000, 200_000).mismatch(b.memory.asSlice(0, 200_000)));
        assertEquals(0, a.memory.get(ValueLayout.JAVA_LONG, 600_000));
        assertEquals(42, a.memory.get(ValueLayout.JAVA_LONG, 600_008));
        assertEquals(77, b.memory.get(ValueLayout.JAVA_LONG, 500_000));
    }

    /** One that a wire does not have fails when its turn comes, and its queue pair with it. */
    private void postsWhatIwarpLacks(WorkRequest.Sending request) {
        assertTrue(a.queuePair.post(request));
        pair.run();
        Completion completion = a.drain().getFirst();
        boolean lacking = wire == Wire.IWARP;
        assertEquals(lacking ? Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR : Status.SUCCESS, completion.status());
        assertEquals(lacking ? QueuePairState.ERROR : QueuePairState.READY_TO_SEND, a.queuePair.state());
        AsyncEvent event = a.adapter.events().poll();
        if (lacking) {
            assertTrue(Objects.requireNonNull(event).detail().endsWith("iWARP has no " + completion.operation()));
        } else {
            assertNull(event);
        }
    }

    @Test
    void anAtomicWriteWhereTheWireHasIt() {
        postsWhatIwarpLacks(new WorkRequest.AtomicWrite(5, 4711, b.remote(500_008), SendOptions.SIGNALLED));
        assertEquals(wire == Wire.IWARP ? 0 : 4711, b.memory.get(ValueLayout.JAVA_LONG, 500_008));
    }

    @Test
    void aSendWithImmediateWhereTheWireHasIt() {
        b.queuePair.post(new WorkRequest.Receive(5, b.segment(0, 8)));
        postsWhatIwarpLacks(new WorkRequest.SendWithImmediate(
                1, Payload.inline(new byte[] {1, 2, 3}), 0xcafe, SendOptions.SIGNALLED));
        Completion received = b.drain().getFirst();
        assertEquals(wire == Wire.IWARP ? Status.FLUSHED : Status.SUCCESS, received.status());
        assertEquals(wire == Wire.IWARP ? null : Integer.valueOf(0xcafe), received.immediate());
    }

    /** Over RoCE a read sees its memory before later requests change it; over iWARP it may see them, unless they are fenced. */
    @Test
    void aFencedWriteDoesNotOvertakeARead() {
        fill(b.memory, 0, 100_000, 1);
        byte[] before = b.memory.asSlice(0, 100_000).toArray(ValueLayout.JAVA_BYTE);
        a.queuePair.post(new WorkRequest.Read(1, a.segment(0, 100_000), b.remote(0)));
        a.queuePair.post(new WorkRequest.Write(
                2, Payload.of(a.segment(200_000, 100_000)), b.remote(0), SendOptions.SIGNALLED.withFence()));
        pair.run();
        assertEquals(2, a.drain().size());
        assertArrayEquals(before, a.memory.asSlice(0, 100_000).toArray(ValueLayout.JAVA_BYTE));
        assertEquals(0, b.memory.get(ValueLayout.JAVA_LONG, 0));
    }

    /** Over iWARP the sender knows only that its buffer is free; over RoCE, that the peer has the message. */
    @Test
    void theCompletionOfASend() {
        b.queuePair.post(new WorkRequest.Receive(5, b.segment(0, 8)));
        a.queuePair.post(new WorkRequest.Send(1, a.segment(0, 8)));
        for (int turn = 0; turn < 10; turn++) {
            a.adapter.work(pair.clock.nowNs());
        }
        assertEquals(wire == Wire.IWARP ? 1 : 0, a.drain().size());
        assertEquals(List.of(), b.drain());
        pair.run();
        assertEquals(wire == Wire.IWARP ? 0 : 1, a.drain().size());
        assertEquals(1, b.drain().size());
    }

    /** Over RoCE the sender tries again; over iWARP the stream is not read until the receive is there. */
    @Test
    void aSendWaitsForAReceive() {
        a.queuePair.post(new WorkRequest.Send(1, a.segment(0, 8)));
        a.queuePair.post(new WorkRequest.Read(2, a.segment(0, 8), b.remote(0)));
        pair.run();
        assertEquals(wire == Wire.IWARP ? 1 : 0, a.drain().size(), "the read waits behind the send");
        b.queuePair.post(new WorkRequest.Receive(5, b.segment(0, 8)));
        pair.pass(2_000_000);
        assertEquals(wire == Wire.IWARP ? 1 : 2, a.drain().size());
        assertEquals(
                List.of(Status.SUCCESS),
                b.drain().stream().map(Completion::status).toList());
    }

    @Test
    void writeWithImmediateTellsTheReceiver() {
        b.queuePair.post(new WorkRequest.Receive(5));
        a.queuePair.post(new WorkRequest.WriteWithImmediate(
                1, Payload.inline(new byte[] {1, 2, 3}), b.remote(10), 0xcafe, SendOptions.SIGNALLED));
        pair.run();
        Completion received = b.drain().getFirst();
        assertEquals(Operation.RECEIVE_WRITE_WITH_IMMEDIATE, received.operation());
        assertEquals(0xcafe, received.immediate());
        assertEquals(3, received.byteLength());
        assertEquals(3, b.memory.get(ValueLayout.JAVA_BYTE, 12));
        assertTrue(a.drain().getFirst().status().success());
    }
}
