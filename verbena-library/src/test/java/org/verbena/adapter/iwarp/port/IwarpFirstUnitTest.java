package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.verbs.Payload;
import org.verbena.verbs.WorkRequest;

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
}
