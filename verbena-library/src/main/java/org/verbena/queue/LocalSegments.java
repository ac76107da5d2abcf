package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Layout of a gather or scatter list in a slot: 16 bytes a segment.
 *
 * <pre>
 *    0  8  address, as the region's key knows it
 *    8  4  length, unsigned
 *   12  4  local key
 * </pre>
 *
 * Each method writes or reads the field of its name; {@code at} is the segment's offset in the ring's memory.
 */
public final class LocalSegments {
    /** Bytes of a segment. */
    public static final int LENGTH = 16;

    private LocalSegments() {}

    /** Writes a segment. */
    public static void write(MemorySegment ring, long at, long address, long length, int key) {
        ring.set(ValueLayout.JAVA_LONG, at, address);
        ring.set(ValueLayout.JAVA_INT, at + 8, (int) length);
        ring.set(ValueLayout.JAVA_INT, at + 12, key);
    }

    public static long address(MemorySegment ring, long at) {
        return ring.get(ValueLayout.JAVA_LONG, at);
    }

    public static long length(MemorySegment ring, long at) {
        return Integer.toUnsignedLong(ring.get(ValueLayout.JAVA_INT, at + 8));
    }

    public static int key(MemorySegment ring, long at) {
        return ring.get(ValueLayout.JAVA_INT, at + 12);
    }
}
