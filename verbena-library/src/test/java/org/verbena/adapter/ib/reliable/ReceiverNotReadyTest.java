package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;

/** A requester whose peer is not ready: it waits for the time told, counts tries, and gives up. */
final class ReceiverNotReadyTest {
    private static final RnrTimer TIMER = RnrTimer.atLeast(1000);
    /** A timer may be late by the wheel's ticks, never early. */
    private static final long LATE_NS = 20_000;

    private static Exchange exchange(int rnrRetries) {
        return new Exchange(Exchange.USUAL.withRnr(rnrRetries, TIMER));
    }

    private static WorkRequest.Send send(int id) {
        return new WorkRequest.Send(id, Payload.inline(new byte[] {(byte) id}), SendOptions.SIGNALLED);
    }

    private static WirePacket sent(int psn, int id) {
        return WirePacket.sendOnly(psn, new byte[] {(byte) id}).asking();
    }

    @ParameterizedTest
    @EnumSource(RnrTimer.class)
    void waitsAsLongAsItWasToldAndNotShorter(RnrTimer timer) {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.rnrNak(0, timer, 0));
            wire.pass(timer.nanoseconds() - 1, timer.nanoseconds() / 50 + 1).adapterIsSilent();
            wire.advance(LATE_NS).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
        }
    }

    @Test
    void theNakAcknowledgesWhatIsBeforeItAndHoldsWhatIsBehindIt() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1), send(2), send(3));
            wire.arrived();
            wire.peerSends(WirePacket.rnrNak(1, TIMER, 1));
            wire.complete(1);
            wire.post(send(4)).adapterIsSilent();
            wire.advance(TIMER.nanoseconds() + LATE_NS).adapterSends(sent(1, 2), sent(2, 3), sent(3, 4));
        }
    }

    /** Linux answers the first send with an RNR NAK and the ones behind it with a sequence NAK. */
    @Test
    void aSequenceNakThatFollowsDoesNotCutTheWaitShort() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1), send(2));
            wire.arrived();
            wire.peerSends(WirePacket.rnrNak(0, TIMER, 0), WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
            wire.advance(TIMER.nanoseconds() - 1).adapterIsSilent();
            wire.advance(LATE_NS).adapterSends(sent(0, 1), sent(1, 2));
        }
    }

    @Test
    void theSameNakTwiceCountsOnce() {
        try (Exchange wire = exchange(1)) {
            wire.post(send(1));
            wire.arrived();
            wire.peerSends(WirePacket.rnrNak(0, TIMER, 0), WirePacket.rnrNak(0, TIMER, 0));
            wire.complete();
            assertEquals(QueuePairState.READY_TO_SEND, wire.queuePair.state());
            wire.advance(TIMER.nanoseconds() + LATE_NS).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
        }
    }

    @Test
    void aProbeAfterTheWaitIsCounted() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.rnrNak(0, TIMER, 0));
            wire.advance(TIMER.nanoseconds() + LATE_NS).adapterSends(sent(0, 1));
            assertEquals(0, wire.counted(Counter.RESUMED_BY_PROBE));
            wire.advance(RoundTrip.PROBE_FIRST_NS + LATE_NS).adapterSends(sent(0, 1));
            assertEquals(1, wire.counted(Counter.PROBES));
            assertEquals(1, wire.counted(Counter.RESUMED_BY_PROBE));
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
            wire.post(send(2)).adapterSends(sent(1, 2));
            wire.advance(RoundTrip.PROBE_FIRST_NS + LATE_NS).adapterSends(sent(1, 2));
            assertEquals(2, wire.counted(Counter.PROBES));
            assertEquals(1, wire.counted(Counter.RESUMED_BY_PROBE), "no receiver was waited for");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 6})
    void givesUpAfterSoManyRetries(int retries) {
        try (Exchange wire = exchange(retries)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            for (int i = 0; i < retries; i++) {
                wire.peerSends(WirePacket.rnrNak(0, TIMER, 0));
                wire.complete();
                wire.advance(TIMER.nanoseconds() + LATE_NS).adapterSends(sent(0, 1));
            }
            wire.peerSends(WirePacket.rnrNak(0, TIMER, 0));
            wire.completes(1, Operation.SEND, Status.RNR_RETRY_EXCEEDED);
            assertEquals(QueuePairState.ERROR, wire.queuePair.state());
            assertEquals(1, wire.counted(Counter.RNR_RETRY_EXCEEDED));
        }
    }

    @Test
    void sevenRetriesMeansForEver() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            for (int i = 0; i < 100; i++) {
                wire.peerSends(WirePacket.rnrNak(0, TIMER, 0));
                wire.advance(ReceiverWait.PAUSE_MAX_NS + LATE_NS).adapterSends(sent(0, 1));
            }
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
        }
    }

    /** Time passes, and the peer refuses each packet that comes; returns the number of packets. */
    private static int refusalsIn(Exchange wire, long durationNs) {
        int refusals = 0;
        for (long leftNs = durationNs; leftNs > 0; leftNs -= 20_000) {
            for (WirePacket packet : wire.advance(20_000).arrived()) {
                refusals++;
                wire.peerSends(WirePacket.rnrNak(packet.psn(), RnrTimer.atLeast(10), 0));
            }
        }
        return refusals;
    }

    /** Each wait is no shorter than the peer says, and at most a quarter of the whole wait longer. */
    @Test
    void aPeerWithoutAReceiveIsAskedLessAndLess() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.rnrNak(0, RnrTimer.atLeast(10), 0));
            int first = refusalsIn(wire, 1_000_000);
            assertTrue(first >= 6, () -> first + " tries in the first millisecond");
            int later = refusalsIn(wire, 1_000_000_000);
            assertTrue(later >= 100 && later <= 200, () -> later + " tries in the next second");
            refusalsIn(wire, 100_000_000);
            int slow = refusalsIn(wire, 3_000_000_000L);
            assertTrue(slow >= 28 && slow <= 30, () -> slow + " tries in three seconds of a long wait");
            assertEquals(QueuePairState.READY_TO_SEND, wire.queuePair.state());
        }
    }

    @Test
    void afterProgressThePeerIsAskedOftenAgain() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.rnrNak(0, RnrTimer.atLeast(10), 0));
            refusalsIn(wire, 100_000_000);
            wire.pass(ReceiverWait.PAUSE_MAX_NS, LATE_NS).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
            wire.post(send(2)).adapterSends(sent(1, 2));
            wire.peerSends(WirePacket.rnrNak(1, RnrTimer.atLeast(10), 1));
            wire.advance(2 * LATE_NS).adapterSends(sent(1, 2));
        }
    }

    @Test
    void theConsumerIsToldAfterASecondAndAtLongIntervals() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.rnrNak(0, RnrTimer.atLeast(10), 0));
            refusalsIn(wire, 990_000_000);
            assertEquals(List.of(), wire.events());
            refusalsIn(wire, 20_000_000);
            AsyncEvent event = Objects.requireNonNull(wire.adapter.events().poll());
            assertEquals(EventKind.RECEIVE_MISSING, event.kind());
            assertEquals(wire.queuePair, event.source());
            String peer = wire.peerAddress().endpoint() + " queue pair " + Exchange.PEER_NUMBER;
            assertTrue(event.detail().startsWith(peer + " has not been ready for 1.0 s"), event::detail);
            refusalsIn(wire, 9_900_000_000L);
            assertEquals(List.of(), wire.events());
            refusalsIn(wire, 200_000_000);
            assertEquals(List.of(EventKind.RECEIVE_MISSING), wire.events());
        }
    }

    /** The report does not wait for the next refusal. */
    @Test
    void theConsumerIsToldInTimeOfAPeerThatNamesALongTime() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.rnrNak(0, RnrTimer.atLeast(655_000), 0));
            wire.pass(660_000_000, 1_000_000).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.rnrNak(0, RnrTimer.atLeast(655_000), 0));
            wire.pass(339_000_000, 1_000_000);
            assertEquals(List.of(), wire.events());
            wire.pass(3_000_000, 1_000_000).adapterIsSilent();
            assertEquals(List.of(EventKind.RECEIVE_MISSING), wire.events());
        }
    }

    @Test
    void progressGivesTheRetriesBack() {
        try (Exchange wire = exchange(1)) {
            for (int id = 0; id < 5; id++) {
                wire.post(send(id)).adapterSends(sent(id, id));
                wire.peerSends(WirePacket.rnrNak(id, TIMER, id));
                wire.advance(TIMER.nanoseconds() + LATE_NS).adapterSends(sent(id, id));
                wire.peerSends(WirePacket.ack(id, id + 1)).complete(id);
            }
        }
    }

    @Test
    void whileItWaitsNoTimeOutRuns() {
        try (Exchange wire = new Exchange(Exchange.USUAL.withRnr(7, TIMER).withRetries(0, Duration.ofMillis(5)))) {
            wire.post(send(1));
            wire.arrived();
            wire.peerSends(WirePacket.rnrNak(0, RnrTimer.atLeast(500_000), 0));
            wire.pass(490_000_000, 1_000_000).adapterIsSilent();
            wire.complete();
        }
    }

    @Test
    void thePeersWordEndsTheWait() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1), send(2), send(3));
            wire.arrived();
            wire.peerSends(WirePacket.rnrNak(1, TIMER, 1)).complete(1);
            wire.advance(10_000).adapterIsSilent();
            wire.peerSends(WirePacket.ack(0, 1)).adapterSends(sent(1, 2), sent(2, 3));
            assertEquals(1, wire.counted(Counter.RESUMED_BY_ACK));
            wire.pass(TIMER.nanoseconds() + LATE_NS, 10_000);
            assertEquals(0, wire.counted(Counter.RESUMED_BY_TIMER));
            wire.complete();
        }
    }

    @Test
    void theFirstRequestOfAConnectionIsResumedToo() {
        try (Exchange wire = exchange(7)) {
            wire.post(send(1)).adapterSends(sent(0, 1));
            wire.peerSends(WirePacket.rnrNak(0, TIMER, 0)).adapterIsSilent();
            wire.peerSends(WirePacket.ack(-1, 0)).adapterSends(sent(0, 1));
            wire.complete();
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
        }
    }

    @Test
    void itsWordCompletesNoRead() {
        try (Exchange wire = exchange(7)) {
            wire.post(new WorkRequest.Read(
                    1, List.of(wire.segment(0, 8)), Exchange.remote(0x1000), SendOptions.SIGNALLED));
            wire.post(send(2));
            wire.arrived();
            // The answer to the read was lost: this neither completes it nor resumes the send alone.
            wire.peerSends(WirePacket.rnrNak(1, TIMER, 1), WirePacket.ack(0, 1));
            wire.complete();
            assertEquals(0, wire.counted(Counter.RESUMED_BY_ACK));
        }
    }

    /** An acknowledgement that the refusal overtook looks like an invitation. */
    @Test
    void staleAcknowledgementsDoNotUseUpTheTries() {
        try (Exchange wire = exchange(1)) {
            wire.post(send(1), send(2));
            wire.arrived();
            wire.peerSends(WirePacket.rnrNak(1, TIMER, 1)).complete(1);
            wire.peerSends(WirePacket.ack(0, 1)).adapterSends(sent(1, 2));
            wire.peerSends(WirePacket.rnrNak(1, TIMER, 1)).complete();
            wire.advance(TIMER.nanoseconds() + LATE_NS).adapterSends(sent(1, 2));
            wire.peerSends(WirePacket.ack(1, 2)).complete(2);
        }
    }

    /** A peer that invites and refuses without end is given up. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6})
    void aPeerThatAlwaysCallsAndRefusesIsGivenUp(int retries) {
        try (Exchange wire = exchange(retries)) {
            wire.post(send(1), send(2));
            wire.peerSends(WirePacket.rnrNak(1, TIMER, 1)).complete(1);
            int tries = 0;
            while (wire.queuePair.state() == QueuePairState.READY_TO_SEND && tries < 100) {
                tries++;
                wire.peerSends(WirePacket.ack(0, 1), WirePacket.rnrNak(1, TIMER, 1));
            }
            assertEquals(2 * retries, tries);
            wire.completes(2, Operation.SEND, Status.RNR_RETRY_EXCEEDED);
        }
    }

    @Test
    void aTimeOutAfterTheWaitIsCounted() {
        try (Exchange wire = new Exchange(Exchange.USUAL.withRnr(7, TIMER).withRetries(7, Duration.ofMillis(5)))) {
            wire.post(send(1));
            wire.peerSends(WirePacket.rnrNak(0, TIMER, 0));
            wire.advance(TIMER.nanoseconds() + LATE_NS);
            assertEquals(1, wire.counted(Counter.RESUMED_BY_TIMER));
            wire.pass(6_000_000, 100_000);
            assertEquals(1, wire.counted(Counter.RESUMED_BY_ACK_TIMEOUT));
            wire.peerSends(WirePacket.ack(0, 1)).complete(1);
            wire.post(send(2)).pass(6_000_000, 100_000);
            assertEquals(1, wire.counted(Counter.RESUMED_BY_ACK_TIMEOUT), "no RNR wait was before this one");
        }
    }
}
