package org.verbena.link.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Numbers in the bytes of a frame, the highest byte first. */
final class FrameBytes {
    private static final ValueLayout.OfShort BIG_16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt BIG_32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private FrameBytes() {}

    static int byteAt(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }

    static void putByte(MemorySegment memory, long offset, int value) {
        memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    static int shortAt(MemorySegment memory, long offset) {
        return memory.get(BIG_16, offset) & 0xffff;
    }

    static void putShort(MemorySegment memory, long offset, int value) {
        memory.set(BIG_16, offset, (short) value);
    }

    static int intAt(MemorySegment memory, long offset) {
        return memory.get(BIG_32, offset);
    }

    static void putInt(MemorySegment memory, long offset, int value) {
        memory.set(BIG_32, offset, value);
    }

    /** An Ethernet address: 48 bits. */
    static long addressAt(MemorySegment memory, long offset) {
        return (long) shortAt(memory, offset) << 32 | (intAt(memory, offset + 2) & 0xffff_ffffL);
    }
}
