package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.RnrTimer;
import org.verbena.Status;
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
import org.verbena.wire.ib.Syndrome;

/** Effects of answers: they retire requests in order, have them sent again, fail them, or have no effect. */
final class CompleterTest {
    private static final int KEY = Exchange.remote(0).key();

    private final Exchange wire = new Exchange();

    @AfterEach
    void close() {
        wire.close();
    }

    private static WorkRequest.Send send(int id) {
        return new WorkRequest.Send(id, Payload.inline(new byte[] {(byte) id}), SendOptions.SIGNALLED);
    }

    private static WirePacket sent(int psn, int id) {
        return WirePacket.sendOnly(psn, new byte[] {(byte) id}).asking();
    }

    private WorkRequest.Read read(int id, int offset, int length) {
        return new WorkRequest.Read(id, wire.segment(offset, length), Exchange.remote(0));
    }

    private WorkRequest.FetchAdd add(int id, int offset) {
        return new WorkRequest.FetchAdd(id, wire.segment(offset, 8), Exchange.remote(0), 1, SendOptions.SIGNALLED);
    }

    private static WirePacket readOnWire(int psn, int length) {
        return WirePacket.readRequest(psn, new Reth(0, KEY, length)).asking();
    }

    private void postThreeSends() {
        wire.post(send(1), send(2), send(3));
        wire.adapterSends(sent(0, 1), sent(1, 2), sent(2, 3));
    }

    @Test
    void oneAcknowledgementAnswersEverythingBeforeIt() {
        postThreeSends();
        wire.peerSends(WirePacket.ack(2, 3));
        wire.complete(1, 2, 3);
    }

    @Test
    void anAcknowledgementInTheMiddleOfAMessageCompletesNothing() {
        wire.post(new WorkRequest.Write(1, wire.segment(0, 3 * 256), Exchange.remote(0)));
        wire.peerSends(WirePacket.ack(1, 0));
        wire.complete();
        wire.peerSends(WirePacket.ack(2, 1));
        wire.complete(1);
    }

    @Test
    void theAnswerToAReadAcknowledgesTheSendsBeforeIt() {
        wire.post(send(1), send(2)).post(read(3, 0, 8)).post(send(4));
        wire.peerSends(WirePacket.readResponseOnly(2, 3, new byte[8]));
        wire.complete(1, 2, 3);
        wire.peerSends(WirePacket.ack(3, 4));
        wire.complete(4);
    }

