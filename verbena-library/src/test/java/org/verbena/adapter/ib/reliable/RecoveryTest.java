package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
        wire.pass(PROBE_NS + 2 * STEP_NS, STEP_NS);
        assertEquals(1, wire.counted(Counter.PROBES));
        assertEquals(Congestion.WINDOW_FIRST, wire.arrived().size());
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
