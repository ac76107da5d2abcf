package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.VirtualClock;

/** Every operation once, over the in-process link, each turn by hand. */
final class OperationsTest {
    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork network = new InProcessNetwork();
    private final Node a = node();
    private final Node b = node();

    OperationsTest() {
        Node.connect(a, b, ConnectionOptions.DEFAULT);
    }

    private Node node() {
        return new Node(
                Adapter.open(
                        network.open(),
                        clock,
                        AdapterOptions.DEFAULT
                                .withRun(AdapterOptions.Run.MANUAL)
                                .withSeed(1)),
                1 << 20);
    }

    private void run() {
        for (int idle = 0; idle < 3; ) {
            int done = a.adapter.work(clock.nowNs()) + b.adapter.work(clock.nowNs());
            idle = done == 0 ? idle + 1 : 0;
        }
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
        run();
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
        a.queuePair.post(new WorkRequest.AtomicWrite(5, 4711, b.remote(500_008), SendOptions.SIGNALLED));
        run();
        assertEquals(
                List.of(1L, 2L, 3L, 4L, 5L),
                a.drain().stream().map(Completion::id).toList());
        assertEquals(-1, a.memory.asSlice(0, 200_000).mismatch(b.memory.asSlice(0, 200_000)));
        assertEquals(-1, a.memory.asSlice(300_000, 200_000).mismatch(b.memory.asSlice(0, 200_000)));
        assertEquals(0, a.memory.get(ValueLayout.JAVA_LONG, 600_000));
        assertEquals(42, a.memory.get(ValueLayout.JAVA_LONG, 600_008));
        assertEquals(77, b.memory.get(ValueLayout.JAVA_LONG, 500_000));
        assertEquals(4711, b.memory.get(ValueLayout.JAVA_LONG, 500_008));
    }

    @Test
    void writeWithImmediateTellsTheReceiver() {
        b.queuePair.post(new WorkRequest.Receive(5));
        a.queuePair.post(new WorkRequest.WriteWithImmediate(
                1, Payload.inline(new byte[] {1, 2, 3}), b.remote(10), 0xcafe, SendOptions.SIGNALLED));
        run();
        Completion received = b.drain().getFirst();
        assertEquals(Operation.RECEIVE_WRITE_WITH_IMMEDIATE, received.operation());
        assertEquals(0xcafe, received.immediate());
        assertEquals(3, received.byteLength());
        assertEquals(3, b.memory.get(ValueLayout.JAVA_BYTE, 12));
        assertTrue(a.drain().getFirst().status().success());
    }
}
