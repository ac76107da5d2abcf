package org.verbena.adapter.ib.management;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ib.Seal;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.mad.Dreq;
import org.verbena.wire.mad.Mad;

/** Datagrams from ever new sources, real or not: queue pair 1 does not prepare a way for each. */
final class FloodTest {
    private static final int HEADERS = Opcode.UD_SEND_ONLY.headerLength();
    private static final int MORE = 100;

    private final Link link = new InProcessNetwork().open();
    private final EngineParts parts = EngineParts.make(new ProtectionTable(16, new Seed(1)), (_, _) -> {}, 0, () -> {});
    private final ManagementQueue queue = new ManagementQueue(
            link, new Transmitter(link, Seal.of(link.framing()), parts.counters(), parts.effort()), parts);
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(HEADERS + Mad.LENGTH + 4);
    private final Packet packet = new Packet().in(MemorySegment.ofBuffer(bytes), bytes);

    private void receive(long nowNs, int source) {
        MemorySegment segment = MemorySegment.ofBuffer(bytes);
        new Deth(Mad.QKEY, Mad.QUEUE_PAIR).write(segment, Bth.LENGTH);
        new Dreq(1, 2, 3, PrivateData.NONE).writeMad(segment, HEADERS, 1);
        packet.at(0, bytes.capacity(), 0)
                .from(0, 0xffff_0a00_0000L + source, 0xc000)
                .to(link.local().high(), link.local().low(), link.local().port());
        queue.receive(nowNs, packet, Opcode.UD_SEND_ONLY);
    }

    @Test
    void onlySoManyNewSourcesAreAnsweredInASecond() {
        queue.serve(Mad.CLASS_CM, (nowNs, source, mad) -> queue.send(source, mad));
        for (int i = 0; i < Limits.MANAGEMENT_PEERS_MAX + MORE; i++) {
            receive(0, i);
        }
        assertEquals(MORE, parts.counters().value(Counter.DROPPED_UNSENT_MAD));
        receive(0, Limits.MANAGEMENT_PEERS_MAX - 1);
        assertEquals(MORE, parts.counters().value(Counter.DROPPED_UNSENT_MAD), "one that is known");
        receive(1_000_000_000, Limits.MANAGEMENT_PEERS_MAX + MORE);
        assertEquals(MORE, parts.counters().value(Counter.DROPPED_UNSENT_MAD), "a new second");
    }
}
