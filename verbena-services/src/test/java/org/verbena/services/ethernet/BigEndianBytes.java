package org.verbena.services.ethernet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Writes numbers into frames, the highest byte first. */
final class BigEndianBytes {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private BigEndianBytes() {}

    static void putShort(MemorySegment memory, long offset, int value) {
        memory.set(SHORT, offset, (short) value);
    }

    static void putInt(MemorySegment memory, long offset, int value) {
        memory.set(INT, offset, value);
    }
}
