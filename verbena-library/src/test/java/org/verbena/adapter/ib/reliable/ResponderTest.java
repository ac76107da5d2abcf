package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** Requests that are executed, come twice, come too early, or find no receive. */
final class ResponderTest {
    private static final RnrTimer TIMER = RnrTimer.atLeast(10);

    private final Exchange wire = new Exchange();

    @AfterEach
    void close() {
        wire.close();
    }

    private static byte[] part(byte[] data, int index) {
        return Arrays.copyOfRange(data, index * 256, Math.min(data.length, (index + 1) * 256));
    }

    @Test
    void aSendLandsInTheOldestReceive() {
        byte[] data = Exchange.pattern(100, 1);
        wire.post(
                new WorkRequest.Receive(5, wire.segment(0, 30), wire.segment(1000, 200)),
                new WorkRequest.Receive(6, wire.segment(2000, 200)));
        wire.peerSends(WirePacket.sendOnly(0, data).asking());
        wire.adapterSends(WirePacket.ack(0, 1));
        Completion completion = wire.completion();
        assertEquals(5, completion.id());
        assertEquals(Operation.RECEIVE, completion.operation());
        assertEquals(100, completion.byteLength());
        assertNull(completion.immediate());
        assertArrayEquals(Arrays.copyOf(data, 30), wire.bytesAt(0, 30));
        assertArrayEquals(Arrays.copyOfRange(data, 30, 100), wire.bytesAt(1000, 70));
        assertEquals(List.of(EventKind.COMMUNICATION_ESTABLISHED), wire.events());
    }

