package org.verbena.adapter.iwarp.mpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;
import org.verbena.ReadyMessage;
import org.verbena.adapter.iwarp.mpa.Negotiation.State;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;
import org.verbena.wire.iwarp.TerminateCode;

/** Requests, replies and what two sides agree on, in both roles. */
final class NegotiationTest {
    private static final PrivateData HELLO = PrivateData.of((byte) 1, (byte) 2, (byte) 3);
    private static final PrivateData WELCOME = PrivateData.of((byte) 9);
    private static final long DEADLINE_NS = 5_000;

    private static MpaOffer offer(int revision, boolean markers, boolean crc, int ird, int ord, ReadyMessage... ready) {
        return new MpaOffer(revision, markers, crc, ird, ord, Set.of(ready), HELLO);
    }

    private static int give(MemorySegment frame, Negotiation to) {
        return to.receive(frame, 0, (int) frame.byteSize());
    }

    /** A request that was answered; the initiator's side. */
    private static Negotiation[] negotiate(MpaOffer first, MpaOffer second) {
        Negotiation initiator = Negotiation.initiate(first, DEADLINE_NS);
        Negotiation responder = Negotiation.respond(DEADLINE_NS);
        assertEquals(initiator.output().byteSize(), give(initiator.output(), responder));
        assertEquals(State.REQUESTED, responder.state());
        responder.accept(second);
        assertEquals(State.AGREED, responder.state());
        give(responder.output(), initiator);
        return new Negotiation[] {initiator, responder};
    }

    private static MpaAgreement agreed(Negotiation side) {
        assertEquals(State.AGREED, side.state(), () -> String.valueOf(side.failure()));
        MpaAgreement agreement = side.agreement();
        assertNotNull(agreement);
        return agreement;
    }

    @Test
    void bothSidesAgreeOnTheSame() {
        for (int revision = 1; revision <= 2; revision++) {
            for (int flags = 0; flags < 16; flags++) {
                MpaOffer first = offer(revision, (flags & 1) != 0, (flags & 2) != 0, 8, 4);
                MpaOffer second = offer(2, (flags & 4) != 0, (flags & 8) != 0, 16, 2);
                Negotiation[] sides = negotiate(first, second);
                MpaAgreement one = agreed(sides[0]);
                MpaAgreement two = agreed(sides[1]);
                assertEquals(revision, one.revision());
                assertEquals(one.sent(), two.received());
                assertEquals(two.sent(), one.received());
                assertEquals(second.markers(), one.sent().markers(), "the receiver decides on markers");
                assertEquals(first.crc() || second.crc(), one.sent().crc());
                assertEquals(HELLO, one.privateData());
                assertNull(one.ready());
                assertEquals(4, one.ord());
                assertEquals(revision == 1 ? 16 : 4, two.ird(), "in revision 1 the depths are told in another way");
                assertEquals(2, two.ord());
            }
        }
    }

    @Test
    void depthsAreLimitedByThePeer() {
        Negotiation[] sides = negotiate(offer(2, false, true, 3, 100), offer(2, false, true, 10, 50));
        assertEquals(10, agreed(sides[0]).ord());
        assertEquals(3, agreed(sides[1]).ord());
        assertEquals(10, agreed(sides[1]).ird());
    }

    @Test
    void depthsThatAreNotNegotiatedLimitNothing() {
        MemorySegment request = frame(false, true, 2, MpaDepths.NOT_NEGOTIATED, MpaDepths.NOT_NEGOTIATED);
        Negotiation responder = Negotiation.respond(DEADLINE_NS);
        give(request, responder);
        responder.accept(offer(2, false, false, 7, 9));
        assertEquals(7, agreed(responder).ird());
        assertEquals(9, agreed(responder).ord());
        Negotiation initiator = Negotiation.initiate(offer(2, false, false, 7, 9), DEADLINE_NS);
        give(frame(true, true, 2, MpaDepths.NOT_NEGOTIATED, MpaDepths.NOT_NEGOTIATED), initiator);
        assertEquals(7, agreed(initiator).ird());
        assertEquals(9, agreed(initiator).ord());
    }

    private static MemorySegment frame(boolean reply, boolean enhanced, int revision, int ird, int ord) {
        int data = enhanced ? MpaDepths.LENGTH : 0;
        MemorySegment frame = MemorySegment.ofArray(new byte[MpaHeader.LENGTH + data]);
        new MpaHeader(reply, false, false, false, enhanced, revision, data).write(frame, 0);
        if (enhanced) {
            new MpaDepths(false, false, ird, false, false, ord).write(frame, MpaHeader.LENGTH);
        }
        return frame;
    }

