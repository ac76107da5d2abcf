package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.exchange.ColdMemory;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** Data to send, and landings of answers, whose pages are missing: the queue pair waits, and sends nothing. */
final class OutboundFaultTest {
    private static final int PAGE = ColdMemory.PAGE;
    private static final long STORE_NS = 100_000;

    private final Exchange wire =
            new Exchange(Exchange.USUAL.withRetries(2, Duration.ofMillis(20)).withReads(4, 16));
    private ColdMemory cold = new ColdMemory(wire, 64, STORE_NS);

    /** From now on the store takes this time. */
    private void storeTakes(long ns) {
        cold.close();
        cold = new ColdMemory(wire, 64, ns);
    }

    @AfterEach
    void nothingIsLeft() {
        wire.queuePair.reset();
        assertEquals(0, wire.adapter.faultsOpen());
        assertEquals(0, wire.adapter.landingsHeld());
        cold.close();
        wire.close();
    }

    private WorkRequest.Send send(long id, long offset, int length) {
        return new WorkRequest.Send(id, Payload.of(cold.segment(offset, length)), SendOptions.SIGNALLED);
    }

    private WorkRequest.Read read(long id, long offset, long length) {
        return new WorkRequest.Read(
                id, List.of(cold.segment(offset, length)), Exchange.remote(0x1000), SendOptions.SIGNALLED);
    }

    // --- gathers

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aSendWaitsWhereItsPageIsMissing(int faulting) {
        long offset = 2L * PAGE - faulting * 256L - 128;
        byte[] data = cold.fill(offset, 1000, 5);
        cold.evict(2);
        wire.post(send(1, offset, 1000));
        assertEquals(faulting, wire.arrived().size(), "what is before it has left");
        wire.advance(STORE_NS - 1000).adapterIsSilent();
        wire.advance(2000);
        List<WirePacket> rest = wire.arrived();
        assertEquals(4 - faulting, rest.size());
        assertArrayEquals(Arrays.copyOfRange(data, 768, 1000), rest.getLast().bytes());
        assertEquals(1, wire.counted(Counter.GATHER_PAGE_FAULTS));
        assertEquals(0, wire.adapter.faultsOpen());
        wire.peerSends(WirePacket.ack(3, 1)).complete(1);
    }

    @Test
    void whatIsPostedBehindItWaitsWithIt() {
        cold.evict(1);
        wire.post(send(1, PAGE, 8), send(2, 0, 8)).adapterIsSilent();
        wire.advance(STORE_NS);
        assertEquals(2, wire.arrived().size());
        wire.peerSends(WirePacket.ack(1, 2)).complete(1, 2);
    }

    @Test
    void noTimeForAnAnswerRunsWhileItWaitsForItsOwnPage() {
        storeTakes(1_000_000_000);
        cold.evict(1);
        wire.post(send(1, PAGE, 8)).pass(999_000_000, 1_000_000).adapterIsSilent();
        wire.advance(2_000_000);
        assertEquals(1, wire.arrived().size());
        assertEquals(0, wire.counted(Counter.ACK_TIMEOUTS));
        wire.peerSends(WirePacket.ack(0, 1)).complete(1);
    }

