package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Syndrome;

/** End-to-end credits: a sender that knows how many receives there are does not run into refusals. */
final class CreditsTest {
    private static WirePacket ack(int psn, int msn, int credits) {
        return WirePacket.answer(Opcode.RC_ACKNOWLEDGE, psn, Syndrome.ack(credits), msn);
    }

    private static WorkRequest.Send send(int id) {
        return new WorkRequest.Send(id, Payload.inline(new byte[] {(byte) id}), SendOptions.SIGNALLED);
    }

    @Test
    void aRequesterSendsNoMoreThanItHasCreditsFor() {
        try (var wire = new Exchange()) {
            wire.post(send(0)).peerSends(ack(0, 1, 2));
            wire.arrived();
            wire.post(send(1), send(2), send(3), send(4));
            assertEquals(
                    List.of(1, 2), wire.arrived().stream().map(WirePacket::psn).toList());
            wire.peerSends(ack(2, 3, 1));
            assertEquals(
                    List.of(3), wire.arrived().stream().map(WirePacket::psn).toList());
            wire.peerSends(ack(3, 4, 0));
            // Without a credit one message is tried when nothing else is under way.
            assertEquals(
                    List.of(4), wire.arrived().stream().map(WirePacket::psn).toList());
        }
    }

    @Test
    void writesAndReadsNeedNoCredit() {
        try (var wire = new Exchange()) {
            wire.post(send(0)).peerSends(ack(0, 1, 0));
            wire.post(send(1));
            wire.arrived();
            wire.post(
                    new WorkRequest.Write(2, wire.segment(0, 4), Exchange.remote(0)),
                    new WorkRequest.Read(3, wire.segment(0, 4), Exchange.remote(0)));
            assertEquals(2, wire.arrived().size());
        }
    }

    @Test
    void aResponderTellsHowManyReceivesItHas() {
        try (var wire = new Exchange(Exchange.USUAL.withEndToEndCredits(true))) {
            for (int i = 0; i < 3; i++) {
                wire.post(new WorkRequest.Receive(i, wire.segment(0, 8)));
            }
            wire.peerSends(WirePacket.sendOnly(0, new byte[1]).asking()).adapterSends(ack(0, 1, 2));
            wire.peerSends(WirePacket.sendOnly(1, new byte[1]).asking()).adapterSends(ack(1, 2, 1));
            wire.peerSends(WirePacket.sendOnly(2, new byte[1]).asking()).adapterSends(ack(2, 3, 0));
            // A receive where there was none is news to the peer.
            wire.post(new WorkRequest.Receive(3, wire.segment(0, 8)));
            wire.adapterSends(ack(2, 3, 1));
            wire.post(new WorkRequest.Receive(4, wire.segment(0, 8))).adapterIsSilent();
        }
    }

    @Test
    void manyMessagesPassThroughFewReceivesWithoutARefusal() {
        try (var pair = new Pair(1 << 16, 64, ConnectionOptions.DEFAULT.withEndToEndCredits(true))) {
            int posted = 0;
            int received = 0;
            for (int id = 0; received < 200; id++) {
                while (posted - received < 2) {
                    pair.b.queuePair.post(new WorkRequest.Receive(posted++, pair.b.segment(0, 8)));
                }
                if (id < 200) {
                    pair.a.queuePair.post(
                            new WorkRequest.Send(id, Payload.inline(new byte[] {(byte) id}), SendOptions.UNSIGNALLED));
                }
                pair.pass(100_000);
                for (Completion completion : pair.b.drain()) {
                    assertEquals(received++, completion.id());
                }
            }
            assertEquals((byte) 199, pair.b.memory.get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(0, pair.b.adapter.counters().value(Counter.SENT_RNR_NAKS));
        }
    }
}
