package org.verbena.adapter.iwarp.association;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.link.association.SimulatedAssociation;
import org.verbena.verbs.Completion;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Every operation over a transport that has messages overtake each other, come twice, and get lost once. */
final class AssociationTest {
    private static final SimulatedAssociation.Way ROUGH = new SimulatedAssociation.Way(5000, 40_000, 60_000, 10, 10);
    private static final SendOptions PLAIN = SendOptions.SIGNALLED;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void segmentsThatOvertakeEachOtherGiveTheSameMemoryAndCompletions(long seed) {
        AssociationStand stand = new AssociationStand(seed);
        stand.connect(ROUGH);
        stand.a.fill(0, 100_000);
        stand.b.fill(150_000, 50_000);
        stand.b.memory.set(ValueLayout.JAVA_LONG, 299_992, 40);
        stand.b.receive(11, 250_000, 9000);
        stand.b.receive(12, 260_000, 100);
        stand.b.receive(13, 270_000, 5000);
        stand.a.post(new WorkRequest.Send(1, Payload.of(stand.a.at(0, 9000)), PLAIN));
        stand.a.post(new WorkRequest.Write(2, Payload.of(stand.a.at(0, 60_000)), stand.b.remote(0), PLAIN));
        stand.a.post(new WorkRequest.Read(
                3, List.of(stand.a.at(150_000, 10_000), stand.a.at(160_000, 40_000)), stand.b.remote(150_000), PLAIN));
        stand.a.post(new WorkRequest.FetchAdd(4, stand.a.at(240_000, 8), stand.b.remote(299_992), 2, PLAIN));
        stand.a.post(new WorkRequest.WriteWithImmediate(
                5, Payload.of(stand.a.at(60_000, 40_000)), stand.b.remote(60_000), 77, PLAIN));
        stand.a.post(new WorkRequest.Send(6, Payload.of(stand.a.at(0, 5000)), PLAIN));
        stand.run(3000);
        stand.a.expect(1, Operation.SEND, Status.SUCCESS);
        stand.a.expect(2, Operation.WRITE, Status.SUCCESS);
        stand.a.expect(3, Operation.READ, Status.SUCCESS);
        stand.a.expect(4, Operation.FETCH_ADD, Status.SUCCESS);
        stand.a.expect(5, Operation.WRITE_WITH_IMMEDIATE, Status.SUCCESS);
        stand.a.expect(6, Operation.SEND, Status.SUCCESS);
        stand.b.expect(11, Operation.RECEIVE, Status.SUCCESS);
        assertEquals(
                77,
                stand.b
                        .expect(12, Operation.RECEIVE_WRITE_WITH_IMMEDIATE, Status.SUCCESS)
                        .immediate());
        stand.b.expect(13, Operation.RECEIVE, Status.SUCCESS);
        assertEquals(-1, stand.a.memory.asSlice(0, 100_000).mismatch(stand.b.memory.asSlice(0, 100_000)));
        assertEquals(-1, stand.a.memory.asSlice(150_000, 50_000).mismatch(stand.b.memory.asSlice(150_000, 50_000)));
        assertEquals(-1, stand.a.memory.asSlice(0, 9000).mismatch(stand.b.memory.asSlice(250_000, 9000)));
        assertEquals(-1, stand.a.memory.asSlice(0, 5000).mismatch(stand.b.memory.asSlice(270_000, 5000)));
        assertEquals(40, stand.a.memory.get(ValueLayout.JAVA_LONG, 240_000));
        assertEquals(42, stand.b.memory.get(ValueLayout.JAVA_LONG, 299_992));
        assertNull(stand.a.completions.poll());
        assertNull(stand.b.completions.poll());
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void aReceivedMessageTellsThatTheWritesBeforeItAreInPlace(long seed) {
        AssociationStand stand = new AssociationStand(seed);
        stand.connect(ROUGH);
        for (int i = 0; i < 20; i++) {
            stand.b.receive(i, 200_000, 8);
        }
        stand.a.fill(0, 100_000);
        for (int i = 0; i < 20; i++) {
            int at = i * 5000;
            stand.a.post(new WorkRequest.Write(i, Payload.of(stand.a.at(at, 5000)), stand.b.remote(at), PLAIN));
            stand.a.post(new WorkRequest.Send(i, Payload.of(stand.a.at(0, 8)), PLAIN));
        }
        int received = 0;
        for (int turn = 0; turn < 5000; turn++) {
            stand.run(1);
            for (Completion each = stand.b.completions.poll(); each != null; each = stand.b.completions.poll()) {
                assertEquals(received, each.id());
                int at = received++ * 5000;
                assertEquals(-1, stand.a.memory.asSlice(at, 5000).mismatch(stand.b.memory.asSlice(at, 5000)));
            }
        }
        assertEquals(20, received);
    }

    @Test
    void aRefusedWriteEndsTheAssociationOnBothSides() {
        AssociationStand stand = new AssociationStand(31);
        stand.connect(ROUGH);
        stand.a.receive(9, 0, 10);
        RemoteMemory wrong = new RemoteMemory(stand.b.region.address(), stand.b.region.key() ^ 0x55);
        stand.a.post(new WorkRequest.Write(1, Payload.of(stand.a.at(0, 5000)), wrong, PLAIN));
        stand.run(1000);
        stand.a.expect(1, Operation.WRITE, Status.SUCCESS);
        stand.a.expect(9, Operation.RECEIVE, Status.FLUSHED);
        assertEquals(QueuePairState.ERROR, stand.a.queuePair.state());
        assertEquals(QueuePairState.ERROR, stand.b.queuePair.state());
        assertTrue(stand.b.memory.asSlice(0, 5000).mismatch(stand.a.memory.asSlice(0, 5000)) == -1);
    }

    @Test
    void theEndOfOneSideFlushesTheOther() {
        AssociationStand stand = new AssociationStand(32);
        stand.connect(ROUGH);
        stand.b.receive(9, 0, 10);
        stand.a.queuePair.close();
        stand.run(1000);
        stand.b.expect(9, Operation.RECEIVE, Status.FLUSHED);
    }
}
