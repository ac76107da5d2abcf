package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.memory.Region;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Reth;

/**
 * The requester: requests leave in order and with consecutive numbers; window, outstanding reads, fence and draining hold them
 * back; they leave again from the oldest that is not answered; a local error fails the request in its turn.
 */
final class RequesterTest {
    private static final int KEY = Exchange.remote(0).key();

    private final List<Exchange> open = new ArrayList<>();

    private Exchange exchange() {
        return exchange(16);
    }

    private Exchange exchange(int outstandingReads) {
        var exchange = new Exchange(Exchange.USUAL.withReads(outstandingReads, 16));
        open.add(exchange);
        return exchange;
    }

    @AfterEach
    void closeAll() {
        open.forEach(Exchange::close);
    }

    private static WorkRequest.Read read(Exchange wire, long id, int length, SendOptions options) {
        return new WorkRequest.Read(id, List.of(wire.segment(0, length)), Exchange.remote(0), options);
    }

    private static WorkRequest.Send small(long id, SendOptions options) {
        return new WorkRequest.Send(id, Payload.inline(new byte[] {(byte) id}), options);
    }

    private static WirePacket smallOnWire(int psn, int id) {
        return WirePacket.sendOnly(psn, new byte[] {(byte) id}).asking();
    }

    @Test
    void requestsLeaveInTheOrderOfPostingWithConsecutiveNumbers() {
        Exchange wire = exchange();
        wire.post(small(7, SendOptions.SIGNALLED), small(8, SendOptions.SIGNALLED));
        wire.post(read(wire, 9, 600, SendOptions.SIGNALLED));
        wire.post(small(10, SendOptions.SIGNALLED));
        wire.adapterSends(
                smallOnWire(0, 7),
                smallOnWire(1, 8),
                WirePacket.readRequest(2, new Reth(0, KEY, 600)).asking(),
                smallOnWire(5, 10));
    }

