package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.RnrTimer;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.ib.Psn;

/**
 * A sender that is not the peer, or a peer that sends wrong packets: it knows numbers and keys, sends whole packets, and has no
 * effect. A write and a read are under way meanwhile.
 */
final class StrangerTest {
    private static final int OTHER_PARTITION = 0x8001;

    private final Exchange wire = new Exchange(Exchange.USUAL.withReads(16, 16));
    private byte[] before = new byte[0];

    @BeforeEach
    void begin() {
        wire.fill(0, 64 << 10, 3);
        wire.post(
                new WorkRequest.Write(1, wire.segment(0, 600), Exchange.remote(0)),
                new WorkRequest.Read(2, wire.segment(1024, 600), Exchange.remote(0)));
        wire.arrived();
        before = wire.bytesAt(0, Exchange.MEMORY);
    }

    @AfterEach
    void close() {
        wire.close();
    }

    /** Packets with the peer's numbers and keys, which would be accepted from the peer. */
    private List<WirePacket> temptations() {
        return List.of(
                WirePacket.writeOnly(0, wire.reth(0, 4), new byte[4]).asking(),
                WirePacket.readRequest(0, wire.reth(0, 4)).asking(),
                WirePacket.fetchAdd(0, wire.region.address(), wire.region.key(), 1)
                        .asking(),
                WirePacket.sendOnly(0, new byte[4]).asking(),
                WirePacket.ack(2, 1),
                WirePacket.nak(0, NakCode.REMOTE_ACCESS_ERROR, 0),
                WirePacket.nak(1, NakCode.PSN_SEQUENCE_ERROR, 0),
                WirePacket.rnrNak(0, RnrTimer.atLeast(1000), 0),
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 3, 2, new byte[256]));
    }

    private void send(Link from, LinkPath to, WirePacket packet, int pkey) {
        int first = packet.opcode().isRequest()
                ? Exchange.PEER_FIRST_PSN
                : wire.queuePair.address().firstPsn();
        int psn = Psn.add(first, packet.psn());
        wire.sendBytes(from, to, packet.length(), s -> packet.write(s, 0, wire.queuePair.number(), pkey, psn), true);
    }

    /** The packets have no effect: memory is unchanged, and the requests under way complete with success. */
    private void nothingHappened() {
        wire.run().adapterIsSilent();
        wire.complete();
        assertArrayEquals(before, wire.bytesAt(0, Exchange.MEMORY));
        assertEquals(QueuePairState.READY_TO_SEND, wire.queuePair.state());
        wire.peerSends(
                WirePacket.ack(2, 1),
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 3, 2, new byte[256]),
                WirePacket.readResponseMiddle(4, new byte[256]),
                WirePacket.readResponse(Opcode.RC_RDMA_READ_RESPONSE_LAST, 5, 2, new byte[88]));
        wire.complete(1, 2);
        wire.peerSends(WirePacket.writeOnly(0, wire.reth(0, 1), new byte[1]).asking());
        wire.adapterSends(WirePacket.ack(0, 1));
    }

    @Test
    void fromAnotherAddressNothingIsTaken() {
        try (Link stranger = wire.network.open()) {
            LinkPath path = stranger.path(wire.adapter.endpoint(), LinkFlow.of(0));
            temptations().forEach(packet -> send(stranger, path, packet, Partitions.DEFAULT_KEY));
            wire.run();
            assertEquals(temptations().size(), wire.counted(Counter.DROPPED_WRONG_SOURCE));
            nothingHappened();
        }
    }

    @Test
    void fromAnotherPartitionNothingIsTaken() {
        for (WirePacket packet : temptations()) {
            int first = packet.opcode().isRequest()
                    ? Exchange.PEER_FIRST_PSN
                    : wire.queuePair.address().firstPsn();
            int psn = Psn.add(first, packet.psn());
            wire.peerSendsBytes(
                    packet.length(), s -> packet.write(s, 0, wire.queuePair.number(), OTHER_PARTITION, psn), true);
        }
        wire.run();
        assertEquals(temptations().size(), wire.counted(Counter.DROPPED_WRONG_PKEY));
        nothingHappened();
    }

    @Test
    void answersToNumbersThatAreNotOutstandingChangeNothing() {
        var random = new Seed(5);
        int sent = 0;
        for (int i = 0; i < 2000; i++) {
            // Six numbers are outstanding, 0 … 5; an acknowledgement of −1 would be the last one's come again.
            int psn = 6 + random.nextInt((1 << 24) - 8);
            List<WirePacket> answers = List.of(
                    WirePacket.ack(psn, 1),
                    WirePacket.nak(psn, NakCode.INVALID_REQUEST, 1),
                    WirePacket.nak(psn, NakCode.PSN_SEQUENCE_ERROR, 1),
                    WirePacket.rnrNak(psn, RnrTimer.atLeast(10), 1),
                    WirePacket.readResponseOnly(psn, 2, new byte[88]),
                    WirePacket.atomicAck(psn, 2, 7));
            wire.peerSends(answers.toArray(WirePacket[]::new));
            sent += answers.size();
        }
        assertEquals(sent, wire.counted(Counter.DROPPED_UNEXPECTED_RESPONSE));
        nothingHappened();
    }

    @Test
    void aReadAskedForAgainCostsNoMoreThanTheFirstTime() {
        for (int i = 0; i < 16; i++) {
            wire.peerSends(
                    WirePacket.readRequest(i * 64, wire.reth(0, 64 * 256)).asking());
            assertEquals(64, wire.arrived().size());
        }
        for (int i = 0; i < 16; i++) {
            wire.peerSends(
                    WirePacket.readRequest(i * 64, wire.reth(0, 64 * 256)).asking());
            assertEquals(64, wire.arrived().size());
            wire.peerSends(WirePacket.readRequest(i * 64 + 63, wire.reth(63 * 256, 256))
                    .asking());
            assertEquals(1, wire.arrived().size());
        }
    }
}