    @Test
    void readyMessageIsOneThatBothKnow() {
        for (ReadyMessage each : ReadyMessage.values()) {
            Negotiation[] sides =
                    negotiate(offer(2, false, false, 1, 1, ReadyMessage.values()), offer(2, false, false, 1, 1, each));
            assertEquals(each, agreed(sides[0]).ready());
            assertEquals(each, agreed(sides[1]).ready());
        }
        Negotiation[] sides = negotiate(
                offer(2, false, false, 1, 1, ReadyMessage.values()),
                offer(2, false, false, 1, 1, ReadyMessage.values()));
        assertEquals(ReadyMessage.WRITE, agreed(sides[0]).ready(), "as Linux prefers it");
    }

    @Test
    void peerToPeerThatTheResponderDoesNotKnowIsClientAndServer() {
        Negotiation[] sides = negotiate(offer(2, false, false, 1, 1, ReadyMessage.WRITE), offer(2, false, false, 1, 1));
        assertNull(agreed(sides[0]).ready());
        assertNull(agreed(sides[1]).ready());
    }

    private static List<Set<ReadyMessage>> subsets() {
        var found = new ArrayList<Set<ReadyMessage>>();
        for (int bits = 0; bits < 8; bits++) {
            Set<ReadyMessage> set = EnumSet.noneOf(ReadyMessage.class);
            for (ReadyMessage each : ReadyMessage.values()) {
                if ((bits >> each.ordinal() & 1) != 0) {
                    set.add(each);
                }
            }
            found.add(set);
        }
        return found;
    }

    /** Each offer with each that the responder knows: the first of write, read, send that both know. */
    @Test
    void everyOfferOfReadyMessagesMeetsEveryAcceptance() {
        for (Set<ReadyMessage> asked : subsets()) {
            for (Set<ReadyMessage> known : subsets()) {
                Negotiation[] sides = negotiate(
                        offer(2, false, false, 1, 1, asked.toArray(ReadyMessage[]::new)),
                        offer(2, false, false, 1, 1, known.toArray(ReadyMessage[]::new)));
                String which = asked + " asked, " + known + " known";
                Set<ReadyMessage> common = EnumSet.copyOf(asked);
                common.retainAll(known);
                @Nullable
                ReadyMessage expected =
                        common.isEmpty() ? null : common.iterator().next();
                assertEquals(expected, agreed(sides[1]).ready(), which);
                if (expected == null && !asked.isEmpty() && !known.isEmpty()) {
                    assertEquals(NegotiationFailure.NO_MATCHING_READY, sides[0].failure(), which);
                } else {
                    assertEquals(expected, agreed(sides[0]).ready(), which);
                }
                MpaDepths reply = MpaDepths.read(sides[1].output(), MpaHeader.LENGTH);
                assertEquals(!asked.isEmpty() && !known.isEmpty(), reply.peerToPeer(), which);
                if (expected != null) {
                    assertEquals(expected == ReadyMessage.WRITE, reply.writeReady(), which);
                    assertEquals(expected == ReadyMessage.READ, reply.readReady(), which);
                    assertEquals(expected == ReadyMessage.SEND, reply.sendReady(), which);
                }
            }
        }
    }

    /** Linux siw answers "write" to an initiator that knows a send only. */
    @Test
    void aReadyMessageThatWasNotOfferedFails() {
        Negotiation initiator = Negotiation.initiate(offer(2, false, false, 1, 1, ReadyMessage.SEND), 1000);
        Negotiation responder = Negotiation.initiate(offer(2, false, false, 1, 1, ReadyMessage.WRITE), 1000);
        MemorySegment reply = responder.output();
        MpaHeader header = Objects.requireNonNull(MpaHeader.read(reply, 0));
        new MpaHeader(true, false, false, false, true, 2, header.privateDataLength()).write(reply, 0);
        initiator.receive(reply, 0, (int) reply.byteSize());
        assertEquals(NegotiationFailure.NO_MATCHING_READY, initiator.failure());
    }

