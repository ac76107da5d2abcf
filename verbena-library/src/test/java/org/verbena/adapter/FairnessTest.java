package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.exchange.Exchange;
import org.verbena.link.Link;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Bth;

/** Queue pairs with work take turns: none sends all of its packets before another's first. */
final class FairnessTest {
    private static final int COUNT = 100;

    @Test
    void everyQueuePairGetsItsTurn() {
        try (var wire = new Exchange()) {
            Link sink = wire.network.open();
            for (int i = 0; i < COUNT; i++) {
                QueuePair queuePair = wire.adapter.createQueuePair(QueuePairOptions.of(wire.domain, wire.completions));
                queuePair.connect(new QueuePairAddress(sink.local(), i, 0), Exchange.USUAL);
                queuePair.post(new WorkRequest.Write(1, LocalSegment.of(wire.region, 0, 60 * 256), Exchange.remote(0)));
            }
            List<Integer> order = new ArrayList<>();
            for (int turn = 0; turn < 1000 && order.size() < COUNT * 60; turn++) {
                wire.adapter.work(wire.clock.nowNs());
                sink.receive(packet -> order.add(Bth.destinationQueuePair(packet.segment(), packet.offset())), 1 << 16);
            }
            assertEquals(COUNT * 60, order.size());
            for (int i = 0; i < COUNT; i++) {
                int first = order.indexOf(i);
                assertTrue(first <= i * Limits.TRANSMIT_PER_QUEUE_PAIR, "queue pair " + i + " began at " + first);
            }
            sink.close();
        }
    }
}
