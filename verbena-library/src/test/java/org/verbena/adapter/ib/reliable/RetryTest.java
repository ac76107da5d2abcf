package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.exchange.ColdMemory;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** A requester whose peer does not answer, in virtual time. */
final class RetryTest {
    private static final long TIMEOUT_NS = 50_000_000;
    private static final long STEP_NS = 200_000;

    private static Exchange exchange(int retries) {
        return new Exchange(Exchange.USUAL.withRetries(retries, Duration.ofNanos(TIMEOUT_NS)));
    }

    private static WorkRequest.Send send(int id) {
        return new WorkRequest.Send(id, Payload.inline(new byte[] {(byte) id}), SendOptions.SIGNALLED);
    }

    private static WirePacket sent(int psn, int id) {
        return WirePacket.sendOnly(psn, new byte[] {(byte) id}).asking();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 7})
    void silenceIsBorneForOneTimeOutMoreThanThereAreRetries(int retries) {
        try (Exchange wire = exchange(retries)) {
            wire.post(send(1), send(2));
            wire.pass((retries + 1) * TIMEOUT_NS - STEP_NS, STEP_NS);
            wire.complete();
            assertEquals(retries, wire.counted(Counter.ACK_TIMEOUTS));
            wire.pass(20 * STEP_NS, STEP_NS);
            assertEquals(
                    List.of(Status.RETRY_EXCEEDED, Status.FLUSHED),
                    wire.completions().stream().map(Completion::status).toList());
            assertEquals(QueuePairState.ERROR, wire.queuePair.state());
            assertEquals(1, wire.counted(Counter.RETRY_EXCEEDED));
            assertEquals(List.of(EventKind.QUEUE_PAIR_FATAL), wire.events());
            wire.arrived();
            wire.pass(10 * TIMEOUT_NS, TIMEOUT_NS).adapterIsSilent();
        }
    }

    @Test
    void aProbeSendsAgainBeforeTheTimeOutAndIsNoRetry() {
        try (Exchange wire = exchange(0)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.pass(TIMEOUT_NS - STEP_NS, STEP_NS);
            List<WirePacket> again = wire.arrived();
            assertTrue(again.size() >= 2, () -> "probes: " + again);
            again.forEach(packet -> assertEquals(sent(0, 1), packet));
            assertEquals(0, wire.counted(Counter.ACK_TIMEOUTS));
            assertEquals(again.size(), wire.counted(Counter.PROBES));
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
        }
    }

    @Test
    void aLostAcknowledgementIsAskedForByTheNextProbe() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1), send(2));
            wire.arrived();
            wire.pass(RoundTrip.PROBE_FIRST_NS + 2 * STEP_NS, STEP_NS);
            assertEquals(sent(0, 1), wire.arrived().getFirst());
            // The peer has received both and acknowledges once more.
            wire.peerSends(WirePacket.ack(1, 2)).complete(1, 2);
        }
    }

    @Test
    void anAnswerGivesTheRetriesAndTheTimeBack() {
        try (Exchange wire = exchange(1)) {
            for (int id = 0; id < 6; id++) {
                wire.post(send(id));
                wire.pass(TIMEOUT_NS + TIMEOUT_NS / 2, STEP_NS);
                wire.peerSends(WirePacket.ack(id, id + 1)).complete(id);
            }
            assertEquals(6, wire.counted(Counter.ACK_TIMEOUTS));
        }
    }

    @Test
    void aTimeOutOfZeroWaitsForEver() {
        try (Exchange wire = new Exchange(Exchange.USUAL.withRetries(0, Duration.ZERO))) {
            wire.post(send(1));
            wire.pass(600_000_000_000L, 100_000_000);
            wire.complete();
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
        }
    }

    @Test
    void nothingOutstandingMeansNoTimer() {
        try (Exchange wire = exchange(0)) {
            wire.post(send(1)).peerSends(WirePacket.ack(0, 1)).complete(1);
            wire.arrived();
            wire.pass(10 * TIMEOUT_NS, TIMEOUT_NS / 7).adapterIsSilent();
            assertEquals(QueuePairState.READY_TO_SEND, wire.queuePair.state());
        }
    }

    @Test
    void aReadThatIsNeverAnsweredGivesUp() {
        try (Exchange wire = exchange(2)) {
            wire.post(new WorkRequest.Read(1, wire.segment(0, 1000), Exchange.remote(0)));
            wire.pass(4 * TIMEOUT_NS, STEP_NS);
            wire.completes(1, Operation.READ, Status.RETRY_EXCEEDED);
        }
    }

    @Test
    void silenceMakesTheWindowSmallAndAnswersOpenItAgain() {
        try (Exchange wire = exchange(7)) {
            wire.post(new WorkRequest.Write(1, wire.segment(0, 1 << 20), Exchange.remote(0)));
            assertEquals(Congestion.WINDOW_FIRST, wire.arrived().size());
            wire.pass(RoundTrip.PROBE_FIRST_NS + 2 * STEP_NS, STEP_NS);
            assertEquals(Congestion.WINDOW_MIN, wire.arrived().size());
            wire.peerSends(WirePacket.ack(1, 0));
            assertTrue(wire.arrived().size() > Congestion.WINDOW_MIN);
        }
    }

    @Test
    void afterAnAnswerTheNextProbeComesAfterOneSilenceHowEverManyThereWere() {
        try (Exchange wire = new Exchange(Exchange.USUAL.withRetries(7, Duration.ofSeconds(1)))) {
            wire.post(send(1), send(2));
            // After the fourth probe the next one is due in 16 times as long.
            wire.pass(16 * RoundTrip.PROBE_FIRST_NS, STEP_NS);
            assertEquals(4, wire.counted(Counter.PROBES));
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
            wire.pass(Patience.CALM_MAX_NS + 2 * STEP_NS, STEP_NS);
            assertEquals(5, wire.counted(Counter.PROBES));
        }
    }

    private static void probe(Exchange wire) {
        long before = wire.counted(Counter.PROBES);
        for (long passedNs = 0; before == wire.counted(Counter.PROBES); passedNs += STEP_NS / 10) {
            assertTrue(passedNs < TIMEOUT_NS, "the peer is not asked");
            wire.advance(STEP_NS / 10);
        }
    }

    @Test
    void aRequesterThatGoesOnAwaitsTheAnswersThatAreMissing() {
        try (Exchange wire = exchange(0)) {
            wire.post(send(1), send(2), send(3));
            probe(wire);
            wire.arrived();
            wire.advance(2 * Patience.AT_ONCE_NS);
            wire.peerSends(WirePacket.ack(0, 1)).adapterIsSilent().complete(1);
            probe(wire);
            assertEquals(sent(1, 2), wire.arrived().getFirst());
            wire.pass(TIMEOUT_NS, STEP_NS);
            assertEquals(
                    List.of(Status.RETRY_EXCEEDED, Status.FLUSHED),
                    wire.completions().stream().map(Completion::status).toList());
        }
    }

    /** The time for an answer does not run while a packet that is sent again waits for its page. */
    @Test
    void aRequesterThatGoesOnWhileItWaitsForAPageAwaitsTheAnswersThatAreMissing() {
        try (Exchange wire = exchange(0);
                ColdMemory cold =
                        new ColdMemory(wire, 64, Duration.ofSeconds(10).toNanos())) {
            wire.post(
                    new WorkRequest.Send(1, Payload.of(cold.segment(ColdMemory.PAGE, 8)), SendOptions.SIGNALLED),
                    send(2));
            assertEquals(2, wire.arrived().size());
            cold.evict(1);
            probe(wire);
            wire.advance(2 * Patience.AT_ONCE_NS);
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
            wire.adapterIsSilent();
            probe(wire);
            assertEquals(sent(1, 2), wire.arrived().getFirst());
            wire.peerSends(WirePacket.ack(1, 2)).complete(2);
        }
    }

    /** While the engine's thread did not run, the answer may have come. */
    @Test
    void anEngineThatComesLateReceivesOnceMoreBeforeItAsks() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.advance(RoundTrip.PROBE_FIRST_NS + 10 * AnswerWait.LATE_NS).adapterIsSilent();
            wire.advance(AnswerWait.LATE_NS + 10_000).adapterSends(sent(0, 1));
            assertEquals(1, wire.counted(Counter.PROBES));
            wire.advance(2 * RoundTrip.PROBE_FIRST_NS + 10 * AnswerWait.LATE_NS).adapterIsSilent();
            wire.peerSends(WirePacket.ack(0, 1));
            wire.complete(1);
            wire.pass(10 * RoundTrip.PROBE_FIRST_NS, STEP_NS).adapterIsSilent();
            assertEquals(1, wire.counted(Counter.PROBES), "the answer had come meanwhile");
        }
    }
}
