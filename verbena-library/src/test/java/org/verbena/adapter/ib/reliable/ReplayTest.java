package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.memory.Region;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** Reads and atomics that a peer asks for again because the answer was lost. */
final class ReplayTest {
    private final Exchange wire = new Exchange(Exchange.USUAL.withReads(4, 2));

    @AfterEach
    void close() {
        wire.close();
    }

    private long word(long offset) {
        return wire.memory.get(ValueLayout.JAVA_LONG, offset);
    }

    private WirePacket add(int psn, long offset, long addend) {
        return WirePacket.fetchAdd(psn, wire.region.address() + offset, wire.region.key(), addend)
                .asking();
    }

    private WirePacket swap(int psn, long offset, long expected, long replacement) {
        return WirePacket.compareSwap(psn, wire.region.address() + offset, wire.region.key(), expected, replacement)
                .asking();
    }

    private static byte[] part(byte[] data, int index) {
        return Arrays.copyOfRange(data, index * 256, Math.min(data.length, (index + 1) * 256));
    }

    @Test
    void atomicsAreExecutedOnceAndAnsweredFromWhatWasSaved() {
        wire.memory.set(ValueLayout.JAVA_LONG, 64, 100);
        wire.peerSends(add(0, 64, 5)).adapterSends(WirePacket.atomicAck(0, 1, 100));
        wire.memory.set(ValueLayout.JAVA_LONG, 64, 1_000_000);
        wire.peerSends(add(0, 64, 5), add(0, 64, 5));
        wire.adapterSends(WirePacket.atomicAck(0, 1, 100), WirePacket.atomicAck(0, 1, 100));
        assertEquals(1_000_000, word(64));
    }

    @Test
    void aCompareAndSwapThatHitIsNotTriedAgain() {
        wire.peerSends(swap(0, 8, 0, 7)).adapterSends(WirePacket.atomicAck(0, 1, 0));
        wire.memory.set(ValueLayout.JAVA_LONG, 8, 0);
        wire.peerSends(swap(0, 8, 0, 7)).adapterSends(WirePacket.atomicAck(0, 1, 0));
        assertEquals(0, word(8));
    }

    @Test
    void aCompareAndSwapThatMissesChangesNothing() {
        wire.memory.set(ValueLayout.JAVA_LONG, 8, 3);
        wire.peerSends(swap(0, 8, 4, 7)).adapterSends(WirePacket.atomicAck(0, 1, 3));
        assertEquals(3, word(8));
    }

    @Test
    void anAtomicThatIsNoLongerKeptGetsNoAnswer() {
        wire.peerSends(add(0, 0, 1), add(1, 8, 1), add(2, 16, 1));
        wire.arrived();
        wire.peerSends(add(0, 0, 1)).adapterIsSilent();
        wire.peerSends(add(1, 8, 1)).adapterSends(WirePacket.atomicAck(1, 2, 0));
        assertEquals(1, word(0));
        assertEquals(1, word(8));
        assertEquals(1, word(16));
    }

