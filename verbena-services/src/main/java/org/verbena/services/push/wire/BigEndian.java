package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Fields of 8 to 64 bits in network byte order, at any offset. An offset outside the segment is the caller's bug and throws {@link
 * IndexOutOfBoundsException}.
 */
final class BigEndian {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private BigEndian() {}

    /** The byte at {@code at}, 0 … 255. */
    static int readByte(MemorySegment segment, long at) {
        return segment.get(ValueLayout.JAVA_BYTE, at) & 0xff;
    }

    /** Two bytes from {@code at}, 0 … 65,535. */
    static int readShort(MemorySegment segment, long at) {
        return segment.get(SHORT, at) & 0xffff;
    }

    /** Four bytes from {@code at}. */
    static int readInt(MemorySegment segment, long at) {
        return segment.get(INT, at);
    }

    /** Eight bytes from {@code at}. */
    static long readLong(MemorySegment segment, long at) {
        return segment.get(LONG, at);
    }

    /** Writes the low 8 bits of {@code value}. */
    static void writeByte(MemorySegment segment, long at, int value) {
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    /** Writes the low 16 bits of {@code value}. */
    static void writeShort(MemorySegment segment, long at, int value) {
        segment.set(SHORT, at, (short) value);
    }

    /** Writes all 32 bits of {@code value}. */
    static void writeInt(MemorySegment segment, long at, int value) {
        segment.set(INT, at, value);
    }

    /** Writes all 64 bits of {@code value}. */
    static void writeLong(MemorySegment segment, long at, long value) {
        segment.set(LONG, at, value);
    }
}
