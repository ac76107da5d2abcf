package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.memory.Region;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.TerminateCode;

/** Registration by the send queue over iWARP: with the send that tells the key, taken back by the peer, and both effects of a failure. */
final class IwarpRegisterTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(100, 8);

    private Region reserve(IwarpStand.End end) {
        return end.adapter.reserve(
                end.domain, memory, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE, Right.REMOTE_READ));
    }

    private static WorkRequest.Register register(long id, Region region) {
        return new WorkRequest.Register(id, region.key(), IwarpStand.PLAIN);
    }

    @Test
    void keyGoesToThePeerWithTheSendBehindItAndComesBackInvalidated() {
        IwarpStand stand = new IwarpStand();
        stand.connect();
        Region region = reserve(stand.a);
        stand.b.receive(7, 0, 16);
        stand.a.receive(8, 0, 16);
        stand.a.memory.set(ValueLayout.JAVA_INT, 0, region.key());
        stand.a.post(new WorkRequest.Register(1, region.key(), IwarpStand.PLAIN));
        stand.a.post(new WorkRequest.Send(2, Payload.of(stand.a.at(0, 4)), IwarpStand.PLAIN));
        stand.run();
        stand.a.expect(1, Operation.REGISTER, Status.SUCCESS);
        stand.a.expect(2, Operation.SEND, Status.SUCCESS);
        stand.b.expect(7, Operation.RECEIVE, Status.SUCCESS);
        int told = stand.b.memory.get(ValueLayout.JAVA_INT, 0);
        stand.b.fill(100, 50);
        stand.b.post(new WorkRequest.Write(
                3, Payload.of(stand.b.at(100, 50)), new RemoteMemory(region.address(), told), IwarpStand.PLAIN));
        stand.b.post(new WorkRequest.SendWithInvalidate(4, Payload.of(stand.b.at(0, 1)), told, IwarpStand.PLAIN));
        stand.run();
        stand.b.expect(3, Operation.WRITE, Status.SUCCESS);
        stand.b.expect(4, Operation.SEND_WITH_INVALIDATE, Status.SUCCESS);
        assertEquals(told, stand.a.expect(8, Operation.RECEIVE, Status.SUCCESS).invalidatedKey());
        assertEquals(-1, memory.asSlice(0, 50).mismatch(stand.b.memory.asSlice(100, 50)));
        assertFalse(region.isValid());
        stand.a.post(register(5, region));
        stand.run();
        stand.a.expect(5, Operation.REGISTER, Status.SUCCESS);
        assertTrue(region.isValid(), "registered again");
    }

    @Test
    void regionServesTheVeryNextRequest() {
        IwarpStand stand = new IwarpStand();
        stand.connect();
        Region region = reserve(stand.a);
        memory.set(ValueLayout.JAVA_BYTE, 3, (byte) 77);
        stand.a.post(register(1, region));
        stand.a.post(new WorkRequest.Write(2, LocalSegment.of(region, 3, 1), stand.b.remote(9)));
        stand.run();
        stand.a.expect(1, Operation.REGISTER, Status.SUCCESS);
        stand.a.expect(2, Operation.WRITE, Status.SUCCESS);
        assertEquals(77, stand.b.memory.get(ValueLayout.JAVA_BYTE, 9));
    }

    @Test
    void failedRegistrationEndsTheStreamWithATerminateMessage() {
        IwarpStand stand = new IwarpStand();
        IwarpStand.Peer peer = stand.alone();
        Region region = reserve(stand.a);
        stand.a.receive(9, 0, 10);
        stand.a.post(register(1, region));
        stand.a.post(register(2, region));
        stand.a.post(new WorkRequest.Send(3, Payload.of(stand.a.at(0, 4)), IwarpStand.PLAIN));
        stand.turns(peer);
        stand.a.expect(1, Operation.REGISTER, Status.SUCCESS);
        assertEquals(
                Verdict.ALREADY_VALID,
                stand.a
                        .expect(2, Operation.REGISTER, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR)
                        .detail());
        stand.a.expect(3, Operation.SEND, Status.FLUSHED);
        stand.a.expect(9, Operation.RECEIVE, Status.FLUSHED);
        assertEquals(1, peer.segments.size(), "the terminate message only");
        assertEquals(TerminateCode.RDMAP_CATASTROPHIC, peer.reason());
        assertTrue(peer.ended);
        assertEquals(QueuePairState.ERROR, stand.a.queuePair.state());
    }

    @Test
    void failedRegistrationThatDrainsLeavesTheStreamAlive() {
        IwarpStand stand = new IwarpStand(options -> options.withRegister(RegisterFailure.DRAIN));
        stand.connect();
        Region region = reserve(stand.a);
        stand.a.receive(9, 200, 10);
        stand.b.fill(1000, 40_000);
        stand.a.post(register(1, region));
        stand.a.post(
                new WorkRequest.Read(2, List.of(stand.a.at(1000, 40_000)), stand.b.remote(1000), IwarpStand.PLAIN));
        stand.a.post(register(3, region));
        stand.a.post(new WorkRequest.Send(4, Payload.of(stand.a.at(0, 4)), IwarpStand.PLAIN));
        stand.run();
        stand.a.expect(1, Operation.REGISTER, Status.SUCCESS);
        stand.a.expect(2, Operation.READ, Status.SUCCESS);
        stand.a.expect(3, Operation.REGISTER, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
        stand.a.expect(4, Operation.SEND, Status.FLUSHED);
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, stand.a.queuePair.state());
        assertEquals(-1, stand.a.memory.asSlice(1000, 40_000).mismatch(stand.b.memory.asSlice(1000, 40_000)));

        stand.a.post(new WorkRequest.Send(5, Payload.of(stand.a.at(0, 4)), IwarpStand.PLAIN));
        stand.b.post(new WorkRequest.Send(6, Payload.of(stand.b.at(0, 4)), IwarpStand.PLAIN));
        stand.b.post(new WorkRequest.Read(7, List.of(stand.b.at(50_000, 3000)), stand.a.remote(0), IwarpStand.PLAIN));
        stand.run();
        stand.b.expect(6, Operation.SEND, Status.SUCCESS);
        stand.b.expect(7, Operation.READ, Status.SUCCESS);
        stand.a.expect(5, Operation.SEND, Status.FLUSHED);
        stand.a.expect(9, Operation.RECEIVE, Status.SUCCESS);
        stand.a.expectNone();

        stand.a.queuePair.resume();
        stand.b.receive(10, 0, 10);
        stand.a.post(new WorkRequest.LocalInvalidate(11, region.key(), IwarpStand.PLAIN));
        stand.a.post(register(12, region));
        stand.a.post(new WorkRequest.Send(13, Payload.of(stand.a.at(0, 4)), IwarpStand.PLAIN));
        stand.run();
        stand.a.expect(11, Operation.LOCAL_INVALIDATE, Status.SUCCESS);
        stand.a.expect(12, Operation.REGISTER, Status.SUCCESS);
        stand.a.expect(13, Operation.SEND, Status.SUCCESS);
        stand.b.expect(10, Operation.RECEIVE, Status.SUCCESS);
    }

    @Test
    void otherFailuresEndTheStreamWhateverTheOptionSays() {
        IwarpStand stand = new IwarpStand(options -> options.withRegister(RegisterFailure.DRAIN));
        stand.connect();
        stand.a.post(new WorkRequest.LocalInvalidate(1, stand.a.region.key(), IwarpStand.PLAIN));
        stand.run();
        stand.a.expect(1, Operation.LOCAL_INVALIDATE, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
        assertEquals(QueuePairState.ERROR, stand.a.queuePair.state());
        assertEquals(QueuePairState.ERROR, stand.b.queuePair.state());
    }
}