    @Test
    void completionsComeInTheOrderOfPosting() {
        wire.post(send(1)).post(read(2, 0, 600)).post(add(3, 1000)).post(send(4));
        byte[] data = Exchange.pattern(600, 9);
        wire.peerSends(
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 1, 2, Arrays.copyOf(data, 256)),
                WirePacket.readResponseMiddle(2, Arrays.copyOfRange(data, 256, 512)));
        wire.complete(1);
        wire.peerSends(
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_LAST, 3, 2, Arrays.copyOfRange(data, 512, 600)));
        wire.complete(2);
        assertArrayEquals(data, wire.bytesAt(0, 600));
        wire.peerSends(WirePacket.atomicAck(4, 3, 0x0102_0304_0506_0708L), WirePacket.ack(5, 4));
        wire.complete(3, 4);
        assertEquals(0x0102_0304_0506_0708L, wire.memory.get(ValueLayout.JAVA_LONG, 1000));
    }

    @Test
    void aSequenceNakAcknowledgesWhatIsBeforeItAndSendsTheRestAgain() {
        postThreeSends();
        wire.peerSends(WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 1));
        wire.complete(1);
        wire.adapterSends(sent(1, 2), sent(2, 3));
        wire.peerSends(WirePacket.ack(2, 3));
        wire.complete(2, 3);
    }

    @Test
    void theSameSequenceNakTwiceSendsTheRestAgainOnce() {
        postThreeSends();
        wire.peerSends(
                WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 1), WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 1));
        wire.adapterSends(sent(1, 2), sent(2, 3));
    }

    @Test
    void aSequenceNakThatComesARoundTripLaterTellsOfAnotherLossAndIsNoRetry() {
        try (Exchange impatient = new Exchange(Exchange.USUAL.withRetries(1, Duration.ofSeconds(1)))) {
            impatient.post(send(0)).advance(20_000).peerSends(WirePacket.ack(0, 1));
            impatient.post(send(1)).post(send(2));
            impatient.complete(0);
            impatient.arrived();
            for (int i = 0; i < 5; i++) {
                impatient.advance(20_000).peerSends(WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 1));
                impatient.adapterSends(sent(1, 1), sent(2, 2));
            }
            impatient.peerSends(WirePacket.ack(2, 3)).complete(1, 2);
        }
    }

    @Test
    void aPeerThatIsNotReadyAndTellsOfALossBehindCostsNoRetry() {
        try (Exchange impatient = new Exchange(Exchange.USUAL.withRetries(1, Duration.ofSeconds(1)))) {
            impatient
                    .post(send(0))
                    .advance(20_000)
                    .peerSends(WirePacket.ack(0, 1))
                    .complete(0);
            impatient.post(send(1), send(2));
            for (int i = 0; i < 5; i++) {
                impatient
                        .peerSends(WirePacket.rnrNak(1, RnrTimer.atLeast(10), 1))
                        .advance(50_000);
                impatient.peerSends(WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 1));
            }
            impatient.peerSends(WirePacket.ack(2, 3)).complete(1, 2);
        }
    }

    @Test
    void aPeerThatTellsOfTheSameLossForEverIsGivenUp() {
        try (Exchange impatient = new Exchange(Exchange.USUAL.withRetries(1, Duration.ofMillis(5)))) {
            impatient.post(send(1));
            for (int i = 0; i < 40; i++) {
                impatient.advance(500_000).peerSends(WirePacket.nak(0, NakCode.PSN_SEQUENCE_ERROR, 0));
            }
            impatient.completes(1, Operation.SEND, Status.RETRY_EXCEEDED);
        }
    }

    @Test
    void answersSentAgainThatPassOverTheSameOneAreAskedForAgain() {
        wire.post(send(0)).advance(20_000).peerSends(WirePacket.ack(0, 1));
        wire.post(read(1, 0, 1000));
        wire.arrived();
        wire.advance(20_000)
                .peerSends(
                        WirePacket.readResponseMiddle(2, new byte[256]),
                        WirePacket.readResponseMiddle(3, new byte[256]));
        wire.adapterSends(readOnWire(1, 1000));
        // Answers that were on their way tell of the same loss, however late they come.
        wire.advance(20_000)
                .peerSends(WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_LAST, 4, 1, new byte[232]))
                .adapterIsSilent();
        wire.peerSends(WirePacket.readResponseMiddle(2, new byte[256])).adapterSends(readOnWire(1, 1000));
    }

    @Test
    void goingBackIntoTheMiddleOfAMessageSendsItsRest() {
        byte[] data = wire.fill(0, 700, 5);
        wire.post(new WorkRequest.Write(1, wire.segment(0, 700), Exchange.remote(64)));
        assertEquals(3, wire.arrived().size());
        wire.peerSends(WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 0));
        wire.adapterSends(
                WirePacket.send(Opcode.RC_RDMA_WRITE_MIDDLE, 1, Arrays.copyOfRange(data, 256, 512)),
                WirePacket.send(Opcode.RC_RDMA_WRITE_LAST, 2, Arrays.copyOfRange(data, 512, 700))
                        .asking());
    }

    @Test
    void aRefusalThatCarriesDataIsNoAnswerToARead() {
        wire.post(read(1, 0, 8));
        int refusal = Syndrome.nak(NakCode.REMOTE_ACCESS_ERROR);
        wire.peerSends(WirePacket.answer(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 0, refusal, 1)
                .with(Exchange.pattern(8, 1)));
        wire.complete();
        assertEquals(1, wire.counted(Counter.DROPPED_UNEXPECTED_RESPONSE));
        assertArrayEquals(new byte[8], wire.bytesAt(0, 8));
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]));
        wire.complete(1);
    }

    @Test
    void aReadThatLostTheRestOfItsAnswerAsksForTheRest() {
        wire.post(read(1, 0, 1000));
        wire.adapterSends(readOnWire(0, 1000));
        wire.peerSends(WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 0, 1, new byte[256]));
        // Number 1 is lost; number 2 shows it.
        wire.peerSends(WirePacket.readResponseMiddle(2, new byte[256]));
        wire.adapterSends(WirePacket.readRequest(1, new Reth(256, KEY, 744)).asking());
        assertEquals(1, wire.counted(Counter.IMPLIED_SEQUENCE_NAKS));
        wire.peerSends(WirePacket.readResponse(
                Opcode.RC_RDMA_READ_RESPONSE_LAST, 3, 1, new byte[232])); // still from the first time
        wire.adapterIsSilent();
        wire.peerSends(
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 1, 1, new byte[256]),
                WirePacket.readResponseMiddle(2, new byte[256]),
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_LAST, 3, 1, new byte[232]));
        wire.complete(1);
    }

    @Test
    void anAcknowledgementOfALaterSendShowsThatAReadsAnswerWasLost() {
        wire.post(read(1, 0, 8)).post(send(2));
        wire.adapterSends(readOnWire(0, 8), sent(1, 2));
        wire.peerSends(WirePacket.ack(1, 2));
        wire.complete();
        wire.adapterSends(readOnWire(0, 8), sent(1, 2));
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]), WirePacket.ack(1, 2));
        wire.complete(1, 2);
    }

    @Test
    void anAcknowledgementOfALaterSendShowsThatAnAtomicsAnswerWasLost() {
        wire.post(add(1, 0)).post(send(2));
        wire.arrived();
        wire.peerSends(WirePacket.ack(1, 2));
        wire.adapterSends(WirePacket.fetchAdd(0, 0, KEY, 1).asking(), sent(1, 2));
        wire.peerSends(WirePacket.atomicAck(0, 1, 41), WirePacket.ack(1, 2));
        wire.complete(1, 2);
        assertEquals(41, wire.memory.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void answersThatComeTwiceAreIgnored() {
        wire.post(send(1)).post(read(2, 0, 8)).post(add(3, 8));
        wire.arrived();
        WirePacket[] answers = {
            WirePacket.ack(0, 1),
            WirePacket.readResponseOnly(1, 2, Exchange.pattern(8, 1)),
            WirePacket.atomicAck(2, 3, 5)
        };
        wire.peerSends(answers);
        wire.complete(1, 2, 3);
        wire.memory.fill((byte) 0);
        wire.peerSends(answers);
        wire.complete();
        wire.adapterIsSilent();
        assertArrayEquals(new byte[16], wire.bytesAt(0, 16));
    }

    @Test
    void answersToWhatWasNeverSentAreIgnored() {
        postThreeSends();
        wire.peerSends(
                WirePacket.ack(3, 4),
                WirePacket.ack(100, 4),
                WirePacket.nak(3, NakCode.REMOTE_ACCESS_ERROR, 3),
                WirePacket.nak(-1, NakCode.PSN_SEQUENCE_ERROR, 0),
                WirePacket.nak(-2, NakCode.REMOTE_OPERATIONAL_ERROR, 0),
                WirePacket.readResponseOnly(7, 4, new byte[8]),
                WirePacket.ack(-100, 0));
        wire.complete();
        wire.adapterIsSilent();
        assertEquals(QueuePairState.READY_TO_SEND, wire.queuePair.state());
        wire.peerSends(WirePacket.ack(2, 3));
        wire.complete(1, 2, 3);
    }

    @Test
    void dataForARequestThatWantsNoneIsIgnored() {
        postThreeSends();
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[1]), WirePacket.atomicAck(0, 1, 7));
        wire.complete();
        wire.peerSends(WirePacket.ack(2, 3));
        wire.complete(1, 2, 3);
    }

    @ParameterizedTest
    @CsvSource({"RC_RDMA_READ_RESPONSE_ONLY, 9", "RC_RDMA_READ_RESPONSE_ONLY, 7", "RC_RDMA_READ_RESPONSE_FIRST, 8"})
    void anAnswerOfTheWrongLengthOrPositionIsIgnored(Opcode opcode, int length) {
        wire.post(read(1, 0, 8));
        wire.arrived();
        wire.fill(0, 16, 3);
        byte[] before = wire.bytesAt(0, 16);
        wire.peerSends(WirePacket.readResponse(opcode, 0, 1, new byte[length]));
        wire.complete();
        assertArrayEquals(before, wire.bytesAt(0, 16));
        wire.peerSends(WirePacket.readResponseOnly(0, 1, new byte[8]));
        wire.complete(1);
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_REQUEST, REMOTE_INVALID_REQUEST",
        "REMOTE_ACCESS_ERROR, REMOTE_ACCESS_ERROR",
        "REMOTE_OPERATIONAL_ERROR, REMOTE_OPERATIONAL_ERROR"
    })
    void anErrorNakCompletesWhatIsBeforeItFailsOneAndFlushesTheRest(NakCode code, Status status) {
        postThreeSends();
        wire.peerSends(WirePacket.nak(1, code, 1));
        assertEquals(
                List.of(Status.SUCCESS, status, Status.FLUSHED),
                wire.completions().stream().map(Completion::status).toList());
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
        wire.adapterIsSilent();
    }

    @Test
    void anErrorNakForAReadFailsIt() {
        wire.post(read(1, 0, 600));
        wire.peerSends(WirePacket.nak(0, NakCode.REMOTE_ACCESS_ERROR, 0));
        wire.completes(1, Operation.READ, Status.REMOTE_ACCESS_ERROR);
    }

    @Test
    void anErrorNakInTheMiddleOfAReadFailsIt() {
        wire.post(read(1, 0, 600));
        wire.peerSends(
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 0, 1, new byte[256]),
                WirePacket.nak(1, NakCode.REMOTE_ACCESS_ERROR, 1));
        wire.completes(1, Operation.READ, Status.REMOTE_ACCESS_ERROR);
    }

    @Test
    void aSyndromeThatIsReservedIsIgnored() {
        wire.post(send(1));
        wire.arrived();
        wire.peerSends(
                WirePacket.answer(Opcode.RC_ACKNOWLEDGE, 0, 0x40, 1),
                WirePacket.answer(Opcode.RC_ACKNOWLEDGE, 0, 0x80, 1),
                WirePacket.answer(Opcode.RC_ACKNOWLEDGE, 0, 0xff, 1));
        wire.complete();
        wire.adapterIsSilent();
        wire.peerSends(WirePacket.ack(0, 1));
        wire.complete(1);
    }
}
