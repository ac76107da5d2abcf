package org.verbena.wire.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

final class VcrcTest {
    private final MemorySegment segment = MemorySegment.ofArray(new byte[300]);
    private final Seed seed = new Seed(16);

    private void fill() {
        for (int i = 0; i < 300; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) seed.nextInt(256));
        }
    }

    /** Bit by bit, in the order of the wire: lowest bit of a byte first, highest power of the polynomial first. */
    private int reference(int at, int length) {
        int register = 0xffff;
        for (int bit = 0; bit < length * 8; bit++) {
            int in = (segment.get(ValueLayout.JAVA_BYTE, at + bit / 8) >> (bit % 8)) & 1;
            int out = register >>> 15;
            register = (register << 1) & 0xffff;
            register ^= in != out ? 0x100b : 0;
        }
        return Integer.reverse(~register) >>> 16;
    }

    @Test
    void isThatOfTheShiftRegister() {
        for (int i = 0; i < 500; i++) {
            fill();
            int at = seed.nextInt(10);
            int length = seed.nextInt(290);
            assertEquals(reference(at, length), Vcrc.compute(segment, at, length));
        }
    }

    @Test
    void packetWithItsCrcHasOneRemainder() {
        int[] remainder = new int[2];
        for (int i = 0; i < 2; i++) {
            fill();
            Vcrc.write(segment, 100 + i, Vcrc.compute(segment, 0, 100 + i));
            assertEquals(Vcrc.read(segment, 100 + i), Vcrc.compute(segment, 0, 100 + i));
            remainder[i] = Vcrc.compute(segment, 0, 102 + i);
        }
        assertEquals(remainder[0], remainder[1]);
    }

    @Test
    void everyBitCounts() {
        fill();
        int before = Vcrc.compute(segment, 0, 60);
        for (int bit = 0; bit < 480; bit++) {
            byte old = segment.get(ValueLayout.JAVA_BYTE, bit / 8);
            segment.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (old ^ (1 << (bit % 8))));
            assertNotEquals(before, Vcrc.compute(segment, 0, 60));
            segment.set(ValueLayout.JAVA_BYTE, bit / 8, old);
        }
    }
}
