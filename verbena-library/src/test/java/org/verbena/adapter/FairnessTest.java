package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.exchange.Exchange;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.memory.Region;
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
        takeTurns(Mtu.MTU_256, Limits.TRANSMIT_PER_QUEUE_PAIR);
    }

    /** A large packet is as much as several small ones. */
    @Test
    void turnsOfLargePacketsAreShorter() {
        takeTurns(Mtu.MTU_4096, Limits.TRANSMIT_PER_QUEUE_PAIR / 4);
    }

    private static void takeTurns(Mtu mtu, int packetsPerTurn) {
        try (var wire = new Exchange()) {
            Link sink = wire.network.open();
            Region region = wire.adapter.register(
                    wire.domain, Arena.ofAuto().allocate(60L * mtu.bytes()), EnumSet.of(Right.LOCAL_READ));
            for (int i = 0; i < COUNT; i++) {
                QueuePair queuePair = wire.adapter.createQueuePair(QueuePairOptions.of(wire.domain, wire.completions));
                queuePair.connect(new QueuePairAddress(Endpoint.of(sink.local()), i, 0), Exchange.USUAL.withMtu(mtu));
                queuePair.post(
                        new WorkRequest.Write(1, LocalSegment.of(region, 0, 60L * mtu.bytes()), Exchange.remote(0)));
            }
            List<Integer> order = new ArrayList<>();
            for (int turn = 0; turn < 1000 && order.size() < COUNT * 60; turn++) {
                wire.adapter.work(wire.clock.nowNs());
                sink.receive(packet -> order.add(Bth.destinationQueuePair(packet.segment(), packet.offset())), 1 << 16);
            }
            assertEquals(COUNT * 60, order.size());
            for (int i = 0; i < COUNT; i++) {
                int first = order.indexOf(i);
                assertTrue(first <= i * packetsPerTurn, "queue pair " + i + " began at " + first);
            }
            sink.close();
        }
    }
}
