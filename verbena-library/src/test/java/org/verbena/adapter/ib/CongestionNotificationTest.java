package org.verbena.adapter.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.adapter.Limits;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.trace.Counter;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;

/** Marks of a congested network, and the notifications that tell a sender of them. */
final class CongestionNotificationTest {
    private static final int MARKED = 3;

    private static Exchange exchange(Service service) {
        return new Exchange(Exchange.USUAL, options -> options.withService(service));
    }

    private static Opcode sendOnly(Service service) {
        return service == Service.RC ? Opcode.RC_SEND_ONLY : Opcode.UC_SEND_ONLY;
    }

    private static void sendMarked(Exchange wire, Service service, int psn) {
        Link link = wire.peerLink();
        LinkPath marked = link.path(wire.adapter.endpoint(), LinkFlow.of(0).withTrafficClass(MARKED));
        WirePacket packet = WirePacket.send(sendOnly(service), psn, new byte[4]);
        wire.sendBytes(
                link,
                marked,
                packet.length(),
                segment -> packet.write(
                        segment,
                        0,
                        wire.queuePair.number(),
                        Partitions.DEFAULT_KEY,
                        org.verbena.wire.ib.Psn.add(Exchange.PEER_FIRST_PSN, psn)),
                true);
        wire.run();
    }

    private static List<Opcode> arrived(Exchange wire) {
        return wire.arrived().stream()
                .map(WirePacket::opcode)
                .filter(opcode -> opcode == Opcode.CNP)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"RC", "UC"})
    void aMarkedPacketIsAnsweredByANotificationAtMostOnceInAWhile(Service service) {
        try (Exchange wire = exchange(service)) {
            for (int i = 0; i < 5; i++) {
                wire.post(new WorkRequest.Receive(i, wire.segment(0, 64)));
            }
            sendMarked(wire, service, 0);
            sendMarked(wire, service, 1);
            assertEquals(List.of(Opcode.CNP), arrived(wire));
            wire.advance(Limits.CONGESTION_NOTIFICATION_NS);
            sendMarked(wire, service, 2);
            assertEquals(List.of(Opcode.CNP), arrived(wire));
            assertEquals(3, wire.counted(Counter.MARKED_PACKETS));
            assertEquals(2, wire.counted(Counter.SENT_CONGESTION_NOTIFICATIONS));
            assertEquals(3, wire.completions().size(), "marked packets are taken like others");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"RC", "UC"})
    void packetsWithoutAMarkAreNotAnswered(Service service) {
        try (Exchange wire = exchange(service)) {
            wire.post(new WorkRequest.Receive(1, wire.segment(0, 64)));
            wire.peerSends(WirePacket.send(sendOnly(service), 0, new byte[4]));
            assertEquals(List.of(), arrived(wire));
            assertEquals(0, wire.counted(Counter.MARKED_PACKETS));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"RC", "UC"})
    void aNotificationIsCountedAndNarrowsTheWindowOfAReliableConnection(Service service) {
        try (Exchange wire = exchange(service)) {
            wire.peerSends(WirePacket.of(Opcode.CNP, 0));
            assertEquals(1, wire.counted(Counter.RECEIVED_CONGESTION_NOTIFICATIONS));
            wire.post(new WorkRequest.Send(1, wire.segment(0, 100 * Exchange.MTU)));
            int sent = wire.arrived().size();
            assertEquals(service == Service.RC ? 32 : 100, sent);
        }
    }

    @Test
    void anotherConnectionOfTheQueuePairBeginsWithAWideWindow() {
        try (Exchange wire = exchange(Service.RC)) {
            wire.peerSends(WirePacket.of(Opcode.CNP, 0));
            wire.queuePair.reset();
            wire.queuePair.connect(wire.peerAddress(), Exchange.USUAL);
            wire.post(new WorkRequest.Send(1, wire.segment(0, 100 * Exchange.MTU)));
            assertEquals(64, wire.arrived().size());
        }
    }

    @Test
    void whoHasSentNothingYetIsNotMeant() {
        try (Exchange wire = exchange(Service.RC)) {
            wire.queuePair.reset();
            wire.queuePair.initialize(Set.of());
            wire.queuePair.readyToReceive(wire.peerAddress(), Exchange.USUAL);
            wire.peerSends(WirePacket.of(Opcode.CNP, 0));
            wire.queuePair.readyToSend(Exchange.USUAL);
            wire.post(new WorkRequest.Send(1, wire.segment(0, 100 * Exchange.MTU)));
            assertEquals(64, wire.arrived().size());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"RC"})
    void aNotificationFromSomebodyElseIsNone(Service service) {
        try (Exchange wire = exchange(service);
                Link stranger = wire.network.open()) {
            WirePacket packet = WirePacket.of(Opcode.CNP, 0);
            LinkPath path = stranger.path(wire.adapter.endpoint(), LinkFlow.of(0));
            wire.sendBytes(
                    stranger,
                    path,
                    packet.length(),
                    segment -> packet.write(segment, 0, wire.queuePair.number(), Partitions.DEFAULT_KEY, 0),
                    true);
            wire.run();
            assertEquals(0, wire.counted(Counter.RECEIVED_CONGESTION_NOTIFICATIONS));
            assertEquals(1, wire.counted(Counter.DROPPED_WRONG_SOURCE));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"RC"})
    void aNotificationCarriesTheBackwardMarkAndSixteenZeroes(Service service) {
        try (Exchange wire = exchange(service)) {
            wire.post(new WorkRequest.Receive(1, wire.segment(0, 64)));
            Link link = wire.peerLink();
            LinkPath marked = link.path(wire.adapter.endpoint(), LinkFlow.of(0).withTrafficClass(MARKED));
            WirePacket packet = WirePacket.send(Opcode.RC_SEND_ONLY, 0, new byte[4]);
            wire.sendBytes(
                    link,
                    marked,
                    packet.length(),
                    segment -> packet.write(
                            segment, 0, wire.queuePair.number(), Partitions.DEFAULT_KEY, Exchange.PEER_FIRST_PSN),
                    true);
            wire.adapter.work(wire.clock.nowNs());
            wire.adapter.work(wire.clock.nowNs());
            boolean[] seen = new boolean[1];
            link.receive(found -> seen[0] |= isNotification(found), 16);
            assertTrue(seen[0]);
        }
    }

    private static boolean isNotification(Packet packet) {
        MemorySegment bytes = packet.segment().asSlice(packet.offset(), packet.length());
        Bth bth = Bth.read(bytes, 0);
        return bth.opcode() == 0x81
                && bth.becn()
                && !bth.fecn()
                && packet.length() == 12 + 16 + 4
                && MemorySegment.mismatch(bytes, 12, 28, MemorySegment.ofArray(new byte[16]), 0, 16) == -1;
    }
}
