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
    /** Bytes that one step takes. */
    private static final int STEP = 16;
    /** Table n is of a byte with n bytes behind it. */
    private static final char[][] TABLES = tables();

    private static final char[] LAST = TABLES[0];
    private static final ValueLayout.OfLong EIGHT = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort STORED =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Vcrc() {}

    /** The CRC of {@code length} bytes from {@code at}, 0 … 65,535: from the {@link Lrh} to the {@link Icrc} inclusive. */
    public static int compute(MemorySegment segment, long at, int length) {
        int crc = ONES;
        int i = 0;
        for (; i + STEP <= length; i += STEP) {
            crc = behindEight(segment.get(EIGHT, at + i) ^ crc) ^ eight(segment.get(EIGHT, at + i + 8));
        }
        for (; i < length; i++) {
            crc = (crc >>> 8) ^ LAST[(crc ^ segment.get(ValueLayout.JAVA_BYTE, at + i)) & 0xff];
        }
        return crc ^ ONES;
    }

    /** The part of eight bytes in the CRC after eight more. The first is in the low bits; the CRC before them is in them. */
    private static int behindEight(long bytes) {
        int low = (int) bytes;
        int high = (int) (bytes >>> 32);
        return TABLES[15][low & 0xff]
                ^ TABLES[14][low >>> 8 & 0xff]
                ^ TABLES[13][low >>> 16 & 0xff]
                ^ TABLES[12][low >>> 24]
                ^ TABLES[11][high & 0xff]
                ^ TABLES[10][high >>> 8 & 0xff]
                ^ TABLES[9][high >>> 16 & 0xff]
                ^ TABLES[8][high >>> 24];
    }

    /** The part of eight bytes in the CRC after them, the first in the low bits. */
    private static int eight(long bytes) {
        int low = (int) bytes;
        int high = (int) (bytes >>> 32);
        return TABLES[7][low & 0xff]
                ^ TABLES[6][low >>> 8 & 0xff]
                ^ TABLES[5][low >>> 16 & 0xff]
                ^ TABLES[4][low >>> 24]
                ^ TABLES[3][high & 0xff]
                ^ TABLES[2][high >>> 8 & 0xff]
                ^ TABLES[1][high >>> 16 & 0xff]
                ^ TABLES[0][high >>> 24];
    }

    /** The CRC stored at {@code at}. */
    public static int read(MemorySegment segment, long at) {
        return segment.get(STORED, at) & ONES;
    }

    /** Stores a CRC at {@code at}. */
    public static void write(MemorySegment segment, long at, int vcrc) {
        segment.set(STORED, at, (short) vcrc);
    }

    private static char[][] tables() {
        char[][] tables = new char[STEP][256];
        for (int index = 0; index < 256; index++) {
            int crc = index;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ (POLYNOMIAL & -(crc & 1));
            }
            tables[0][index] = (char) crc;
        }
        for (int behind = 1; behind < STEP; behind++) {
            for (int index = 0; index < 256; index++) {
                int crc = tables[behind - 1][index];
                tables[behind][index] = (char) ((crc >>> 8) ^ tables[0][crc & 0xff]);
            }
        }
        return tables;
    }
}
