package org.verbena.adapter.ib.management;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.Seal;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Seed;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.mad.Dreq;
import org.verbena.wire.mad.Mad;

/** The UDP port that a datagram is answered at. */
final class AnswerPortTest {
    private static final int HEADERS = Opcode.UD_SEND_ONLY.headerLength();

    private final Link link = new InProcessNetwork().open();
    private final EngineParts parts = EngineParts.make(new ProtectionTable(16, new Seed(1)), (_, _) -> {}, 0, () -> {});
    private final ManagementQueue queue = new ManagementQueue(
            link, new Transmitter(link, Seal.of(link.framing()), parts.counters(), parts.effort()), parts);

    private int answeredAt(int named) {
        List<Integer> ports = new ArrayList<>();
        queue.serve(Mad.CLASS_CM, (nowNs, source, mad) -> ports.add(source.port()));
        ByteBuffer bytes = ByteBuffer.allocateDirect(HEADERS + Mad.LENGTH + 4);
        MemorySegment segment = MemorySegment.ofBuffer(bytes);
        new Deth(Mad.QKEY, Mad.QUEUE_PAIR).write(segment, Bth.LENGTH);
        new Dreq(1, 2, 3, PrivateData.NONE).writeMad(segment, HEADERS, 1);
        Mad.senderPort(segment, HEADERS, named);
        Packet packet = new Packet()
                .in(segment, bytes)
                .at(0, bytes.capacity(), 0)
                .from(0, 0xffff_0a00_0001L, 0xc000)
                .to(link.local().high(), link.local().low(), link.local().port());
        queue.receive(0, packet, Opcode.UD_SEND_ONLY);
        return ports.getFirst();
    }

    @Test
    void itIsTheOneThatTheDatagramNames() {
        assertEquals(1024, answeredAt(1024));
        assertEquals(0xffff, answeredAt(0xffff));
    }

    @Test
    void itIsTheOneThatTheDatagramCameToIfNoneIsNamed() {
        assertEquals(link.local().port(), answeredAt(0));
    }

    /** A forged datagram must not have packets sent to a name server or a clock. */
    @Test
    void aPortOfTheSystemIsNotAnswered() {
        for (int port : new int[] {1, 53, 123, 1023}) {
            assertEquals(link.local().port(), answeredAt(port));
        }
    }
}
