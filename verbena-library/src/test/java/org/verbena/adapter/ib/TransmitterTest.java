package org.verbena.adapter.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Mtu;
import org.verbena.adapter.Effort;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;

/** Packets between {@link Transmitter#begin} and the link of the peer. */
final class TransmitterTest {
    private static final int PEER = 0x1234;
    private static final int PSN = 0xabcdef;

    private final InProcessNetwork network = new InProcessNetwork();
    private final Link left = network.open();
    private final Link right = network.open();
    private final Seal seal = Seal.of(left.framing());
    private final Counters counters = new Counters();
    private final Effort effort = new Effort();
    private final Transmitter transmitter = new Transmitter(left, seal, counters, effort);
    private final LinkPath path = left.path(right.local(), LinkFlow.of(0));
    private final Peer peer = new Peer(path, PEER, Partitions.DEFAULT_KEY, Mtu.MTU_4096);

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private Packet begin(int payload) {
        Packet packet = transmitter.begin(peer, Opcode.RC_SEND_ONLY, payload, PSN, true, false);
        assertNotNull(packet);
        packet.segment().asSlice(packet.offset() + Bth.LENGTH).fill((byte) 0x55);
        return packet;
    }

    private void arrives(PacketHandler check) {
        transmitter.flush();
        assertEquals(1, right.receive(check, 2));
    }

    @Test
    void aPacketArrivesWithItsHeaderAndSealed() {
        transmitter.end(begin(8));
        arrives(packet -> {
            assertEquals(Bth.LENGTH + 8 + seal.length(), packet.length());
            assertEquals(PEER, Bth.destinationQueuePair(packet.segment(), packet.offset()));
            assertEquals(PSN, Bth.psn(packet.segment(), packet.offset()));
            assertTrue(seal.isIntact(0, packet));
        });
    }

    @Test
    void aDamagedPacketIsNotIntact() {
        transmitter.end(begin(8));
        arrives(packet -> {
            long at = (long) packet.offset() + Bth.LENGTH;
            packet.segment().set(ValueLayout.JAVA_BYTE, at, (byte) 0x54);
            assertFalse(seal.isIntact(0, packet));
        });
    }

    @Test
    void aPayloadIsPaddedWithZeroesToAWord() {
        transmitter.end(begin(5));
        arrives(packet -> {
            assertEquals(Bth.LENGTH + 8 + seal.length(), packet.length());
            assertEquals(3, Bth.padCount(packet.segment(), packet.offset()));
            byte[] padding = packet.segment()
                    .asSlice(packet.offset() + Bth.LENGTH + 5, 3)
                    .toArray(ValueLayout.JAVA_BYTE);
            assertEquals(List.of((byte) 0, (byte) 0, (byte) 0), List.of(padding[0], padding[1], padding[2]));
        });
    }

    @Test
    void effortGrowsByOneForAShortPacketAndByOneForEachKib() {
        transmitter.end(begin(0));
        assertEquals(1, effort.spent());
        transmitter.end(begin(4096));
        assertEquals(5, effort.spent());
        assertEquals(2, counters.value(Counter.SENT_PACKETS));
    }

    @Test
    void anAbandonedPacketIsNotSent() {
        transmitter.abandon(begin(8));
        transmitter.flush();
        assertEquals(0, right.receive(_ -> {}, 1));
        assertEquals(0, effort.spent());
        assertEquals(0, counters.value(Counter.SENT_PACKETS));
    }

    @Test
    void recoveryAbandonsAPacketThatWasBegunAndNothingElse() {
        transmitter.end(begin(4));
        begin(8);
        transmitter.recover();
        transmitter.recover();
        transmitter.end(begin(12));
        transmitter.flush();
        List<Integer> lengths = new ArrayList<>();
        right.receive(packet -> lengths.add(packet.length()), 3);
        assertEquals(List.of(Bth.LENGTH + 4 + seal.length(), Bth.LENGTH + 12 + seal.length()), lengths);
    }

    @Test
    void aRawPacketHasNoHeaderOfInfiniBandAndNoSeal() {
        Packet raw = transmitter.beginRaw(path, 0x88b5, 6);
        assertNotNull(raw);
        transmitter.end(raw);
        arrives(packet -> {
            assertTrue(packet.raw());
            assertEquals(EtherTypes.HEADER_LENGTH + 6, packet.length());
        });
    }
}
