package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Reth;

/** A link without room: no packet is lost or sent twice, and each leaves when the link has room for it. */
final class FullLinkTest {
    /** A link that has room for the number of packets that a test gives. */
    private static final class NarrowLink extends ForwardingLink {
        private int room;

        NarrowLink(Link inner, int room) {
            super(inner);
            this.room = room;
        }

        @Override
        public @Nullable Packet claim(LinkPath path, int length) {
            Packet packet = room > 0 ? super.claim(path, length) : null;
            room -= packet == null ? 0 : 1;
            return packet;
        }

        @Override
        public void abandon(Packet packet) {
            room++;
            super.abandon(packet);
        }
    }

    enum Request {
        SEND,
        WRITE,
        READ,
        FETCH_ADD,
        COMPARE_SWAP,
        ATOMIC_WRITE,
        UNRELIABLE_SEND,
        UNRELIABLE_WRITE;

        Service service() {
            return this == UNRELIABLE_SEND || this == UNRELIABLE_WRITE ? Service.UC : Service.RC;
        }

        boolean holdsItsLanding() {
            return switch (this) {
                case READ, FETCH_ADD, COMPARE_SWAP, ATOMIC_WRITE -> true;
                default -> false;
            };
        }

        void post(Exchange wire) {
            wire.fill(0, 600, 3);
            wire.post(
                    switch (this) {
                        case SEND, UNRELIABLE_SEND -> new WorkRequest.Send(1, wire.segment(0, 600));
                        case WRITE, UNRELIABLE_WRITE ->
                            new WorkRequest.Write(1, wire.segment(0, 600), Exchange.remote(8));
                        case READ -> new WorkRequest.Read(1, wire.segment(0, 600), Exchange.remote(8));
                        case FETCH_ADD ->
                            new WorkRequest.FetchAdd(
                                    1, wire.segment(0, 8), Exchange.remote(8), 5, SendOptions.SIGNALLED);
                        case COMPARE_SWAP ->
                            new WorkRequest.CompareSwap(
                                    1, wire.segment(0, 8), Exchange.remote(8), 5, 6, SendOptions.SIGNALLED);
                        case ATOMIC_WRITE ->
                            new WorkRequest.AtomicWrite(1, 7, Exchange.remote(8), SendOptions.SIGNALLED);
                    });
        }
    }

    enum Answer {
        ACKNOWLEDGEMENT,
        SEQUENCE_NAK,
        RNR_NAK,
        LAST_NAK,
        READ_RESPONSES,
        ATOMIC_RESPONSE;

        void provoke(Exchange wire) {
            wire.fill(0, 600, 4);
            wire.peerSends(
                    switch (this) {
                        case ACKNOWLEDGEMENT ->
                            WirePacket.writeOnly(0, wire.reth(0, 1), new byte[1])
                                    .asking();
                        case SEQUENCE_NAK ->
                            WirePacket.writeOnly(1, wire.reth(0, 1), new byte[1])
                                    .asking();
                        case RNR_NAK -> WirePacket.sendOnly(0, new byte[1]).asking();
                        case LAST_NAK -> WirePacket.writeOnly(0, new Reth(0, -1, 1), new byte[1]);
                        case READ_RESPONSES -> WirePacket.readRequest(0, wire.reth(0, 600));
                        case ATOMIC_RESPONSE -> WirePacket.fetchAdd(0, wire.region.address(), wire.region.key(), 1);
                    });
        }
    }

    private final List<NarrowLink> links = new ArrayList<>();

    /** The adapter's link has this room. */
    private Exchange exchange(Service service, int room) {
        return new Exchange(Exchange.USUAL, options -> options.withService(service), inner -> {
            links.add(new NarrowLink(inner, room));
            return links.getLast();
        });
    }

    /** Gives room for one packet after the other; exactly these leave. */
    private void leaveOneByOne(Exchange wire, List<WirePacket> expected) {
        assertFalse(expected.isEmpty());
        for (WirePacket packet : expected) {
            links.getLast().room = 1;
            wire.run().adapterSends(packet);
        }
        links.getLast().room = 1;
        wire.run().adapterIsSilent();
    }

    @ParameterizedTest
    @EnumSource(Request.class)
    void aRequestLeavesWhenTheLinkHasRoom(Request request) {
        try (Exchange wide = exchange(request.service(), Integer.MAX_VALUE);
                Exchange wire = exchange(request.service(), 0)) {
            request.post(wide);
            request.post(wire);
            wire.adapterIsSilent();
            wire.complete();
            assertEquals(0, wire.adapter.landingsHeld(), "a request that did not leave holds no landing");
            leaveOneByOne(wire, wide.arrived());
            assertEquals(request.holdsItsLanding() ? 1 : 0, wire.adapter.landingsHeld());
            assertEquals(wide.completions().size(), wire.completions().size());
        }
    }

    @ParameterizedTest
    @EnumSource(Answer.class)
    void anAnswerLeavesWhenTheLinkHasRoom(Answer answer) {
        try (Exchange wide = exchange(Service.RC, Integer.MAX_VALUE);
                Exchange wire = exchange(Service.RC, 0)) {
            answer.provoke(wide);
            answer.provoke(wire);
            wire.adapterIsSilent();
            assertEquals(
                    QueuePairState.READY_TO_SEND, wire.queuePair.state(), "the peer does not know of an error yet");
            leaveOneByOne(wire, wide.arrived());
            assertEquals(wide.queuePair.state(), wire.queuePair.state());
        }
    }
}
