package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Touches;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;

/** Memory that is registered together with the message that tells the peer its key. */
@OverEachWire
final class RegisterAndSendTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);
    private static final int ADDRESS = 0x7000;
    private static final int LENGTH = 10_000;

    private final Pair pair;
    private final Node client;
    private final Node server;
    private final Region region;

    RegisterAndSendTest(Wire wire) {
        pair = new Pair(wire);
        client = pair.a;
        server = pair.b;
        region = server.adapter.reserve(server.domain, 4);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static Payload keyOf(int key) {
        return Payload.inline(ByteBuffer.allocate(4).putInt(key).array());
    }

    private static List<Status> statuses(Node node) {
        return node.drain().stream().map(Completion::status).toList();
    }

    /** The server registers memory and sends its key in one request; the client reads the key out of the message. */
    private int handOver(int key, PreparedMemory memory) {
        client.queuePair.post(new WorkRequest.Receive(1, client.segment(0, 16)));
        server.queuePair.post(new WorkRequest.RegisterAndSend(2, key, memory, keyOf(key), SendOptions.SIGNALLED));
        pair.run();
        List<Completion> done = server.drain();
        assertEquals(1, done.size(), "one request, one completion");
        assertEquals(Status.SUCCESS, done.getFirst().status(), done::toString);
        assertEquals(Operation.SEND, done.getFirst().operation());
        assertEquals(4, done.getFirst().byteLength());
        assertEquals(Operation.RECEIVE, client.drain().getFirst().operation());
        return Integer.reverseBytes(client.memory.get(ValueLayout.JAVA_INT, 0));
    }

    /** The client writes all of the memory, reads it back and takes the key away. */
    private void use(int key, int value) {
        client.memory.asSlice(4096, LENGTH).fill((byte) value);
        server.queuePair.post(new WorkRequest.Receive(3, server.segment(0, 16)));
        client.queuePair.post(new WorkRequest.Write(4, client.segment(4096, LENGTH), new RemoteMemory(ADDRESS, key)));
        client.queuePair.post(new WorkRequest.Read(5, client.segment(32_768, LENGTH), new RemoteMemory(ADDRESS, key)));
        client.queuePair.post(new WorkRequest.SendWithInvalidate(
                6, Payload.inline(new byte[] {1}), key, SendOptions.SIGNALLED.withFence()));
        pair.run();
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS, Status.SUCCESS), statuses(client));
        assertEquals(
                -1,
                client.memory.asSlice(4096, LENGTH).mismatch(client.memory.asSlice(32_768, LENGTH)),
                "what was written is read");
        Completion told = server.drain().getFirst();
        assertEquals(3, told.id());
        assertEquals(Integer.valueOf(key), told.invalidatedKey());
        assertFalse(region.isValid());
    }

    private void assertDead(int key) {
        client.queuePair.post(new WorkRequest.Read(7, client.segment(0, 8), new RemoteMemory(ADDRESS, key)));
        pair.run();
        assertEquals(List.of(Status.REMOTE_ACCESS_ERROR), statuses(client));
        assertEquals(QueuePairState.ERROR, client.queuePair.state());
        assertEquals(QueuePairState.ERROR, server.queuePair.state());
        server.drain();
        pair.reconnect();
    }

    @Test
    void theWholeLoopWithForeignMemory() {
        int first = MemoryKey.next(region.key());
        MemorySegment memory = Arena.ofAuto().allocate(LENGTH, 4096);
        int told = handOver(first, PreparedMemory.of(memory, ADDRESS, ALL));
        assertEquals(first, told);
        use(told, 11);
        assertEquals(11, memory.get(ValueLayout.JAVA_BYTE, LENGTH - 1));
        assertDead(told);

        MemorySegment other = Arena.ofAuto().allocate(LENGTH, 4096);
        int second = handOver(MemoryKey.next(first), PreparedMemory.of(other, ADDRESS, ALL));
        use(second, 22);
        assertEquals(11, memory.get(ValueLayout.JAVA_BYTE, 0), "the first memory is out of reach");
        assertEquals(22, other.get(ValueLayout.JAVA_BYTE, 0));
        assertDead(first);
        assertDead(second);
    }

    @Test
    void theWholeLoopWithManagedMemory() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(3 * LENGTH)) {
            int key = region.key();
            for (int round = 1; round < 4; round++) {
                key = MemoryKey.next(key);
                int told = handOver(key, PreparedMemory.of(memory, 5000, LENGTH, ADDRESS, ALL));
                assertEquals(1, memory.uses());
                use(told, round);
                assertEquals(0, memory.uses());
                byte[] landed = new byte[LENGTH + 2];
                memory.read(4999, MemorySegment.ofArray(landed));
                assertEquals(0, landed[0]);
                assertEquals(round, landed[1]);
                assertEquals(round, landed[LENGTH]);
                assertEquals(0, landed[LENGTH + 1]);
            }
            assertDead(key);
        }
    }

    @Test
    void theMessageMayLieInTheMemoryThatIsRegistered() {
        MemorySegment memory = Arena.ofAuto().allocate(LENGTH, 4096).fill((byte) 7);
        int key = MemoryKey.next(region.key());
        client.queuePair.post(new WorkRequest.Receive(1, client.segment(0, LENGTH)));
        server.queuePair.post(new WorkRequest.RegisterAndSend(
                2,
                key,
                PreparedMemory.of(memory, ADDRESS, ALL),
                Payload.of(new LocalSegment(ADDRESS + 1, LENGTH - 1, key), server.segment(0, 1)),
                SendOptions.UNSIGNALLED));
        pair.run();
        assertEquals(List.of(), server.drain());
        assertEquals(LENGTH, client.drain().getFirst().byteLength());
        assertEquals(7, client.memory.get(ValueLayout.JAVA_BYTE, LENGTH - 2));
        assertEquals(0, client.memory.get(ValueLayout.JAVA_BYTE, LENGTH - 1));
    }

    /** Over RoCE the peer refuses the message until it has a receive, and it is sent again: registered once all the same. */
    @Test
    void aMessageThatIsSentAgainRegistersOnce() {
        int key = MemoryKey.next(region.key());
        var memory = PreparedMemory.of(Arena.ofAuto().allocate(64), ADDRESS, ALL);
        server.queuePair.post(new WorkRequest.RegisterAndSend(2, key, memory, keyOf(key), SendOptions.SIGNALLED));
        pair.run();
        assertTrue(region.isValid());
        pair.pass(20_000_000);
        client.queuePair.post(new WorkRequest.Receive(1, client.segment(0, 16)));
        pair.pass(200_000_000);
        assertEquals(List.of(Status.SUCCESS), statuses(server));
        assertEquals(List.of(Status.SUCCESS), statuses(client));
        assertEquals(key, region.key());
    }

    @Test
    void aKeyForOneMessageIsDeadAfterIt() {
        int key = MemoryKey.next(region.key());
        MemorySegment memory = Arena.ofAuto().allocate(LENGTH, 4096);
        client.queuePair.post(new WorkRequest.Receive(1, client.segment(0, 16)));
        server.queuePair.post(new WorkRequest.RegisterAndSend(
                2,
                key,
                PreparedMemory.of(memory, ADDRESS, ALL),
                Touches.ONE,
                Payload.inline(new byte[] {1}),
                SendOptions.SIGNALLED));
        pair.run();
        client.drain();
        client.queuePair.post(new WorkRequest.Write(4, client.segment(4096, LENGTH), new RemoteMemory(ADDRESS, key)));
        pair.run();
        assertEquals(List.of(Status.SUCCESS), statuses(client));
        assertFalse(region.isValid());
        server.drain();
        assertDead(key);
    }

    @Test
    void aRegionReservedOnMemoryBecomesValidWithTheMessage() {
        MemorySegment memory = Arena.ofAuto().allocate(64);
        Region fixed = server.adapter.reserve(server.domain, memory, ALL);
        client.queuePair.post(new WorkRequest.Receive(1, client.segment(0, 16)));
        server.queuePair.post(new WorkRequest.RegisterAndSend(
                2, fixed.key(), null, Touches.MANY, keyOf(fixed.key()), SendOptions.SIGNALLED));
        pair.run();
        assertEquals(List.of(Status.SUCCESS), statuses(server));
        assertTrue(fixed.isValid());
    }

    /** The registration fails behind a read that is under way: the read is finished, no byte of the message leaves, the request behind is flushed. */
    @ParameterizedTest
    @EnumSource(RegisterFailure.class)
    void nothingIsSentIfTheRegistrationFails(RegisterFailure failure) {
        boolean drains = failure == RegisterFailure.DRAIN;
        QueuePair mine = server.adapter.createQueuePair(
                QueuePairOptions.of(server.domain, server.completions).withRegister(failure));
        QueuePair theirs = client.adapter.createQueuePair(QueuePairOptions.of(client.domain, client.completions));
        Wires.Joined _ = Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(5 * 4096)) {
            theirs.post(new WorkRequest.Receive(1, client.segment(0, 16)));
            mine.post(new WorkRequest.Read(2, server.segment(4096, 20_000), client.remote(4096)));
            mine.post(new WorkRequest.RegisterAndSend(
                    3,
                    region.key(),
                    PreparedMemory.of(memory, 0, 5 * 4096, ADDRESS, ALL),
                    keyOf(1),
                    SendOptions.UNSIGNALLED));
            mine.post(new WorkRequest.Send(4, server.segment(0, 8)));
            pair.run();
            List<Completion> done = server.drain();
            assertEquals(
                    List.of(Status.SUCCESS, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED),
                    done.stream().map(Completion::status).toList());
            assertEquals(Operation.SEND, done.get(1).operation());
            assertEquals(Verdict.NO_ROOM, done.get(1).detail());
            assertEquals(drains ? QueuePairState.SEND_QUEUE_ERROR : QueuePairState.ERROR, mine.state());
            assertEquals(0, memory.uses());
            assertFalse(region.isValid());
            assertEquals(
                    drains || pair.wire == Wire.ROCE ? List.of() : List.of(Status.FLUSHED),
                    statuses(client),
                    "the receive took nothing; a stream that is terminated flushes it");

            if (drains) {
                mine.resume();
                mine.post(new WorkRequest.RegisterAndSend(
                        5,
                        region.key(),
                        PreparedMemory.of(memory, 0, 4 * 4096, ADDRESS, ALL),
                        keyOf(region.key()),
                        SendOptions.SIGNALLED));
                pair.run();
                assertEquals(List.of(Status.SUCCESS), statuses(server));
                assertEquals(List.of(Status.SUCCESS), statuses(client));
                region.close();
            }
        }
    }

    /** The registration is good and the message is not: the request fails as a send does, and the key stays registered. */
    @Test
    void aMessageThatCannotBeSentLeavesTheKeyRegistered() {
        int key = MemoryKey.next(region.key());
        var memory = PreparedMemory.of(Arena.ofAuto().allocate(64), ADDRESS, ALL);
        server.queuePair.post(new WorkRequest.RegisterAndSend(
                2, key, memory, Payload.of(new LocalSegment(ADDRESS, 65, key)), SendOptions.SIGNALLED));
        pair.run();
        Completion refused = server.drain().getFirst();
        assertEquals(Status.LOCAL_PROTECTION_ERROR, refused.status());
        assertEquals(Verdict.OUT_OF_BOUNDS, refused.detail());
        assertEquals(QueuePairState.ERROR, server.queuePair.state());
        assertTrue(region.isValid());
        assertEquals(key, region.key());
    }

    @Test
    void flushedRequestsGiveTheirMemoryBack() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(4096)) {
            server.queuePair.post(new WorkRequest.RegisterAndSend(
                    2,
                    region.key(),
                    PreparedMemory.of(memory, 0, 4096, ADDRESS, ALL),
                    keyOf(1),
                    SendOptions.SIGNALLED));
            assertEquals(1, memory.uses());
            server.queuePair.abort();
            pair.run();
            assertEquals(List.of(Status.FLUSHED), statuses(server));
            assertEquals(0, memory.uses());
            assertFalse(region.isValid());
        }
    }

    @Test
    void aQueuePairThatDoesNotTakeRegistrationsRefusesThePost() {
        QueuePair mine = server.adapter.createQueuePair(QueuePairOptions.of(server.domain, server.completions));
        QueuePair theirs = client.adapter.createQueuePair(QueuePairOptions.of(client.domain, client.completions));
        Wires.Joined _ = Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        var memory = PreparedMemory.of(Arena.ofAuto().allocate(64), ADDRESS, ALL);
        var request = new WorkRequest.RegisterAndSend(2, region.key(), memory, keyOf(1), SendOptions.SIGNALLED);
        String why = assertThrows(IllegalArgumentException.class, () -> mine.post(request))
                .getMessage();
        assertEquals("the queue pair takes no registrations: create it with QueuePairOptions.withRegister", why);
        assertEquals(QueuePairState.READY_TO_SEND, mine.state());
        pair.run();
        assertEquals(List.of(), server.drain());
    }
}
