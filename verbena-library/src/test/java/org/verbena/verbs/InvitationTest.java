package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.exchange.OverSwitches;
import org.verbena.trace.Counter;

/** Two peers that found a shared receive queue empty and pause: each new receive invites one of them. Over RoCE: iWARP has no pauses. */
@OverSwitches
final class InvitationTest {
    private final Pair pair = new Pair();
    private final SharedReceiveQueue shared = pair.b.adapter.createSharedReceiveQueue(16, 2);
    private final List<QueuePair> senders = new ArrayList<>();
    private final List<QueuePair> receivers = new ArrayList<>();

    InvitationTest() {
        for (int i = 0; i < 2; i++) {
            QueuePair sender = pair.a.adapter.createQueuePair(QueuePairOptions.of(pair.a.domain, pair.a.completions));
            QueuePair receiver = pair.b.adapter.createQueuePair(
                    QueuePairOptions.of(pair.b.domain, pair.b.completions).withSharedReceives(shared));
            sender.connect(receiver.address(), ConnectionOptions.DEFAULT);
            receiver.connect(sender.address(), ConnectionOptions.DEFAULT);
            senders.add(sender);
            receivers.add(receiver);
        }
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void receive() {
        assertTrue(shared.post(new WorkRequest.Receive(0, pair.b.segment(0, 100))));
    }

    /** The id is one more than the sender. */
    private void send(int sender) {
        assertTrue(senders.get(sender)
                .post(new WorkRequest.Send(sender + 1, Payload.inline(new byte[1]), SendOptions.SIGNALLED)));
        pair.run();
    }

    /** Both peers make long pauses by then: none would come by its timer. */
    @Test
    void eachReceiveInvitesOneOfThePeersThatWaitLong() {
        send(0);
        send(1);
        for (int i = 0; i < 300; i++) {
            pair.pass(10_000_000);
        }
        Counter refusals = Counter.SENT_RNR_NAKS;
        long before = pair.b.adapter.counters().value(refusals);
        for (int done = 1; done <= 2; done++) {
            receive();
            pair.run();
            assertEquals(1, pair.a.drain().size());
            assertEquals(1, pair.b.drain().size());
            assertEquals(done, pair.b.adapter.counters().value(Counter.SENT_UNSOLICITED_ACKS));
        }
        assertEquals(before, pair.b.adapter.counters().value(refusals));
    }

    @Test
    void aQueuePairThatEndsLeavesItsReceiveToTheNext() {
        send(0);
        send(1);
        for (int i = 0; i < 300; i++) {
            pair.pass(10_000_000);
        }
        receivers.get(0).reset();
        receive();
        pair.run();
        assertEquals(List.of(2L), pair.a.drain().stream().map(Completion::id).toList());
    }
}
