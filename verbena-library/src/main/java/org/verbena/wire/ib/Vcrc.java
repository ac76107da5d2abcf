package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Variant CRC: protects all of a packet over one link, so every switch that changes the packet computes it anew
 * (specification 7.8.2). Sixteen bits, polynomial 0x100B, bits in the order of the wire, start and result inverted, stored
 * with the least significant byte first. RoCEv2 has none.
 */
public final class Vcrc {
    /** Bytes on the wire. */
    public static final int LENGTH = 2;

    /** 0x100B with its bits reversed. */
    private static final int POLYNOMIAL = 0xd008;

    private static final int ONES = 0xffff;
    private static final short[] TABLE = table();
    private static final ValueLayout.OfShort STORED =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Vcrc() {}

    /** The CRC of {@code length} bytes from {@code at}, 0 … 65,535: from the {@link Lrh} to the {@link Icrc} inclusive. */
    public static int compute(MemorySegment segment, long at, int length) {
        int crc = ONES;
        for (int i = 0; i < length; i++) {
            int index = (crc ^ segment.get(ValueLayout.JAVA_BYTE, at + i)) & 0xff;
            crc = (crc >>> 8) ^ (TABLE[index] & ONES);
        }
        return crc ^ ONES;
    }

    /** The CRC stored at {@code at}. */
    public static int read(MemorySegment segment, long at) {
        return segment.get(STORED, at) & ONES;
    }

    /** Stores a CRC at {@code at}. */
    public static void write(MemorySegment segment, long at, int vcrc) {
        segment.set(STORED, at, (short) vcrc);
    }

    private static short[] table() {
        short[] table = new short[256];
        for (int index = 0; index < table.length; index++) {
            int crc = index;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ (POLYNOMIAL & -(crc & 1));
            }
            table[index] = (short) crc;
        }
        return table;
    }
}
