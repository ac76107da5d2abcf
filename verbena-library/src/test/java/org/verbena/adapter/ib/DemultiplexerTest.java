package org.verbena.adapter.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.trace.Counter;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;

/** Packets that never reach a queue pair: each is counted under its reason and has no other effect. */
final class DemultiplexerTest {
    private final Exchange wire = new Exchange();
    private final WirePacket write =
            WirePacket.writeOnly(0, wire.reth(0, 4), new byte[] {1, 2, 3, 4}).asking();

    @AfterEach
    void close() {
        wire.close();
    }

    private void intact(MemorySegment to, int queuePair, int pkey) {
        write.write(to, 0, queuePair, pkey, Exchange.PEER_FIRST_PSN);
    }

    private void dropped(Counter counter, int length, Consumer<MemorySegment> bytes, boolean sealed) {
        wire.peerSendsBytes(length, bytes, sealed);
        wire.run().adapterIsSilent();
        assertEquals(
                1,
                wire.counted(counter),
                () -> "counters: " + wire.adapter.counters().snapshot());
        assertArrayEquals(new byte[4], wire.bytesAt(0, 4));
        wire.peerSends(write).adapterSends(WirePacket.ack(0, 1));
    }

    private void changed(Counter counter, Consumer<MemorySegment> change) {
        dropped(
                counter,
                write.length(),
                segment -> {
                    intact(segment, wire.queuePair.number(), Partitions.DEFAULT_KEY);
                    change.accept(segment);
                },
                true);
    }

    @Test
    void tooShortForAnyPacket() {
        dropped(Counter.DROPPED_TOO_SHORT, 15, segment -> segment.fill((byte) 0), false);
    }

    @Test
    void tooShortForItsHeaders() {
        dropped(
                Counter.DROPPED_TOO_SHORT,
                31,
                segment -> {
                    segment.fill((byte) 0);
                    segment.set(ValueLayout.JAVA_BYTE, 0, (byte) Opcode.RC_RDMA_WRITE_ONLY.code());
                },
                true);
    }

    @Test
    void tooShortForItsPadding() {
        dropped(
                Counter.DROPPED_TOO_SHORT,
                17,
                segment -> {
                    segment.fill((byte) 0);
                    segment.set(ValueLayout.JAVA_BYTE, 0, (byte) Opcode.RC_SEND_ONLY.code());
                    segment.set(ValueLayout.JAVA_BYTE, 1, (byte) 0x30);
                },
                true);
    }

    @Test
    void aPayloadThatNeedsPadBytesAndHasNone() {
        dropped(
                Counter.DROPPED_UNPADDED,
                write.length() + 1,
                s -> intact(s, wire.queuePair.number(), Partitions.DEFAULT_KEY),
                true);
    }

    @Test
    void anOpcodeThatIsNone() {
        changed(Counter.DROPPED_UNKNOWN_OPCODE, s -> s.set(ValueLayout.JAVA_BYTE, 0, (byte) 0x1f));
    }

    @Test
    void anotherVersion() {
        changed(Counter.DROPPED_BAD_VERSION, s -> s.set(ValueLayout.JAVA_BYTE, 1, (byte) 1));
    }

    @Test
    void aQueuePairThatIsNone() {
        changed(
                Counter.DROPPED_UNKNOWN_QUEUE_PAIR,
                s -> intact(s, wire.queuePair.number() + 1, Partitions.DEFAULT_KEY));
    }

    @Test
    void anEarlierGenerationOfAQueuePair() {
        changed(
                Counter.DROPPED_UNKNOWN_QUEUE_PAIR,
                s -> intact(s, wire.queuePair.number() + 0x01_0000, Partitions.DEFAULT_KEY));
    }

    @Test
    void aQueuePairThatIsNotReady() {
        var other = wire.adapter.createQueuePair(QueuePairOptions.of(wire.domain, wire.completions));
        changed(Counter.DROPPED_WRONG_STATE, s -> intact(s, other.number(), Partitions.DEFAULT_KEY));
    }

    @Test
    void anotherService() {
        changed(
                Counter.DROPPED_WRONG_SERVICE,
                s -> s.set(ValueLayout.JAVA_BYTE, 0, (byte) Opcode.UC_RDMA_WRITE_ONLY.code()));
    }

    @Test
    void anotherPartition() {
        changed(Counter.DROPPED_WRONG_PKEY, s -> intact(s, wire.queuePair.number(), 0x8001));
    }

    @Test
    void aLimitedMemberOfThePartitionIsWelcome() {
        wire.peerSendsBytes(write.length(), s -> intact(s, wire.queuePair.number(), 0x7fff), true);
        wire.run().adapterSends(WirePacket.ack(0, 1));
    }

    @Test
    void anotherSender() {
        Link stranger = wire.network.open();
        wire.sendBytes(
                stranger,
                stranger.path(wire.adapter.endpoint(), LinkFlow.of(0)),
                write.length(),
                s -> intact(s, wire.queuePair.number(), Partitions.DEFAULT_KEY),
                true);
        wire.run().adapterIsSilent();
        assertEquals(1, wire.counted(Counter.DROPPED_WRONG_SOURCE));
        stranger.close();
    }

    @Test
    void aDamagedPacket() {
        dropped(
                Counter.DROPPED_BAD_ICRC,
                write.length(),
                s -> intact(s, wire.queuePair.number(), Partitions.DEFAULT_KEY),
                false);
    }
}
