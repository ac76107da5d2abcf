package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.RnrTimer;
import org.verbena.exchange.ColdMemory;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.trace.Counter;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;
import org.verbena.wire.ib.Syndrome;

/** The packets that a peer with few RNR retries gets at a page fault. The peer is the test, and does what rdma_rxe of Linux does. */
final class FewRetriesTest {
    private static final int PAGE = ColdMemory.PAGE;
    private static final int MTU = Exchange.MTU;
    private static final long STORE_NS = 100_000;
    private static final int RETRIES = 2;

    private Exchange wire = new Exchange(Exchange.USUAL.withPeerRnrRetries(RETRIES));
    private ColdMemory cold = new ColdMemory(wire, 16, STORE_NS);

    private void begin(int retries, long storeNs) {
        end();
        wire = new Exchange(Exchange.USUAL.withPeerRnrRetries(retries));
        cold = new ColdMemory(wire, 16, storeNs);
    }

    @AfterEach
    void end() {
        wire.queuePair.reset();
        assertEquals(0, wire.adapter.faultsOpen());
        cold.close();
        wire.close();
    }

    private static WirePacket packet(Reth reth, byte[] data, int index, int psn) {
        byte[] part = Arrays.copyOfRange(data, index * MTU, Math.min(data.length, (index + 1) * MTU));
        boolean last = (index + 1) * MTU >= data.length;
        if (index == 0) {
            return last ? WirePacket.writeOnly(psn, reth, part).asking() : WirePacket.writeFirst(psn, reth, part);
        }
        return last
                ? WirePacket.send(Opcode.RC_RDMA_WRITE_LAST, psn, part).asking()
                : WirePacket.send(Opcode.RC_RDMA_WRITE_MIDDLE, psn, part);
    }

    /** A requester as rdma_rxe is: an RNR NAK costs a retry and moves nothing; only an acknowledgement of something new renews the retries. */
    private final class RxePeer {
        private static final long TICK_NS = 4_000_000;
        private final int retries;
        private final List<RnrTimer> told = new ArrayList<>();
        private int left;
        private int unacked;
        private boolean failed;

        RxePeer(int retries) {
            this.retries = retries;
            this.left = retries;
        }

        /** Writes the data; returns whether it was acknowledged. */
        boolean write(Reth reth, byte[] data) {
            int first = unacked;
            int count = (data.length + MTU - 1) / MTU;
            for (int tries = 0; tries < 64 && !failed && unacked < first + count; tries++) {
                for (int psn = unacked; psn < first + count; psn++) {
                    wire.peerSends(packet(reth, data, psn - first, psn));
                }
                long waitNs = take(wire.arrived());
                if (!failed && unacked < first + count) {
                    assertTrue(waitNs > 0, "nothing tells it to wait");
                    wire.pass((waitNs + TICK_NS - 1) / TICK_NS * TICK_NS, STORE_NS);
                    take(wire.arrived());
                }
            }
            return !failed;
        }

        private long take(List<WirePacket> answers) {
            long waitNs = 0;
            for (WirePacket answer : answers) {
                int syndrome = Objects.requireNonNull(answer.aeth()).syndrome();
                if (Syndrome.isAck(syndrome)) {
                    if (answer.psn() >= unacked) {
                        unacked = answer.psn() + 1;
                        left = retries;
                    }
                } else {
                    assertTrue(Syndrome.isRnrNak(syndrome), answer::toString);
                    told.add(Syndrome.rnrTimer(syndrome));
                    failed |= left-- == 0;
                    waitNs = told.getLast().nanoseconds();
                }
            }
            return waitNs;
        }
    }

    @Test
    void theAcknowledgementThatRenewsTheRetriesIsSentBeforeTheRefusal() {
        cold.evict(2);
        byte[] data = Exchange.pattern(4 * MTU, 3);
        Reth reth = cold.reth(2L * PAGE - 2 * MTU, data.length);
        for (int i = 0; i < 4; i++) {
            wire.peerSends(packet(reth, data, i, i));
        }
        wire.adapterSends(WirePacket.ack(1, 0), WirePacket.rnrNak(2, RnrTimer.US_2560, 0));
        wire.advance(STORE_NS).adapterSends(WirePacket.ack(1, 0));
        wire.peerSends(packet(reth, data, 2, 2), packet(reth, data, 3, 3)).adapterSends(WirePacket.ack(3, 1));
        assertArrayEquals(data, cold.bytesAt(2L * PAGE - 2 * MTU, data.length));
        // What has been acknowledged is not acknowledged again.
        cold.evict(3);
        WirePacket next = packet(cold.reth(3L * PAGE, 8), new byte[8], 0, 4);
        wire.peerSends(next).adapterSends(WirePacket.rnrNak(4, RnrTimer.US_2560, 1));
        wire.advance(STORE_NS).adapterSends(WirePacket.ack(3, 1));
        wire.peerSends(next).adapterSends(WirePacket.ack(4, 2));
    }

