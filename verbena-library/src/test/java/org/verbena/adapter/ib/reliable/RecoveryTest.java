package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.RnrTimer;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;

/** Probes for data that the peer may be unable to send yet, and answers that come to a queue pair which fails by them. */
final class RecoveryTest {
    private static final long PROBE_NS = RoundTrip.PROBE_FIRST_NS;
    private static final long STEP_NS = 200_000;

    private final Exchange wire = new Exchange(Exchange.USUAL.withRetries(7, Duration.ofSeconds(1)));

    @AfterEach
    void close() {
        wire.close();
    }

    private static WorkRequest.Send send(int id) {
        return new WorkRequest.Send(id, Payload.inline(new byte[] {(byte) id}), SendOptions.SIGNALLED);
    }

    /** Silence, until the next probe has left. */
    private void probe() {
        for (long before = wire.counted(Counter.PROBES); before == wire.counted(Counter.PROBES); ) {
            wire.advance(STEP_NS / 10);
        }
    }

    @Test
    void whatIsOnItsWayToASlowPeerIsNotSentAgain() {
        wire.post(new WorkRequest.Write(1, wire.segment(0, 16 * Exchange.MTU), Exchange.remote(0)), send(2));
        assertEquals(17, wire.arrived().size());
        probe();
        assertEquals(Congestion.WINDOW_MIN, wire.arrived().size());
        wire.advance(2 * Patience.AT_ONCE_NS);
        wire.peerSends(WirePacket.ack(7, 0)).adapterIsSilent();
        wire.peerSends(WirePacket.ack(15, 1)).adapterIsSilent().complete(1);
        wire.post(send(3)).peerSends(WirePacket.ack(17, 3)).complete(2, 3);
        assertEquals(1, wire.arrived().size(), "request 3 left once");
    }

    @Test
    void whatIsBehindALostPacketIsSentAgain() {
        wire.post(new WorkRequest.Write(1, wire.segment(0, 16 * Exchange.MTU), Exchange.remote(0)), send(2));
        wire.arrived();
        probe();
        wire.arrived();
        wire.peerSends(WirePacket.ack(7, 0));
        assertEquals(8, wire.arrived().getFirst().psn());
    }

    /** Packets that the peer refused are not on their way, however slow it is afterwards. */
    @Test
    void whatWasRefusedIsSentAgainAfterASlowAnswer() {
        wire.post(new WorkRequest.Write(1, wire.segment(0, 32 * Exchange.MTU), Exchange.remote(0)));
        wire.arrived();
        wire.peerSends(WirePacket.rnrNak(0, RnrTimer.US_640, 0)).advance(2 * RnrTimer.US_640.nanoseconds());
        assertEquals(Congestion.WINDOW_TOLD_MIN, wire.arrived().size());
        probe();
        wire.arrived();
        wire.advance(2 * Patience.AT_ONCE_NS).peerSends(WirePacket.ack(0, 0));
        assertEquals(Congestion.WINDOW_TOLD_MIN, wire.arrived().getFirst().psn());
    }

    @Test
    void readsOnTheirWayToASlowPeerCountAsOutstanding() {
        try (Exchange narrow = new Exchange(Exchange.USUAL.withReads(2, 2))) {
            for (int id = 1; id <= 4; id++) {
                narrow.post(new WorkRequest.Read(id, narrow.segment(0, 8), Exchange.remote(0)));
            }
            assertEquals(2, narrow.arrived().size());
            narrow.pass(PROBE_NS + 2 * STEP_NS, STEP_NS);
            assertEquals(1, narrow.arrived().size(), "the oldest is asked for alone");
            narrow.advance(2 * STEP_NS).peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]));
            assertEquals(
                    List.of(2), narrow.arrived().stream().map(WirePacket::psn).toList());
            for (int psn = 1; psn <= 3; psn++) {
                narrow.peerSends(WirePacket.readResponseOnly(psn, psn + 1, new byte[8]));
            }
            narrow.complete(1, 2, 3, 4);
        }
    }

    /** The peer may wait for a page, in silence. */
    @Test
    void aProbeForAReadComesAfterFourTimesTheSilenceOfTheOneBefore() {
        wire.post(new WorkRequest.Read(1, wire.segment(0, 8), Exchange.remote(0)));
        wire.pass(PROBE_NS + 2 * STEP_NS, STEP_NS);
        assertEquals(1, wire.counted(Counter.PROBES));
        wire.pass(3 * PROBE_NS, STEP_NS);
        assertEquals(1, wire.counted(Counter.PROBES));
        wire.pass(PROBE_NS + 4 * STEP_NS, STEP_NS);
        assertEquals(2, wire.counted(Counter.PROBES));
    }

    @Test
    void aProbeForAReadLeavesTheWindowOpen() {
        wire.post(new WorkRequest.Read(1, wire.segment(0, 8), Exchange.remote(0)));
        wire.post(new WorkRequest.Write(2, wire.segment(0, 1 << 20), Exchange.remote(0)));
        assertEquals(Congestion.WINDOW_FIRST, wire.arrived().size());
        probe();
        assertEquals(1, wire.arrived().size(), "the oldest is asked for alone");
        // The answer follows the probe at once, as if the read was lost: all behind it are sent again.
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]));
        assertTrue(wire.arrived().size() >= Congestion.WINDOW_FIRST);
    }

    /** The NAK completes the request before it. The completion finds no room, so the queue pair fails. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQueuePairThatFailsByANakSendsNothingAgainAndProbesNoMore(boolean rnr) {
        for (int id = 0; id < 1024; id++) {
            wire.post(send(id)).peerSends(WirePacket.ack(id, id + 1));
        }
        wire.post(send(1024), send(1025));
        wire.arrived();
        wire.peerSends(
                rnr
                        ? WirePacket.rnrNak(1025, RnrTimer.US_640, 1025)
                        : WirePacket.nak(1025, NakCode.PSN_SEQUENCE_ERROR, 1025));
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
        assertEquals(List.of(EventKind.COMPLETION_QUEUE_OVERRUN, EventKind.QUEUE_PAIR_FATAL), wire.events());
        wire.pass(Duration.ofSeconds(2).toNanos(), 1_000_000).adapterIsSilent();
        assertEquals(0, wire.counted(Counter.PROBES));
        assertEquals(0, wire.counted(Counter.RESUMED_BY_TIMER));
    }
}
