package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Reth;

/** Requests that come together, before an answer can leave: which answers leave, and in which order. */
final class AnswererTest {
    private final Exchange wire = new Exchange();

    @AfterEach
    void close() {
        wire.close();
    }

    private WirePacket write(int psn) {
        return WirePacket.writeOnly(psn, wire.reth(0, 1), new byte[] {1}).asking();
    }

    private WirePacket read(int psn) {
        return WirePacket.readRequest(psn, wire.reth(16, 4)).asking();
    }

    @Test
    void requestsThatAskForAnAnswerTogetherGetOneForTheNewest() {
        wire.peerSendsAtOnce(write(0), write(1), write(2)).adapterSends(WirePacket.ack(2, 3));
    }

    @Test
    void theDataOfAReadAcknowledgesTheWriteBeforeIt() {
        wire.peerSendsAtOnce(write(0), read(1)).adapterSends(WirePacket.readResponseOnly(1, 2, new byte[4]));
    }

    @Test
    void dataLeavesBeforeTheAcknowledgementOfALaterWrite() {
        wire.peerSendsAtOnce(read(0), write(1))
                .adapterSends(WirePacket.readResponseOnly(0, 1, new byte[4]), WirePacket.ack(1, 2));
    }

    @Test
    void aMissingPacketThatComesBeforeItsNakLeavesIsAcknowledged() {
        wire.peerSendsAtOnce(write(1), write(0)).adapterSends(WirePacket.ack(0, 1));
        assertEquals(1, wire.counted(Counter.OUT_OF_SEQUENCE_REQUESTS));
    }

    @Test
    void aSendThatComesAgainWithItsReceiveBeforeTheRnrNakLeavesIsAcknowledged() {
        WirePacket send = WirePacket.sendOnly(0, new byte[] {1}).asking();
        wire.peerSendsAtOnce(send);
        wire.arrived();
        wire.post(new WorkRequest.Receive(5, wire.segment(0, 1)));
        wire.peerSendsAtOnce(send, send).adapterSends(WirePacket.ack(0, 1));
        wire.complete(5);
    }

    @Test
    void theLastRefusalLeavesBehindTheDataAndEndsTheQueuePair() {
        WirePacket refused = WirePacket.writeOnly(1, new Reth(0, wire.region.key() ^ 0xff00, 1), new byte[1])
                .asking();
        wire.peerSendsAtOnce(read(0), refused, write(2));
        wire.adapterSends(
                WirePacket.readResponseOnly(0, 1, new byte[4]), WirePacket.nak(1, NakCode.REMOTE_ACCESS_ERROR, 1));
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
    }

    @Test
    void aReadThatIsAskedForTwiceTogetherIsAnsweredOnce() {
        wire.peerSendsAtOnce(read(0), read(0)).adapterSends(WirePacket.readResponseOnly(0, 1, new byte[4]));
    }
}
