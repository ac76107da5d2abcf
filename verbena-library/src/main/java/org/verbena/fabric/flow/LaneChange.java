package org.verbena.fabric.flow;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.wire.ib.Vcrc;

/**
 * How the variant CRC changes when only the first byte of a packet does. A CRC is linear: the change depends on the changed bits and the number of bytes
 * behind them, and on nothing else.
 */
final class LaneChange {
    private static final int WORDS = Parcel.ROOM / 4 + 1;
    private static final int LANE_BITS = 4;
    private static final short[][] TABLE = table();

    private LaneChange() {}

    /** The bits of the CRC that change; {@code difference} has only bits of the lane, {@code length} is in bytes, a multiple of four. */
    static int of(int difference, int length) {
        short[] bits = TABLE[length >>> 2];
        int change = 0;
        for (int bit = 0; bit < LANE_BITS; bit++) {
            change ^= bits[bit] & -((difference >>> (4 + bit)) & 1);
        }
        return change & 0xffff;
    }

    private static short[][] table() {
        short[][] table = new short[WORDS][LANE_BITS];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(4L * WORDS);
            for (int words = 1; words < WORDS; words++) {
                int none = Vcrc.compute(zeros, 0, 4 * words);
                for (int bit = 0; bit < LANE_BITS; bit++) {
                    zeros.set(ValueLayout.JAVA_BYTE, 0, (byte) (1 << (4 + bit)));
                    table[words][bit] = (short) (Vcrc.compute(zeros, 0, 4 * words) ^ none);
                }
                zeros.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
            }
        }
        return table;
    }
}
