package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.exchange.OverSwitches;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;

/** Registrations by the send queue of an unreliable connection (UC). */
@OverSwitches
final class UnreliableRegisterTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);

    private final Pair pair = new Pair(1 << 16, 64, Service.UC);
    private final Node a = pair.a;
    private final Node b = pair.b;
    private final Region region = a.adapter.reserve(a.domain, 1);
    private final MemorySegment onePage = Arena.ofAuto().allocate(4096, 4096);

    @AfterEach
    void close() {
        pair.close();
    }

    private QueuePair connected(RegisterFailure failure) {
        QueuePair mine = a.adapter.createQueuePair(QueuePairOptions.of(a.domain, a.completions)
                .withService(Service.UC)
                .withRegister(failure));
        mine.connect(b.queuePair.address(), ConnectionOptions.DEFAULT);
        b.queuePair.connect(mine.address(), ConnectionOptions.DEFAULT);
        return mine;
    }

    private void postTooMuch(QueuePair mine) {
        var memory = PreparedMemory.of(Arena.ofAuto().allocate(4097, 4096), ALL);
        mine.post(new WorkRequest.Receive(9, a.segment(0, 16)));
        mine.post(new WorkRequest.Write(1, a.segment(0, 8), b.remote(0)));
        mine.post(new WorkRequest.Register(2, region.key(), memory, SendOptions.SIGNALLED));
        mine.post(new WorkRequest.Write(3, a.segment(0, 8), b.remote(8)));
        pair.run();
    }

    @Test
    void memoryServesTheNextRequestAndThePeer() {
        QueuePair mine = connected(RegisterFailure.DRAIN);
        int key = MemoryKey.next(region.key());
        onePage.set(ValueLayout.JAVA_BYTE, 5, (byte) 55);
        mine.post(new WorkRequest.Register(1, key, PreparedMemory.of(onePage, 0x100, ALL), SendOptions.UNSIGNALLED));
        mine.post(new WorkRequest.Write(2, new LocalSegment(0x105, 1, key), b.remote(0)));
        b.queuePair.post(new WorkRequest.Write(3, b.segment(64, 8), new RemoteMemory(0x200, key)));
        b.memory.set(ValueLayout.JAVA_BYTE, 64, (byte) 66);
        pair.run();
        assertEquals(List.of(2L), a.drain().stream().map(Completion::id).toList());
        assertEquals(55, b.memory.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(66, onePage.get(ValueLayout.JAVA_BYTE, 0x100));
    }

    @Test
    void aMessageTellsTheKeyThatIsRegisteredWithIt() {
        QueuePair mine = connected(RegisterFailure.DRAIN);
        int key = MemoryKey.next(region.key());
        b.queuePair.post(new WorkRequest.Receive(8, b.segment(0, 16)));
        mine.post(new WorkRequest.RegisterAndSend(
                1,
                key,
                PreparedMemory.of(onePage, 0x100, ALL),
                Payload.inline(new byte[] {42}),
                SendOptions.SIGNALLED));
        pair.run();
        assertEquals(List.of(1L), a.drain().stream().map(Completion::id).toList());
        assertEquals(List.of(8L), b.drain().stream().map(Completion::id).toList());
        assertEquals(42, b.memory.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(key, region.key());
        assertTrue(region.isValid());

        b.queuePair.post(new WorkRequest.Receive(9, b.segment(0, 16)));
        mine.post(new WorkRequest.RegisterAndSend(
                2, key, PreparedMemory.of(onePage, ALL), Payload.inline(new byte[] {43}), SendOptions.SIGNALLED));
        pair.run();
        Completion refused = a.drain().getFirst();
        assertEquals(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, refused.status());
        assertEquals(Verdict.ALREADY_VALID, refused.detail());
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, mine.state());
        assertEquals(List.of(), b.drain(), "nothing was sent");
        assertEquals(42, b.memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void withDrainReceivesGoOnAndTheRegistrationCanBeRepeated() {
        QueuePair mine = connected(RegisterFailure.DRAIN);
        postTooMuch(mine);
        List<Completion> done = a.drain();
        assertEquals(
                List.of(Status.SUCCESS, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED),
                done.stream().map(Completion::status).toList());
        assertEquals(Verdict.NO_ROOM, done.get(1).detail());
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, mine.state());
        b.queuePair.post(new WorkRequest.Send(4, b.segment(0, 8)));
        pair.run();
        assertEquals(List.of(9L), a.drain().stream().map(Completion::id).toList());
        mine.resume();
        mine.post(new WorkRequest.Register(5, region.key(), PreparedMemory.of(onePage, ALL), SendOptions.SIGNALLED));
        pair.run();
        assertEquals(Status.SUCCESS, a.drain().getFirst().status());
        assertTrue(region.isValid());
    }

    @Test
    void withTerminateTheQueuePairFailsAndEverythingIsFlushed() {
        QueuePair mine = connected(RegisterFailure.TERMINATE);
        postTooMuch(mine);
        List<Completion> done = a.drain();
        assertEquals(
                List.of(Status.SUCCESS, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED, Status.FLUSHED),
                done.stream().map(Completion::status).toList());
        assertEquals(Verdict.NO_ROOM, done.get(1).detail());
        assertEquals(QueuePairState.ERROR, mine.state());
        assertTrue(Pair.has(a, EventKind.QUEUE_PAIR_FATAL, mine));
    }
}
