package org.verbena.wire.ib;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;
import org.verbena.wire.BigEndian;

/** Bytes of any kind and length: after the one check of length no header can be read beyond the packet. */
final class AnyBytesTest {
    private static final int SHORTEST = Bth.LENGTH + Icrc.LENGTH;

    @Test
    void oneCheckOfLengthIsEnough() {
        Seed seed = new Seed(2026);
        MemorySegment copy = MemorySegment.ofArray(new byte[100]);
        int read = 0;
        for (int i = 0; i < 200_000; i++) {
            MemorySegment packet = MemorySegment.ofArray(new byte[SHORTEST + seed.nextInt(60)]);
            for (int at = 0; at < packet.byteSize(); at++) {
                BigEndian.writeByte(packet, at, seed.nextInt());
            }
            Opcode opcode = Opcode.of(Bth.opcode(packet, 0));
            int length = (int) packet.byteSize();
            if (opcode != null && opcode.payloadLength(length, Bth.padCount(packet, 0)) >= 0) {
                PacketHeaders.copy(packet, copy, 0);
                read++;
            }
        }
        assertTrue(read > 10_000);
    }
}
