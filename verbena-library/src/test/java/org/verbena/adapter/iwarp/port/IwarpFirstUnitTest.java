package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.ReadyMessage;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.stream.MemoryStream;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.verbs.Payload;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.TerminateCode;

/** The initiator of a stream sends first: the responder waits for its first unit. */
final class IwarpFirstUnitTest {
    private final IwarpStand stand = new IwarpStand();
    private final IwarpStand.End a = stand.a;
    private final IwarpStand.End b = stand.b;

    @Test
    void responderWithoutAReadyMessageWaitsForTheFirstUnitOfItsPeer() {
        stand.connectResponder();
        b.post(new WorkRequest.Send(1, Payload.of(b.at(0, 100)), IwarpStand.PLAIN));
        a.receive(2, 0, 100);
        stand.run();
        assertNull(b.completions.poll(), "nothing is sent yet");
        a.post(new WorkRequest.Write(3, Payload.of(a.at(0, 10)), b.remote(0), IwarpStand.PLAIN));
        stand.run();
        b.expect(1, Operation.SEND, Status.SUCCESS);
        a.expect(3, Operation.WRITE, Status.SUCCESS);
        a.expect(2, Operation.RECEIVE, Status.SUCCESS);
        assertNull(b.adapter.events().poll(), "the consumer does not wait for it");
    }

    /** The peer's program may wait for the first message itself. */
    @Test
    void responderWithoutAReadyMessageDoesNotWaitForEver() {
        stand.connectResponder();
        b.post(new WorkRequest.Send(1, Payload.of(b.at(0, 100)), IwarpStand.PLAIN));
        a.receive(2, 0, 100);
        stand.run();
        stand.clock.advance(IwarpPort.FIRST_UNIT_NS / 2);
        stand.run();
        assertNull(b.completions.poll(), "nothing is sent yet");
        stand.clock.advance(IwarpPort.FIRST_UNIT_NS);
        stand.run();
        b.expect(1, Operation.SEND, Status.SUCCESS);
        a.expect(2, Operation.RECEIVE, Status.SUCCESS);
    }

    private Region reserve() {
        return b.adapter.reserve(
                b.domain, Arena.ofAuto().allocate(4096, 8), EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
    }

    private WorkRequest.BindWindow bind(long id, Window window) {
        return new WorkRequest.BindWindow(
                id,
                window,
                MemoryKey.next(window.key()),
                b.region,
                b.region.address(),
                8,
                Set.of(Right.REMOTE_WRITE),
                IwarpStand.PLAIN);
    }

    @ParameterizedTest
    @MethodSource("org.verbena.adapter.iwarp.port.IwarpReadyTest#kinds")
    void aHeldResponderDoesItsLocalWork(@Nullable ReadyMessage ready) {
        MemoryStream[] ends = stand.streams();
        b.connect(ends[1], IwarpStand.agreement(IwarpStand.CHECKED, ready), false);
        Region region = reserve();
        Window window = b.adapter.createWindow(b.domain, Window.Type.TYPE_2);
        b.post(new WorkRequest.Register(1, region.key(), IwarpStand.PLAIN));
        b.post(new WorkRequest.LocalInvalidate(2, region.key(), IwarpStand.PLAIN));
        b.post(bind(3, window));
        stand.run();
        b.expect(1, Operation.REGISTER, Status.SUCCESS);
        b.expect(2, Operation.LOCAL_INVALIDATE, Status.SUCCESS);
        b.expect(3, Operation.BIND_WINDOW, Status.SUCCESS);
        assertEquals(0, ends[0].read(ByteBuffer.allocate(100)), "nothing is sent");
    }

    @Test
    void localWorkBehindASendWaitsWithIt() {
        stand.connectResponder();
        Region region = reserve();
        a.receive(9, 0, 10);
        b.post(new WorkRequest.Register(1, region.key(), IwarpStand.PLAIN));
        b.post(new WorkRequest.Send(2, Payload.of(b.at(0, 10)), IwarpStand.PLAIN));
        b.post(new WorkRequest.LocalInvalidate(3, region.key(), IwarpStand.PLAIN));
        stand.run();
        b.expect(1, Operation.REGISTER, Status.SUCCESS);
        b.expectNone();
        assertTrue(region.isValid(), "the send may name the key");
        stand.clock.advance(2 * IwarpPort.FIRST_UNIT_NS);
        stand.run();
        b.expect(2, Operation.SEND, Status.SUCCESS);
        b.expect(3, Operation.LOCAL_INVALIDATE, Status.SUCCESS);
        assertFalse(region.isValid());
    }

    /** Not even a terminate message may come before the initiator's first unit. */
    @Test
    void localWorkThatFailsEndsTheStreamWithoutAWord() {
        IwarpStand.Peer peer = stand.aloneAsResponder(null);
        a.post(new WorkRequest.LocalInvalidate(1, a.region.key() + 1, IwarpStand.PLAIN));
        stand.turns(peer);
        a.expect(1, Operation.LOCAL_INVALIDATE, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
        assertEquals(List.of(), peer.segments);
        assertTrue(peer.ended);
    }

    /** A first unit that is refused has come: its sender is told why. */
    @Test
    void aRefusedFirstUnitIsAnsweredByATerminateMessage() {
        IwarpStand.Peer peer = stand.aloneAsResponder(null);
        peer.write(IwarpMessages.write(a.region.key() + 1, a.region.address(), true, 10));
        stand.turns(peer);
        assertEquals(TerminateCode.DDP_INVALID_STAG, peer.reason());
    }
}
