package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.link.stream.MemoryStream;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.PlainFraming;
import org.verbena.wire.iwarp.RdmapOpcode;

/** A peer whose unit comes a byte a second: it has one buffer, however long it takes, and another stream of the engine goes on. */
final class SlowUnitTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int LENGTH = 40;

    private final IwarpStand stand = new IwarpStand();

    /** One more queue pair of {@link IwarpStand#a}, with a peer that writes bytes of its own. */
    private MemoryStream slowPeer() {
        MemoryStream[] ends = MemoryStream.pair(1 << 20, 1448, stand.seed, 0);
        stand.a.streams.add(ends[0]);
        QueuePair queuePair = stand.a.adapter.createQueuePair(
                QueuePairOptions.of(stand.a.domain, stand.a.completions).withCapacity(1, 1));
        int number = stand.a.port.add(IwarpStand.PEER, ends[0], IwarpStand.agreement(IwarpStand.CHECKED), true);
        queuePair.connect(new QueuePairAddress(IwarpStand.PEER, number, 0), ConnectionOptions.DEFAULT);
        assertTrue(queuePair.post(new WorkRequest.Receive(9, LocalSegment.of(stand.a.region, 0, LENGTH))));
        return ends[1];
    }

    @Test
    void holdsOneBufferAndTheOtherStreamGoesOn() {
        stand.connect();
        MemoryStream slow = slowPeer();
        PlainFraming framing = new PlainFraming(false, true);
        framing.add(IwarpMessages.send(RdmapOpcode.SEND, true, 0, 1, 0, LENGTH));
        byte[] unit = framing.bytes();
        for (int i = 0; i < unit.length - 1; i++) {
            slow.write(ByteBuffer.wrap(unit, i, 1));
            stand.clock.advance(SECOND_NS);
            stand.run();
            assertEquals(1, stand.a.port.buffersTaken(), "buffers after " + (i + 1) + " bytes");
            stand.a.receive(i, 0, 8);
            stand.b.post(new WorkRequest.Send(100, Payload.of(stand.b.at(0, 8)), IwarpStand.PLAIN));
            stand.run();
            stand.b.expect(100, Operation.SEND, Status.SUCCESS);
            stand.a.expect(i, Operation.RECEIVE, Status.SUCCESS);
        }
        stand.a.expectNone();
        slow.write(ByteBuffer.wrap(unit, unit.length - 1, 1));
        stand.run();
        stand.a.expect(9, Operation.RECEIVE, Status.SUCCESS);
        assertEquals(0, stand.a.port.buffersTaken());
    }
}