    /** The frames have a place for a read as ready message; the consumers' depths stay as they are. */
    @Test
    void aReadAsReadyMessageHasAPlaceAmongTheReads() {
        Negotiation[] sides = negotiate(
                offer(2, false, false, 0, 0, ReadyMessage.values()), offer(2, false, false, 0, 0, ReadyMessage.READ));
        assertEquals(1, MpaDepths.read(sides[0].output(), MpaHeader.LENGTH).ord());
        assertEquals(1, MpaDepths.read(sides[1].output(), MpaHeader.LENGTH).ird());
        assertEquals(0, agreed(sides[0]).ord());
        assertEquals(0, agreed(sides[1]).ird());
        Negotiation[] byWrite = negotiate(
                offer(2, false, false, 0, 0, ReadyMessage.WRITE), offer(2, false, false, 0, 0, ReadyMessage.WRITE));
        assertEquals(0, MpaDepths.read(byWrite[0].output(), MpaHeader.LENGTH).ord());
        assertEquals(0, MpaDepths.read(byWrite[1].output(), MpaHeader.LENGTH).ird());
    }

    @Test
    void noCommonReadyMessageFails() {
        Negotiation initiator = negotiate(
                offer(2, false, false, 1, 1, ReadyMessage.WRITE), offer(2, false, false, 1, 1, ReadyMessage.SEND))[0];
        expectFailure(initiator, NegotiationFailure.NO_MATCHING_READY);
        assertEquals(TerminateCode.MPA_NO_MATCHING_READY, NegotiationFailure.NO_MATCHING_READY.code());
    }

    private static void expectFailure(Negotiation side, NegotiationFailure expected) {
        assertEquals(State.FAILED, side.state());
        assertEquals(expected, side.failure());
        assertNull(side.agreement());
        assertTrue(expected.reason().length() > 10);
    }

    @Test
    void responderThatMakesMoreReadsThanTheInitiatorTakesFails() {
        Negotiation initiator = Negotiation.initiate(offer(2, false, false, 2, 1), DEADLINE_NS);
        give(frame(true, true, 2, 1, 3), initiator);
        expectFailure(initiator, NegotiationFailure.INSUFFICIENT_IRD);
    }

    @Test
    void rejectionCarriesPrivateData() {
        for (int revision = 1; revision <= 2; revision++) {
            Negotiation initiator = Negotiation.initiate(offer(revision, false, true, 1, 1), DEADLINE_NS);
            Negotiation responder = Negotiation.respond(DEADLINE_NS);
            give(initiator.output(), responder);
            assertEquals(HELLO, responder.peerData());
            responder.reject(WELCOME);
            assertEquals(State.REJECTED, responder.state());
            give(responder.output(), initiator);
            assertEquals(State.REJECTED, initiator.state());
            assertEquals(WELCOME, initiator.peerData());
        }
    }

    @Test
    void framesInAnyPiecesAreTakenAndNotAByteMore() {
        for (int piece = 1; piece < 40; piece++) {
            Negotiation initiator = Negotiation.initiate(offer(2, false, true, 1, 1), DEADLINE_NS);
            Negotiation responder = Negotiation.respond(DEADLINE_NS);
            byte[] bytes = initiator.output().toArray(ValueLayout.JAVA_BYTE);
            MemorySegment stream = MemorySegment.ofArray(java.util.Arrays.copyOf(bytes, bytes.length + 50));
            int at = 0;
            while (responder.state() == State.AWAITING_REQUEST) {
                at += responder.receive(stream, at, (int) Math.min(piece, stream.byteSize() - at));
            }
            assertEquals(bytes.length, at);
            assertEquals(State.REQUESTED, responder.state());
            assertEquals(0, responder.receive(stream, at, 5));
        }
    }