    @Test
    void aSendOfSeveralPacketsCompletesWithItsLast() {
        byte[] data = Exchange.pattern(700, 2);
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 700)));
        wire.peerSends(
                WirePacket.send(Opcode.RC_SEND_FIRST, 0, part(data, 0)),
                WirePacket.send(Opcode.RC_SEND_MIDDLE, 1, part(data, 1)));
        wire.complete();
        wire.adapterIsSilent();
        wire.peerSends(WirePacket.send(Opcode.RC_SEND_LAST_WITH_IMMEDIATE, 2, part(data, 2))
                .with(0xfeed)
                .asking());
        wire.adapterSends(WirePacket.ack(2, 1));
        Completion completion = wire.completion();
        assertEquals(700, completion.byteLength());
        assertEquals(0xfeed, completion.immediate());
        assertArrayEquals(data, wire.bytesAt(0, 700));
    }

    @Test
    void onlyWhoAsksGetsAnAcknowledgementAndItAnswersEverythingBefore() {
        wire.peerSends(
                WirePacket.writeOnly(0, wire.reth(0, 4), new byte[4]),
                WirePacket.writeOnly(1, wire.reth(0, 4), new byte[4]));
        wire.adapterIsSilent();
        wire.peerSends(WirePacket.writeOnly(2, wire.reth(0, 4), new byte[4]).asking());
        wire.adapterSends(WirePacket.ack(2, 3));
    }

    @Test
    void manyQuestionsAtOnceGetOneAnswer() {
        wire.peerSendsAtOnce(
                WirePacket.writeOnly(0, wire.reth(0, 4), new byte[4]).asking(),
                WirePacket.writeOnly(1, wire.reth(0, 4), new byte[4]).asking(),
                WirePacket.writeOnly(2, wire.reth(0, 4), new byte[4]).asking());
        wire.adapterSends(WirePacket.ack(2, 3));
    }

    @Test
    void aWriteOfSeveralPacketsGoesWhereItsFirstSaid() {
        byte[] data = Exchange.pattern(600, 3);
        wire.peerSends(
                WirePacket.writeFirst(0, wire.reth(111, 600), part(data, 0)),
                WirePacket.send(Opcode.RC_RDMA_WRITE_MIDDLE, 1, part(data, 1)),
                WirePacket.send(Opcode.RC_RDMA_WRITE_LAST, 2, part(data, 2)).asking());
        wire.adapterSends(WirePacket.ack(2, 1));
        wire.complete();
        assertArrayEquals(data, wire.bytesAt(111, 600));
        assertArrayEquals(new byte[111], wire.bytesAt(0, 111));
        assertArrayEquals(new byte[100], wire.bytesAt(711, 100));
    }

    @Test
    void aWriteWithImmediateConsumesAReceiveAndLeavesItsMemoryAlone() {
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 100)));
        wire.peerSends(WirePacket.of(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, 0)
                .to(wire.reth(1000, 3))
                .with(new byte[] {7, 8, 9})
                .with(0xabcd)
                .asking());
        wire.adapterSends(WirePacket.ack(0, 1));
        Completion completion = wire.completion();
        assertEquals(Operation.RECEIVE_WRITE_WITH_IMMEDIATE, completion.operation());
        assertEquals(0xabcd, completion.immediate());
        assertEquals(3, completion.byteLength());
        assertArrayEquals(new byte[100], wire.bytesAt(0, 100));
        assertArrayEquals(new byte[] {7, 8, 9}, wire.bytesAt(1000, 3));
    }

    @Test
    void nothingIsWrittenOrReadAtAnyAddressUnderAnyKey() {
        wire.peerSends(
                WirePacket.writeOnly(0, new Reth(-5, 0x666, 0), new byte[0]).asking());
        wire.adapterSends(WirePacket.ack(0, 1));
        wire.peerSends(WirePacket.readRequest(1, new Reth(-5, 0x666, 0)).asking());
        wire.adapterSends(WirePacket.readResponseOnly(1, 2, new byte[0]));
    }

    @Test
    void aReadIsAnsweredWithItsData() {
        byte[] data = wire.fill(50, 600, 4);
        wire.peerSends(WirePacket.readRequest(0, wire.reth(50, 600)).asking());
        wire.adapterSends(
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 0, 1, part(data, 0)),
                WirePacket.readResponseMiddle(1, part(data, 1)),
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_LAST, 2, 1, part(data, 2)));
        wire.peerSends(WirePacket.writeOnly(3, wire.reth(0, 1), new byte[1]).asking());
        wire.adapterSends(WirePacket.ack(3, 2));
    }

    @Test
    void answersKeepTheOrderOfRequests() {
        wire.fill(0, 8, 5);
        wire.peerSendsAtOnce(
                WirePacket.writeOnly(0, wire.reth(100, 1), new byte[1]).asking(),
                WirePacket.readRequest(1, wire.reth(0, 300)).asking(),
                WirePacket.fetchAdd(3, wire.region.address() + 512, wire.region.key(), 9)
                        .asking(),
                WirePacket.writeOnly(4, wire.reth(100, 1), new byte[1]).asking());
        assertEquals(
                List.of(1, 2, 3, 4),
                wire.arrived().stream().map(WirePacket::psn).toList());
    }

    @Test
    void duplicateSendIsAcknowledgedAgainAndNotExecuted() {
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 10)), new WorkRequest.Receive(6, wire.segment(100, 10)));
        WirePacket send = WirePacket.sendOnly(0, Exchange.pattern(10, 1)).asking();
        wire.peerSends(send).adapterSends(WirePacket.ack(0, 1));
        wire.complete(5);
        wire.peerSends(send).adapterSends(WirePacket.ack(0, 1));
        wire.complete();
        assertArrayEquals(new byte[10], wire.bytesAt(100, 10));
        wire.peerSends(WirePacket.sendOnly(1, Exchange.pattern(10, 2)).asking());
        wire.adapterSends(WirePacket.ack(1, 2));
        wire.complete(6);
        assertEquals(1, wire.counted(Counter.DUPLICATE_REQUESTS));
    }

    @Test
    void duplicateWriteIsAcknowledgedAgainAndNotExecuted() {
        WirePacket write = WirePacket.writeOnly(0, wire.reth(0, 10), Exchange.pattern(10, 1))
                .asking();
        wire.peerSends(
                write, WirePacket.writeOnly(1, wire.reth(0, 10), new byte[10]).asking());
        wire.arrived();
        wire.peerSends(write).adapterSends(WirePacket.ack(1, 2));
        assertArrayEquals(new byte[10], wire.bytesAt(0, 10));
    }

    @Test
    void aGapIsToldOnceAndTheRequestsBehindItAreNotExecuted() {
        wire.peerSends(
                WirePacket.writeOnly(1, wire.reth(0, 1), new byte[] {1}).asking(),
                WirePacket.writeOnly(2, wire.reth(0, 1), new byte[] {2}).asking(),
                WirePacket.writeOnly(3, wire.reth(0, 1), new byte[] {3}).asking());
        wire.adapterSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
        assertArrayEquals(new byte[1], wire.bytesAt(0, 1));
        wire.peerSends(WirePacket.writeOnly(0, wire.reth(0, 1), new byte[] {9}).asking());
        wire.adapterSends(WirePacket.ack(0, 1));
        // A second gap is told of again.
        wire.peerSends(WirePacket.writeOnly(2, wire.reth(0, 1), new byte[] {2}).asking());
        wire.adapterSends(WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 1));
        assertArrayEquals(new byte[] {9}, wire.bytesAt(0, 1));
    }

    @Test
    void aGapIsToldAgainWhenWhatWasLostIsSentAgainAndLostAgain() {
        WirePacket second = WirePacket.writeOnly(1, wire.reth(0, 1), new byte[] {1});
        WirePacket third = WirePacket.writeOnly(2, wire.reth(0, 1), new byte[] {2});
        wire.peerSends(second, third).adapterSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
        wire.peerSends(second, third).adapterSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
        // Only the last one came, alone.
        wire.peerSends(third).adapterSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
        assertArrayEquals(new byte[1], wire.bytesAt(0, 1));
    }

    @Test
    void whatFollowsARefusedSendIsDroppedInSilenceUntilItIsSentAgain() {
        WirePacket first = WirePacket.sendOnly(0, new byte[] {1}).asking();
        WirePacket second = WirePacket.sendOnly(1, new byte[] {2}).asking();
        wire.peerSends(first, second).adapterSends(WirePacket.rnrNak(0, TIMER, 0));
        wire.peerSends(second).adapterIsSilent();
        // The first was lost on the second try.
        wire.advance(TIMER.nanoseconds())
                .peerSends(second)
                .adapterSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
    }

    @Test
    void aGapWithinAMessageIsMendedByTheMissingPacketAndThoseBehindIt() {
        byte[] data = Exchange.pattern(700, 6);
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 700)));
        wire.peerSends(
                WirePacket.send(Opcode.RC_SEND_FIRST, 0, part(data, 0)),
                WirePacket.send(Opcode.RC_SEND_LAST, 2, part(data, 2)).asking());
        wire.adapterSends(WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 0));
        wire.peerSends(
                WirePacket.send(Opcode.RC_SEND_MIDDLE, 1, part(data, 1)),
                WirePacket.send(Opcode.RC_SEND_LAST, 2, part(data, 2)).asking());
        wire.adapterSends(WirePacket.ack(2, 1));
        wire.complete(5);
        assertArrayEquals(data, wire.bytesAt(0, 700));
    }

    @Test
    void aSendWithoutAReceiveIsToldToComeAgain() {
        WirePacket first = WirePacket.sendOnly(0, new byte[] {1}).asking();
        WirePacket second = WirePacket.sendOnly(1, new byte[] {2}).asking();
        wire.peerSends(first, second);
        wire.adapterSends(WirePacket.rnrNak(0, TIMER, 0));
        wire.peerSends(first).adapterSends(WirePacket.rnrNak(0, TIMER, 0));
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 1)), new WorkRequest.Receive(6, wire.segment(1, 1)));
        wire.peerSends(first, second).adapterSends(WirePacket.ack(0, 1), WirePacket.ack(1, 2));
        wire.complete(5, 6);
        assertArrayEquals(new byte[] {1, 2}, wire.bytesAt(0, 2));
        assertEquals(2, wire.counted(Counter.SENT_RNR_NAKS));
    }

    /** A peer that was refused several times makes long pauses. */
    @Test
    void aPeerThatWasRefusedOftenIsInvitedWhenAReceiveIsPosted() {
        wire.post(new WorkRequest.Receive(4, wire.segment(0, 1)));
        wire.peerSends(WirePacket.sendOnly(0, new byte[] {1}).asking()).adapterSends(WirePacket.ack(0, 1));
        wire.complete(4);
        WirePacket send = WirePacket.sendOnly(1, new byte[] {2}).asking();
        for (int i = 0; i < MissingReceive.INVITE_AFTER; i++) {
            wire.peerSends(send).adapterSends(WirePacket.rnrNak(1, TIMER, 1));
        }
        wire.advance(1_000_000).adapterIsSilent();
        wire.post(new WorkRequest.Receive(5, wire.segment(1, 1)));
        wire.adapterSends(WirePacket.ack(0, 1));
        wire.post(new WorkRequest.Receive(6, wire.segment(2, 1))).adapterIsSilent();
        wire.peerSends(send).adapterSends(WirePacket.ack(1, 2));
        wire.complete(5);
    }

    @Test
    void aPeerThatWasRefusedSeldomComesByItsTimer() {
        WirePacket send = WirePacket.sendOnly(0, new byte[] {1}).asking();
        for (int i = 0; i < MissingReceive.INVITE_AFTER - 1; i++) {
            wire.peerSends(send).adapterSends(WirePacket.rnrNak(0, TIMER, 0));
        }
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 1))).adapterIsSilent();
        wire.peerSends(send).adapterSends(WirePacket.ack(0, 1));
    }

    /** Linux would take the invitation for the answer to the read. */
    @Test
    void behindAReadNoPeerIsInvitedToAReceive() {
        wire.peerSends(WirePacket.of(Opcode.RC_RDMA_READ_REQUEST, 0).to(wire.reth(0, 1)));
        wire.arrived();
        for (int i = 0; i < MissingReceive.INVITE_AFTER; i++) {
            wire.peerSends(WirePacket.sendOnly(1, new byte[] {1}).asking());
        }
        wire.arrived();
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 1))).adapterIsSilent();
    }

    @Test
    void aWriteWithImmediateWithoutAReceiveWritesNothing() {
        WirePacket write = WirePacket.of(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, 0)
                .to(wire.reth(0, 1))
                .with(new byte[] {5})
                .with(1)
                .asking();
        wire.peerSends(write).adapterSends(WirePacket.rnrNak(0, TIMER, 0));
        assertArrayEquals(new byte[1], wire.bytesAt(0, 1));
        wire.post(new WorkRequest.Receive(5));
        wire.peerSends(write).adapterSends(WirePacket.ack(0, 1));
        wire.complete(5);
        assertArrayEquals(new byte[] {5}, wire.bytesAt(0, 1));
    }

    @Test
    void aLongWriteWithImmediateIsRefusedAndResumedAtItsLastPacket() {
        byte[] data = Exchange.pattern(400, 8);
        WirePacket last = WirePacket.send(Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, 1, part(data, 1))
                .with(77)
                .asking();
        wire.peerSends(WirePacket.writeFirst(0, wire.reth(0, 400), part(data, 0)), last);
        wire.adapterSends(WirePacket.rnrNak(1, TIMER, 0));
        wire.post(new WorkRequest.Receive(5));
        wire.peerSends(last).adapterSends(WirePacket.ack(1, 1));
        Completion completion = wire.completion();
        assertEquals(400, completion.byteLength());
        assertEquals(77, completion.immediate());
        assertArrayEquals(data, wire.bytesAt(0, 400));
    }

    @Test
    void theRefusalCarriesTheTimeTheConnectionWasMadeWith() {
        for (RnrTimer timer : RnrTimer.values()) {
            try (var other = new Exchange(Exchange.USUAL.withRnr(7, timer))) {
                other.peerSends(WirePacket.sendOnly(0, new byte[1]).asking());
                other.adapterSends(WirePacket.rnrNak(0, timer, 0));
            }
        }
    }

    @Test
    void aReceiveWhoseMemoryIsNotItsOwnFailsBothEnds() {
        var region = wire.foreignRegion(EnumSet.allOf(Right.class));
        wire.post(new WorkRequest.Receive(5, LocalSegment.of(region)), new WorkRequest.Receive(6, wire.segment(0, 10)));
        wire.peerSends(WirePacket.sendOnly(0, new byte[4]).asking());
        wire.adapterSends(WirePacket.nak(0, NakCode.REMOTE_OPERATIONAL_ERROR, 0));
        assertEquals(
                List.of(Status.LOCAL_PROTECTION_ERROR, Status.FLUSHED),
                wire.completions().stream().map(Completion::status).toList());
    }

    @Test
    void aZeroLengthSendConsumesAReceive() {
        wire.post(new WorkRequest.Receive(5));
        wire.peerSends(WirePacket.sendOnly(0, new byte[0]).asking());
        wire.adapterSends(WirePacket.ack(0, 1));
        wire.completes(5, Operation.RECEIVE, Status.SUCCESS);
    }

    /** The packet belongs to the connection that the watcher has ended. The new connection takes it when it comes again. */
    @Test
    void aWatcherOfTheFirstPacketMayConnectTheQueuePairAnew() {
        wire.adapter.events().watch(wire.queuePair, kind -> {
            wire.adapter.events().watch(wire.queuePair, null);
            wire.queuePair.reset();
            wire.queuePair.connect(wire.peerAddress(), Exchange.USUAL);
            return wire.queuePair.post(new WorkRequest.Receive(7, wire.segment(0, 8)));
        });
        WirePacket send = WirePacket.sendOnly(0, new byte[] {5}).asking();
        wire.peerSends(send).adapterIsSilent();
        wire.complete();
        wire.peerSends(send).adapterSends(WirePacket.ack(0, 1));
        wire.complete(7);
    }

    /** The receive that the watcher posts is of the new connection: it is not flushed with the old one. */
    @Test
    void aWatcherOfAFailureMayConnectTheQueuePairAnew() {
        WirePacket send = WirePacket.sendOnly(0, new byte[] {5}).asking();
        wire.adapter.events().watch(wire.queuePair, kind -> {
            if (kind != EventKind.COMMUNICATION_ESTABLISHED) {
                wire.adapter.events().watch(wire.queuePair, null);
                wire.queuePair.reset();
                wire.queuePair.connect(wire.peerAddress(), Exchange.USUAL);
                return wire.queuePair.post(new WorkRequest.Receive(7, wire.segment(0, 8)));
            }
            return true;
        });
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 0)));
        wire.peerSends(send);
        wire.completes(5, Operation.RECEIVE, Status.LOCAL_LENGTH_ERROR);
        assertEquals(1, wire.arrived().size(), "refusals");
        wire.peerSends(send).adapterSends(WirePacket.ack(0, 1));
        wire.complete(7);
    }

    @Test
    void numbersWrapAroundWithinAMessage() {
        byte[] data = Exchange.pattern(10 * 256, 1);
        wire.post(new WorkRequest.Receive(5, wire.segment(0, data.length)));
        for (int i = 0; i < 10; i++) {
            Opcode opcode = i == 0 ? Opcode.RC_SEND_FIRST : i == 9 ? Opcode.RC_SEND_LAST : Opcode.RC_SEND_MIDDLE;
            wire.peerSends(WirePacket.send(opcode, i, part(data, i)).asking());
        }
        assertEquals(
                List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
                wire.arrived().stream().map(WirePacket::psn).toList());
        wire.complete(5);
        assertArrayEquals(data, wire.bytesAt(0, data.length));
    }
}