    /** Behind a read no acknowledgement is sent, since Linux would take it for the data; the data renews the retries. */
    @Test
    void behindAReadTheDataRenewsTheRetries() {
        cold.evict(3);
        WirePacket unasked = WirePacket.writeOnly(0, cold.reth(0, 8), new byte[8]);
        WirePacket write = packet(cold.reth(3L * PAGE, 8), new byte[8], 0, 2);
        wire.peerSendsAtOnce(unasked, WirePacket.readRequest(1, cold.reth(0, 8)), write);
        wire.adapterSends(WirePacket.readResponseOnly(1, 2, new byte[8]), WirePacket.rnrNak(2, RnrTimer.US_2560, 2));
        wire.advance(STORE_NS).adapterIsSilent();
        wire.peerSends(write).adapterSends(WirePacket.ack(2, 3));
    }

    /** The peer resumes with packets that were executed before, and is refused again: that costs a retry, so the time is the longest. */
    @Test
    void aPeerThatComesWithEarlierPacketsIsToldALongerTime() {
        begin(2, 100_000_000);
        cold.evict(2);
        byte[] data = Exchange.pattern(4 * MTU, 3);
        Reth reth = cold.reth(2L * PAGE - 2 * MTU, data.length);
        wire.peerSends(packet(reth, data, 0, 0), packet(reth, data, 1, 1), packet(reth, data, 2, 2));
        wire.adapterSends(WirePacket.ack(1, 0), WirePacket.rnrNak(2, RnrTimer.US_2560, 0));
        wire.advance(RnrTimer.US_2560.nanoseconds());
        wire.peerSends(packet(reth, data, 1, 1), packet(reth, data, 2, 2));
        wire.adapterSends(WirePacket.rnrNak(2, RnrTimer.US_655360, 0));
        wire.pass(100_000_000, STORE_NS).adapterSends(WirePacket.ack(1, 0), WirePacket.ack(1, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void messageAfterMessageSurvivesItsFault(int retries) {
        for (long storeNs : new long[] {STORE_NS, 7_000_000, 100_000_000, 500_000_000}) {
            begin(retries, storeNs);
            RxePeer peer = new RxePeer(retries);
            for (int round = 0; round < 3; round++) {
                byte[] data = Exchange.pattern(3 * MTU, round);
                for (int page = 0; page < 3; page++) {
                    cold.evict(page);
                    assertTrue(peer.write(cold.reth((long) page * PAGE + 8, data.length), data), peer.told::toString);
                    assertArrayEquals(data, cold.bytesAt((long) page * PAGE + 8, data.length));
                }
            }
            assertEquals(9, wire.counted(Counter.WRITE_PAGE_FAULTS));
        }
    }

    /** The second page of a message goes while the peer waits for the first. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6})
    void aSecondFaultInAMessageFindsTheRetriesRenewed(int retries) {
        begin(retries, STORE_NS);
        cold.evict(1);
        byte[] data = Exchange.pattern(6 * MTU, 3);
        Reth reth = cold.reth(2L * PAGE - 3 * MTU, data.length);
        RxePeer peer = new RxePeer(retries);
        wire.peerSends(packet(reth, data, 0, 0));
        peer.take(wire.arrived());
        wire.advance(STORE_NS).arrived();
        wire.peerSends(packet(reth, data, 0, 0), packet(reth, data, 1, 1));
        cold.evict(2);
        wire.peerSends(packet(reth, data, 2, 2), packet(reth, data, 3, 3));
        peer.take(wire.arrived());
        assertEquals(2, peer.told.size());
        assertTrue(
                peer.told.getLast().microseconds() <= peer.told.getFirst().microseconds(),
                () -> "the second fault is the first of its packet: " + peer.told);
        assertEquals(retries - 1, peer.left);
        wire.advance(STORE_NS).arrived();
        wire.peerSends(packet(reth, data, 3, 3), packet(reth, data, 4, 4), packet(reth, data, 5, 5));
        wire.adapterSends(WirePacket.ack(5, 1));
        assertArrayEquals(data, cold.bytesAt(2L * PAGE - 3 * MTU, data.length));
    }
}