    @Test
    void bytesOfAnotherProtocolFailAtTheirFirstSixteen() {
        Negotiation responder = Negotiation.respond(DEADLINE_NS);
        MemorySegment bytes =
                MemorySegment.ofArray("GET / HTTP/1.1\r\nHost: x".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertEquals(16, give(bytes, responder));
        expectFailure(responder, NegotiationFailure.NOT_MPA);
        Negotiation initiator = Negotiation.initiate(offer(1, false, true, 1, 1), DEADLINE_NS);
        give(frame(false, false, 1, 0, 0), initiator);
        expectFailure(initiator, NegotiationFailure.NOT_MPA);
    }

    @Test
    void framesAgainstTheRulesFail() {
        expectRefused(request(true, 2, 513), NegotiationFailure.PRIVATE_DATA_LENGTH);
        expectRefused(request(true, 2, 3), NegotiationFailure.PRIVATE_DATA_LENGTH);
        expectRefused(request(true, 1, 4), NegotiationFailure.REVISION);
        expectRefused(request(false, 0, 0), NegotiationFailure.REVISION);
        expectRefused(request(false, 3, 0), NegotiationFailure.REVISION);
        Negotiation plain = Negotiation.respond(DEADLINE_NS);
        give(request(false, 2, 512), plain);
        assertEquals(State.REQUESTED, plain.state(), "revision 2 without depths is allowed");
        assertEquals(512, plain.peerData().length());
    }

    private static MemorySegment request(boolean enhanced, int revision, int dataLength) {
        MemorySegment frame = MemorySegment.ofArray(new byte[MpaHeader.LENGTH + dataLength]);
        new MpaHeader(false, false, false, false, enhanced, revision, dataLength).write(frame, 0);
        return frame;
    }

    private static void expectRefused(MemorySegment request, NegotiationFailure expected) {
        Negotiation responder = Negotiation.respond(DEADLINE_NS);
        give(request, responder);
        expectFailure(responder, expected);
    }

    @Test
    void repliesAgainstTheRulesFail() {
        Negotiation older = Negotiation.initiate(offer(2, false, false, 1, 1), DEADLINE_NS);
        give(frame(true, false, 1, 0, 0), older);
        expectFailure(older, NegotiationFailure.REVISION);
        Negotiation without = Negotiation.initiate(offer(2, false, false, 1, 1), DEADLINE_NS);
        give(frame(true, false, 2, 0, 0), without);
        expectFailure(without, NegotiationFailure.REVISION);
        Negotiation denied = Negotiation.initiate(offer(2, false, true, 1, 1), DEADLINE_NS);
        give(frame(true, true, 2, 1, 1), denied);
        expectFailure(denied, NegotiationFailure.CRC_DENIED);
    }

    @Test
    void silenceAndEndOfTheStreamFail() {
        Negotiation late = Negotiation.respond(DEADLINE_NS);
        assertEquals(DEADLINE_NS, late.deadlineNs());
        late.onTimeout();
        expectFailure(late, NegotiationFailure.TIMEOUT);
        Negotiation ended = Negotiation.initiate(offer(2, false, true, 1, 1), DEADLINE_NS);
        ended.onStreamEnd();
        expectFailure(ended, NegotiationFailure.STREAM_ENDED);
        Negotiation responder = negotiate(offer(2, false, true, 1, 1), offer(2, false, true, 1, 1))[1];
        responder.onTimeout();
        responder.onStreamEnd();
        assertEquals(State.AGREED, responder.state());
    }

    @Test
    void wrongOffersAndWrongOrderAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> offer(3, false, true, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> offer(2, false, true, 0x3fff, 1));
        assertThrows(IllegalArgumentException.class, () -> offer(1, false, true, 1, 1, ReadyMessage.SEND));
        assertThrows(
                IllegalArgumentException.class,
                () -> MpaOffer.of(1, 1, PrivateData.of(new byte[MpaHeader.PRIVATE_DATA_MAX - 3])));
        Negotiation responder = Negotiation.respond(DEADLINE_NS);
        assertThrows(IllegalStateException.class, () -> responder.accept(offer(2, false, true, 1, 1)));
        assertThrows(IllegalStateException.class, () -> responder.reject(WELCOME));
    }

    /** With the offers that Linux made, the frames are those of the captures, in both roles. */
    @Test
    void framesAreThoseOfLinux() {
        for (String capture :
                List.of("siw_rping", "siw_crc_p2p_write", "siw_mpa1_send", "siw_sendinv", "siw_nvme_mtu1500")) {
            List<CapturedUnits> all = CapturedUnits.of(capture);
            CapturedUnits request = all.get(0);
            CapturedUnits reply = all.get(1);
            Negotiation initiator = Negotiation.initiate(CapturedOffers.of(request), DEADLINE_NS);
            assertEquals(hex(request), hex(initiator.output()), capture);
            Negotiation responder = Negotiation.respond(DEADLINE_NS);
            give(initiator.output(), responder);
            responder.accept(CapturedOffers.of(reply));
            assertEquals(hex(reply), hex(responder.output()), capture);
            give(responder.output(), initiator);
            assertEquals(reply.frame().crc(), agreed(initiator).sent().crc());
        }
    }

    private static String hex(CapturedUnits direction) {
        int length = MpaHeader.LENGTH + direction.frame().privateDataLength();
        return HexFormat.of().formatHex(direction.stream().bytes(), 0, length);
    }

    private static String hex(MemorySegment frame) {
        return HexFormat.of().formatHex(frame.toArray(ValueLayout.JAVA_BYTE));
    }
}