    @Test
    void aPageThatWentBetweenSendingAndSendingAgainIsWaitedFor() {
        storeTakes(1_000_000_000);
        byte[] data = cold.fill(PAGE, 300, 5);
        wire.post(send(1, PAGE, 300));
        assertEquals(2, wire.arrived().size());
        cold.evict(1);
        wire.peerSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0)).adapterIsSilent();
        wire.pass(999_000_000, 1_000_000).adapterIsSilent();
        assertEquals(0, wire.counted(Counter.ACK_TIMEOUTS));
        wire.advance(2_000_000);
        List<WirePacket> again = wire.arrived();
        assertEquals(2, again.size());
        assertArrayEquals(Arrays.copyOf(data, 256), again.getFirst().bytes());
        wire.peerSends(WirePacket.ack(1, 1)).complete(1);
    }

    @Test
    void aPacketThatWaitsToLeaveAgainKeepsItsFaultWhenThePeerAsksForItOnceMore() {
        storeTakes(4 * RoundTrip.PROBE_FIRST_NS);
        wire.post(send(1, PAGE, 8));
        assertEquals(1, wire.arrived().size());
        cold.evict(1);
        wire.peerSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0)).adapterIsSilent();
        wire.advance(2 * RoundTrip.PROBE_FIRST_NS);
        wire.peerSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0)).adapterIsSilent();
        assertEquals(1, wire.counted(Counter.GATHER_PAGE_FAULTS));
        wire.advance(2 * RoundTrip.PROBE_FIRST_NS);
        assertEquals(1, wire.arrived().size());
        wire.peerSends(WirePacket.ack(0, 1)).complete(1);
    }

    @Test
    void anAnswerThatComesWhileItWaitsToSendAgainEndsTheWait() {
        wire.post(send(1, PAGE, 8), send(2, 0, 8));
        cold.evict(1);
        wire.peerSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
        wire.arrived();
        assertEquals(1, wire.adapter.faultsOpen());
        wire.peerSends(WirePacket.ack(1, 2)).complete(1, 2);
        assertEquals(0, wire.adapter.faultsOpen());
        wire.post(send(3, 0, 8));
        assertEquals(1, wire.arrived().size());
    }

    @Test
    void aLostPageFailsTheRequestThatNeedsIt() {
        cold.evict(1);
        cold.lose();
        wire.post(send(1, 0, 8), send(2, PAGE, 8), send(3, 0, 8));
        assertEquals(1, wire.arrived().size());
        wire.advance(STORE_NS).adapterIsSilent();
        wire.complete();
        wire.peerSends(WirePacket.ack(0, 1));
        List<Completion> all = wire.completions();
        assertEquals(3, all.size());
        assertEquals(Status.SUCCESS, all.get(0).status());
        assertEquals(Status.LOCAL_PROTECTION_ERROR, all.get(1).status());
        assertEquals(Verdict.PAGE_LOST, all.get(1).detail());
        assertEquals(Status.FLUSHED, all.get(2).status());
    }

    @Test
    void aDriverThatNeverAnswersHasATimeLimit() {
        cold.evict(1);
        cold.stall();
        wire.post(send(1, PAGE, 8)).pass(Duration.ofMillis(3990).toNanos(), 10_000_000);
        wire.complete();
        wire.pass(Duration.ofMillis(20).toNanos(), 1_000_000);
        wire.completes(1, Operation.SEND, Status.LOCAL_PROTECTION_ERROR);
        assertEquals(1, wire.counted(Counter.PAGE_FAULT_LIMITS));
    }

    // --- landings

    @Test
    void aReadIsNotAskedForBeforeItsLandingIsThere() {
        cold.evict(1, 2, 3);
        wire.post(read(1, PAGE + 100, 2 * PAGE)).adapterIsSilent();
        assertEquals(1, wire.counted(Counter.LANDING_PAGE_FAULTS));
        wire.advance(STORE_NS);
        assertEquals(1, wire.arrived().size());
        assertEquals(1, wire.adapter.landingsHeld());
        assertEquals(0, wire.adapter.faultsOpen(), "the hold took over from the lease");
        byte[] data = Exchange.pattern(2 * PAGE, 9);
        for (int i = 0; i < 32; i++) {
            byte[] part = Arrays.copyOfRange(data, i * 256, i * 256 + 256);
            Opcode opcode = i == 0 ? Opcode.RC_RDMA_READ_RESPONSE_FIRST : Opcode.RC_RDMA_READ_RESPONSE_LAST;
            wire.peerSends(
                    i == 0 || i == 31
                            ? WirePacket.readResponse(opcode, i, 1, part)
                            : WirePacket.readResponseMiddle(i, part));
        }
        wire.complete(1);
        assertEquals(0, wire.adapter.landingsHeld());
        assertArrayEquals(data, cold.bytesAt(PAGE + 100, 2 * PAGE));
    }

    @Test
    void aReadOfWholePagesNeedsNoFault() {
        cold.evict(1, 2);
        wire.post(read(1, PAGE, 2 * PAGE));
        assertEquals(1, wire.arrived().size());
        assertEquals(0, wire.counted(Counter.LANDING_PAGE_FAULTS));
    }

    @Test
    void eachReadUnderWayHasItsHold() {
        wire.post(read(1, 0, 8), read(2, 8, 8), read(3, 16, 8), read(4, 24, 8), read(5, 32, 8));
        assertEquals(4, wire.arrived().size());
        assertEquals(4, wire.adapter.landingsHeld());
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]));
        assertEquals(1, wire.arrived().size());
        assertEquals(4, wire.adapter.landingsHeld());
        // The second answer is lost: both requests are sent again, and hold their landings anew.
        wire.peerSends(WirePacket.readResponseOnly(2, 3, new byte[8]));
        assertEquals(4, wire.arrived().size());
        assertEquals(4, wire.adapter.landingsHeld());
        for (int i = 1; i < 5; i++) {
            wire.peerSends(WirePacket.readResponseOnly(i, i + 1, new byte[8]));
        }
        wire.complete(1, 2, 3, 4, 5);
        assertEquals(0, wire.adapter.landingsHeld());
    }

    /** After this silence only two requests are sent again, but all may still be answered. */
    @Test
    void holdsLastThroughATimeout() {
        wire.post(read(1, 0, 8), read(2, 8, 8), read(3, 16, 8), read(4, 24, 8));
        while (wire.counted(Counter.ACK_TIMEOUTS) == 0) {
            wire.advance(1_000_000);
        }
        wire.arrived();
        assertEquals(4, wire.adapter.landingsHeld());
        for (int i = 0; i < 4; i++) {
            wire.peerSends(WirePacket.readResponseOnly(i, i + 1, new byte[8]));
            assertEquals(3 - i, wire.adapter.landingsHeld());
        }
        wire.complete(1, 2, 3, 4);
    }

    @Test
    void anAtomicWaitsForItsLandingToo() {
        cold.evict(1);
        wire.post(new WorkRequest.FetchAdd(1, cold.segment(PAGE, 8), Exchange.remote(0x1000), 1, SendOptions.SIGNALLED))
                .adapterIsSilent();
        wire.advance(STORE_NS);
        assertEquals(1, wire.arrived().size());
        assertEquals(1, wire.adapter.landingsHeld());
        wire.peerSends(WirePacket.atomicAck(0, 1, 5)).complete(1);
        assertEquals(5, cold.bytesAt(PAGE, 8)[0]);
        assertEquals(0, wire.adapter.landingsHeld());
    }

    @Test
    void anErrorLetsEverythingGo() {
        cold.evict(1);
        wire.post(read(1, 0, 8), read(2, 8, 8), read(3, PAGE, 8));
        assertEquals(2, wire.adapter.landingsHeld());
        assertEquals(1, wire.adapter.faultsOpen());
        wire.peerSends(WirePacket.nak(0, NakCode.REMOTE_ACCESS_ERROR, 0));
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
        assertEquals(0, wire.adapter.landingsHeld());
        assertEquals(0, wire.adapter.faultsOpen());
    }

    @Test
    void aLateAnswerToAReadThatWentBackIsAsGoodAsLostIfItsPageIsGone() {
        wire.post(read(1, PAGE, 8));
        wire.arrived();
        wire.peerSends(WirePacket.rnrNak(0, RnrTimer.US_640, 0));
        assertEquals(0, wire.adapter.landingsHeld(), "nothing is under way");
        cold.evict(1);
        wire.peerSends(WirePacket.readResponseOnly(0, 1, Exchange.pattern(8, 4)))
                .complete();
        assertEquals(1, wire.counted(Counter.DROPPED_PAGE_FAULT));
        wire.advance(660_000).adapterIsSilent();
        wire.advance(STORE_NS);
        assertEquals(1, wire.arrived().size());
        wire.peerSends(WirePacket.readResponseOnly(0, 1, Exchange.pattern(8, 4)))
                .complete(1);
        assertArrayEquals(Exchange.pattern(8, 4), cold.bytesAt(PAGE, 8));
    }

    // --- answers to reads

    @Test
    void anAnswerWaitsAndThoseBehindItToo() {
        byte[] first = cold.fill(PAGE, 8, 1);
        byte[] second = cold.fill(0, 8, 2);
        cold.evict(1);
        Reth write = cold.reth(64, 8);
        wire.peerSends(
                        WirePacket.readRequest(0, cold.reth(PAGE, 8)),
                        WirePacket.readRequest(1, cold.reth(0, 8)),
                        WirePacket.writeOnly(2, write, first).asking())
                .adapterIsSilent();
        assertArrayEquals(first, cold.bytesAt(64, 8), "requests are taken meanwhile");
        wire.advance(STORE_NS)
                .adapterSends(
                        WirePacket.readResponseOnly(0, 1, first),
                        WirePacket.readResponseOnly(1, 2, second),
                        WirePacket.ack(2, 3));
        assertEquals(1, wire.counted(Counter.RESPONSE_PAGE_FAULTS));
        assertEquals(0, wire.counted(Counter.SENT_FAULT_RNR_NAKS));
        assertEquals(0, wire.adapter.faultsOpen());
    }

    @Test
    void aPeerThatAsksAgainMeanwhileGetsOneAnswer() {
        byte[] data = cold.fill(PAGE - 256, 512, 1);
        cold.evict(1);
        WirePacket request = WirePacket.readRequest(0, cold.reth(PAGE - 256, 512));
        wire.peerSends(request);
        assertEquals(1, wire.arrived().size(), "as far as it goes");
        WirePacket rest = WirePacket.readRequest(1, cold.reth(PAGE, 256));
        wire.peerSends(rest, rest).adapterIsSilent();
        wire.advance(STORE_NS);
        List<WirePacket> answers = wire.arrived();
        assertEquals(1, answers.size());
        assertArrayEquals(Arrays.copyOfRange(data, 256, 512), answers.getFirst().bytes());
        wire.peerSends(request);
        assertEquals(2, wire.arrived().size(), "but all of it when all was asked for");
    }

    @Test
    void aLostPageRefusesTheRead() {
        cold.evict(1);
        cold.lose();
        wire.peerSends(WirePacket.readRequest(0, cold.reth(0, 8)), WirePacket.readRequest(1, cold.reth(PAGE, 8)));
        wire.arrived();
        wire.advance(STORE_NS).adapterSends(WirePacket.nak(1, NakCode.REMOTE_OPERATIONAL_ERROR, 2));
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
    }
}