    @Test
    void aReadIsReadAgainInFull() {
        byte[] data = wire.fill(0, 300, 1);
        WirePacket request = WirePacket.readRequest(0, wire.reth(0, 300)).asking();
        wire.peerSends(request);
        wire.arrived();
        wire.peerSends(request);
        wire.adapterSends(
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 0, 1, part(data, 0)),
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_LAST, 1, 1, part(data, 1)));
    }

    @Test
    void aReadIsReadAgainFromTheMiddle() {
        byte[] data = wire.fill(0, 900, 1);
        wire.peerSends(WirePacket.readRequest(0, wire.reth(0, 900)).asking());
        wire.arrived();
        wire.peerSends(WirePacket.readRequest(1, wire.reth(256, 644)).asking());
        wire.adapterSends(
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 1, 1, part(data, 1)),
                WirePacket.readResponseMiddle(2, part(data, 2)),
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_LAST, 3, 1, part(data, 3)));
        wire.peerSends(WirePacket.readRequest(3, wire.reth(768, 132)).asking());
        wire.adapterSends(WirePacket.readResponseOnly(3, 1, part(data, 3)));
    }

    @Test
    void whatIsAskedAgainMustBeWhatWasAskedBefore() {
        wire.peerSends(WirePacket.readRequest(0, wire.reth(0, 300)).asking());
        wire.arrived();
        wire.peerSends(WirePacket.readRequest(0, wire.reth(64, 300)).asking()).adapterIsSilent();
        wire.peerSends(WirePacket.readRequest(1, wire.reth(0, 44)).asking()).adapterIsSilent();
        wire.peerSends(add(0, 0, 1)).adapterIsSilent();
        assertEquals(0, word(0));
    }

    @Test
    void theRequestBehindARepeatedReadHasTheNextFreeNumber() {
        wire.peerSends(WirePacket.readRequest(0, wire.reth(0, 300)).asking());
        wire.peerSends(WirePacket.readRequest(0, wire.reth(0, 300)).asking());
        wire.arrived();
        wire.peerSends(WirePacket.writeOnly(2, wire.reth(0, 1), new byte[] {1}).asking());
        wire.adapterSends(WirePacket.ack(2, 2));
    }

    @Test
    void moreReadsMayFollowOnceTheEarlierOnesAreAnswered() {
        for (int i = 0; i < 50; i++) {
            wire.peerSends(WirePacket.readRequest(i, wire.reth(i, 1)).asking());
            wire.adapterSends(WirePacket.readResponseOnly(i, i + 1, new byte[1]));
        }
    }

    @Test
    void aReadAskedForAgainFromMemoryThatIsGoneByNowGetsNoAnswerAndHarmsNothing() {
        Region gone = wire.adapter.register(wire.domain, wire.memory, EnumSet.of(Right.REMOTE_READ));
        WirePacket request = WirePacket.readRequest(0, new Reth(gone.address(), gone.key(), 8))
                .asking();
        WirePacket behind = WirePacket.readRequest(1, wire.reth(0, 8)).asking();
        wire.peerSends(request, behind);
        wire.arrived();
        gone.close();
        wire.peerSends(request).adapterIsSilent();
        wire.peerSends(behind).adapterSends(WirePacket.readResponseOnly(1, 2, new byte[8]));
        assertEquals(QueuePairState.READY_TO_SEND, wire.queuePair.state());
        wire.peerSends(WirePacket.writeOnly(2, wire.reth(0, 1), new byte[] {1}).asking());
        wire.adapterSends(WirePacket.ack(2, 3));
    }

    private static WirePacket answer(int psn) {
        return WirePacket.readResponseOnly(psn, psn + 1, new byte[1]);
    }

    @Test
    void onlyWhatIsAskedForAgainIsAnsweredAgain() {
        try (var four = new Exchange(Exchange.USUAL.withReads(4, 4))) {
            WirePacket[] reads = new WirePacket[4];
            for (int i = 0; i < 4; i++) {
                reads[i] = WirePacket.readRequest(i, four.reth(i, 1)).asking();
            }
            four.peerSends(reads);
            four.arrived();
            four.peerSends(reads[0]).adapterSends(answer(0));
            four.peerSends(reads[2]).adapterSends(answer(2));
            four.peerSendsAtOnce(reads[1], reads[2]).adapterSends(answer(1), answer(2));
            // Further back once more: the peer begins anew and will ask for the rest again.
            four.peerSendsAtOnce(reads[2], reads[1], reads[1]).adapterSends(answer(1));
            // One that was lost on the way is repeated with those around it: the peer has gone back.
            four.peerSendsAtOnce(reads[0], reads[3]).adapterSends(answer(0), answer(1), answer(2), answer(3));
        }
    }

    @Test
    void aNewReadBehindARepeatedOneIsAnsweredAfterIt() {
        try (var three = new Exchange(Exchange.USUAL.withReads(3, 3))) {
            WirePacket[] reads = new WirePacket[3];
            for (int i = 0; i < 3; i++) {
                reads[i] = WirePacket.readRequest(i, three.reth(i, 1)).asking();
            }
            three.peerSends(reads[0], reads[1]);
            three.arrived();
            three.peerSendsAtOnce(reads[0], reads[2]).adapterSends(answer(0), answer(2));
        }
    }

    @Test
    void noAcknowledgementNamesAReadsNumber() {
        WirePacket write = WirePacket.writeOnly(0, wire.reth(0, 1), new byte[1]).asking();
        WirePacket read = WirePacket.readRequest(1, wire.reth(0, 1)).asking();
        wire.peerSendsAtOnce(write, read).adapterSends(WirePacket.readResponseOnly(1, 2, new byte[1]));
        // Asked for again without the read, whose answer may be lost: the read stays without an answer.
        wire.peerSends(write).adapterSends(WirePacket.ack(0, 2));
        wire.peerSends(read).adapterSends(WirePacket.readResponseOnly(1, 2, new byte[1]));
        wire.peerSends(add(2, 0, 1)).adapterSends(WirePacket.atomicAck(2, 3, 0));
        wire.peerSends(write).adapterSends(WirePacket.ack(0, 3));
    }
}