    @Test
    void everythingThatIsNotAnsweredLeavesAgainWithItsOldNumbers() {
        Exchange wire = exchange(2);
        wire.post(small(1, SendOptions.SIGNALLED));
        wire.post(read(wire, 2, 8, SendOptions.SIGNALLED), read(wire, 3, 8, SendOptions.SIGNALLED));
        wire.post(small(4, SendOptions.SIGNALLED));
        wire.arrived();
        wire.peerSends(WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 1));
        wire.adapterSends(
                WirePacket.readRequest(1, new Reth(0, KEY, 8)).asking(),
                WirePacket.readRequest(2, new Reth(0, KEY, 8)).asking(),
                smallOnWire(3, 4));
        wire.complete(1);
        assertEquals(3, wire.counted(Counter.RETRANSMITTED_PACKETS));
    }

    @Test
    void aRequestThatIsPostedWhileOthersLeaveAgainHasTheNextFreshNumber() {
        Exchange wire = exchange();
        wire.post(small(1, SendOptions.SIGNALLED), small(2, SendOptions.SIGNALLED));
        wire.arrived();
        wire.peerSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0)).post(small(3, SendOptions.SIGNALLED));
        wire.adapterSends(smallOnWire(0, 1), smallOnWire(1, 2), smallOnWire(2, 3));
    }

    @Test
    void localWorkTakesNoNumberAndCompletesInItsTurn() {
        Exchange wire = exchange();
        Region reserved =
                wire.adapter.reserve(wire.domain, wire.memory.asSlice(0, 4096), EnumSet.of(Right.LOCAL_WRITE));
        wire.post(small(1, SendOptions.SIGNALLED));
        wire.post(new WorkRequest.Register(2, reserved.key(), SendOptions.SIGNALLED));
        wire.post(small(3, SendOptions.SIGNALLED));
        wire.adapterSends(smallOnWire(0, 1), smallOnWire(1, 3));
        wire.complete();
        wire.peerSends(WirePacket.ack(0, 1)).complete(1, 2);
        wire.peerSends(WirePacket.ack(1, 2)).complete(3);
    }

    @Test
    void noMoreThanTheWindowIsOnItsWay() {
        Exchange wire = exchange();
        wire.post(new WorkRequest.Write(1, wire.segment(0, 1 << 20), Exchange.remote(0)));
        List<WirePacket> first = wire.arrived();
        assertEquals(Congestion.WINDOW_FIRST, first.size());
        assertTrue(first.getLast().ackRequest(), "the last packet of a full window asks for an answer");
        wire.peerSends(WirePacket.ack(15, 0));
        // Sixteen are answered and the window opens by as many.
        assertEquals(32, wire.arrived().size());
    }

    @Test
    void theWindowNeverGrowsBeyondItsLimit() {
        Exchange wire = exchange();
        wire.post(new WorkRequest.Write(1, wire.segment(0, 1 << 20), Exchange.remote(0)));
        int acked = -1;
        int sent = wire.arrived().size() - 1;
        while (sent < 4095) {
            acked = sent;
            wire.peerSends(WirePacket.ack(acked, 0));
            sent += wire.arrived().size();
            assertTrue(sent - acked <= Congestion.WINDOW_MAX, () -> "window too wide");
        }
        assertEquals(4095, sent);
    }

    @Test
    void onlySoManyReadsAreOutstanding() {
        Exchange wire = exchange(2);
        for (int i = 0; i < 4; i++) {
            wire.post(read(wire, i, 8, SendOptions.SIGNALLED));
        }
        wire.adapterSends(
                WirePacket.readRequest(0, new Reth(0, KEY, 8)).asking(),
                WirePacket.readRequest(1, new Reth(0, KEY, 8)).asking());
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]));
        wire.adapterSends(WirePacket.readRequest(2, new Reth(0, KEY, 8)).asking());
        wire.peerSends(WirePacket.readResponseOnly(1, 2, new byte[8]), WirePacket.readResponseOnly(2, 3, new byte[8]));
        wire.adapterSends(WirePacket.readRequest(3, new Reth(0, KEY, 8)).asking());
        wire.peerSends(WirePacket.readResponseOnly(3, 4, new byte[8]));
        wire.complete(0, 1, 2, 3);
    }

    @Test
    void atomicsCountAsReads() {
        Exchange wire = exchange(1);
        wire.post(
                new WorkRequest.FetchAdd(1, wire.segment(0, 8), Exchange.remote(0), 1, SendOptions.SIGNALLED),
                new WorkRequest.CompareSwap(2, wire.segment(8, 8), Exchange.remote(0), 1, 2, SendOptions.SIGNALLED));
        wire.adapterSends(WirePacket.fetchAdd(0, 0, KEY, 1).asking());
        wire.peerSends(WirePacket.atomicAck(0, 1, 0));
        wire.adapterSends(WirePacket.compareSwap(1, 0, KEY, 1, 2).asking());
    }

    @Test
    void sendsDoNotPassAReadThatWaitsForItsTurn() {
        Exchange wire = exchange(1);
        wire.post(read(wire, 1, 8, SendOptions.SIGNALLED), read(wire, 2, 8, SendOptions.SIGNALLED));
        wire.post(small(3, SendOptions.SIGNALLED));
        wire.adapterSends(WirePacket.readRequest(0, new Reth(0, KEY, 8)).asking());
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]));
        wire.adapterSends(WirePacket.readRequest(1, new Reth(0, KEY, 8)).asking(), smallOnWire(2, 3));
    }

    @Test
    void aReadOnAConnectionWithoutReadsFailsInPlaceOfWaitingForEver() {
        Exchange wire = exchange(0);
        wire.post(read(wire, 1, 8, SendOptions.SIGNALLED));
        wire.adapterIsSilent();
        wire.completes(1, Operation.READ, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
    }

    @Test
    void aFencedRequestWaitsForTheReadsBeforeIt() {
        Exchange wire = exchange();
        wire.post(read(wire, 1, 8, SendOptions.SIGNALLED));
        wire.post(small(2, SendOptions.SIGNALLED), small(3, SendOptions.SIGNALLED.withFence()));
        wire.post(small(4, SendOptions.SIGNALLED));
        wire.adapterSends(WirePacket.readRequest(0, new Reth(0, KEY, 8)).asking(), smallOnWire(1, 2));
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]));
        wire.adapterSends(smallOnWire(2, 3), smallOnWire(3, 4));
    }

    @Test
    void aFenceDoesNotWaitForSendsAndWrites() {
        Exchange wire = exchange();
        wire.post(small(1, SendOptions.SIGNALLED), small(2, SendOptions.SIGNALLED.withFence()));
        wire.adapterSends(smallOnWire(0, 1), smallOnWire(1, 2));
    }

    @Test
    void drainingFinishesWhatIsBegunAndBeginsNothing() {
        Exchange wire = exchange();
        wire.post(new WorkRequest.Write(1, wire.segment(0, 100 * 256), Exchange.remote(0)));
        assertEquals(64, wire.arrived().size());
        wire.queuePair.drain();
        wire.post(small(2, SendOptions.SIGNALLED));
        wire.adapterIsSilent();
        wire.peerSends(WirePacket.ack(63, 0));
        assertEquals(36, wire.arrived().size());
        assertEquals(List.of(), wire.events());
        wire.peerSends(WirePacket.ack(99, 1));
        wire.complete(1);
        wire.adapterIsSilent();
        assertEquals(List.of(EventKind.SEND_QUEUE_DRAINED), wire.events());
        assertEquals(QueuePairState.SEND_QUEUE_DRAINED, wire.queuePair.state());
        wire.queuePair.resume();
        wire.run();
        wire.adapterSends(smallOnWire(100, 2));
        assertEquals(List.of(), wire.events());
    }

    @Test
    void drainingWithNothingUnderWayIsToldAtOnce() {
        Exchange wire = exchange();
        wire.queuePair.drain();
        wire.run();
        assertEquals(List.of(EventKind.SEND_QUEUE_DRAINED), wire.events());
        wire.run();
        assertEquals(List.of(), wire.events());
    }

    @Test
    void aDrainedQueueStillAnswers() {
        Exchange wire = exchange();
        wire.queuePair.drain();
        wire.peerSends(WirePacket.writeOnly(0, wire.reth(0, 4), new byte[4]).asking());
        wire.adapterSends(WirePacket.ack(0, 1));
    }

    @Test
    void aLocalKeyThatIsWrongFailsTheRequestAfterThoseBeforeIt() {
        Exchange wire = exchange();
        wire.post(small(1, SendOptions.SIGNALLED));
        wire.post(new WorkRequest.Send(2, new LocalSegment(0, 10, 0x7777)));
        wire.post(small(3, SendOptions.SIGNALLED));
        wire.adapterSends(smallOnWire(0, 1));
        assertEquals(List.of(), wire.completions());
        wire.peerSends(WirePacket.ack(0, 1));
        assertEquals(
                List.of(Status.SUCCESS, Status.LOCAL_PROTECTION_ERROR, Status.FLUSHED),
                wire.completions().stream().map(Completion::status).toList());
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
        assertEquals(List.of(EventKind.QUEUE_PAIR_FATAL), wire.events());
    }

    @Test
    void aRequestBeforeOneThatCannotBeDoneIsStillSentAgainWhenLost() {
        Exchange wire = exchange();
        wire.post(small(1, SendOptions.SIGNALLED));
        wire.post(new WorkRequest.Send(2, new LocalSegment(0, 10, 0x7777)));
        wire.adapterSends(smallOnWire(0, 1));
        wire.pass(10_000_000, 100_000);
        List<WirePacket> again = wire.arrived();
        assertTrue(again.size() >= 1 && again.getFirst().equals(smallOnWire(0, 1)), again::toString);
        wire.peerSends(WirePacket.ack(0, 1));
        assertEquals(
                List.of(Status.SUCCESS, Status.LOCAL_PROTECTION_ERROR),
                wire.completions().stream().map(Completion::status).toList());
    }

    @Test
    void aLandingPlaceThatMayNotBeWrittenFailsTheReadBeforeAnythingLeaves() {
        Exchange wire = exchange();
        wire.post(new WorkRequest.Read(1, wire.segment(Exchange.MEMORY - 4, 8), Exchange.remote(0)));
        wire.adapterIsSilent();
        wire.completes(1, Operation.READ, Status.LOCAL_PROTECTION_ERROR);
    }

    @Test
    void aMessageWhoseSecondHalfMayNotBeReadSendsNothing() {
        Exchange wire = exchange();
        wire.post(new WorkRequest.Send(1, wire.segment(0, 256), new LocalSegment(wire.region.address(), 256, 0x7777)));
        assertEquals(List.of(), wire.arrived());
        wire.completes(1, Operation.SEND, Status.LOCAL_PROTECTION_ERROR);
    }

    @Test
    void aMessageWhoseMemoryGoesAwayUnderWayFailsInTheMiddle() {
        Exchange wire = exchange();
        wire.post(new WorkRequest.Send(1, wire.segment(0, 256 * 1000)));
        int sent = wire.arrived().size();
        assertEquals(Congestion.WINDOW_FIRST, sent);
        wire.region.close();
        wire.peerSends(WirePacket.ack(sent - 1, 0));
        assertEquals(List.of(), wire.arrived());
        wire.completes(1, Operation.SEND, Status.LOCAL_PROTECTION_ERROR);
    }
}
