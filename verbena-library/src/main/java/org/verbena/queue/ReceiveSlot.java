package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Layout of one slot of a receive ring, native byte order.
 *
 * <pre>
 *    0  8  id of the work request
 *    8  4  number of segments
 *   12  4  segments that the consumer has counted as operations on their regions, bit 0 for the first
 *   16     segments of 16 bytes ({@link LocalSegments})
 * </pre>
 *
 * Each method writes or reads the field of its name; {@code slot} is the slot's offset in the ring's memory. Values that are
 * read are those of the moment: a consumer may overwrite them at any time, and none of them is out of its type's range.
 */
public final class ReceiveSlot {
    /** Bytes before the segments. */
    public static final int HEADER_LENGTH = 16;

    private ReceiveSlot() {}

    /** Bytes of a slot with room for {@code segmentsMax} segments. */
    public static int length(int segmentsMax) {
        return HEADER_LENGTH + segmentsMax * LocalSegments.LENGTH;
    }

    /** Bytes that a slot of this length has for segments. */
    public static int room(int slotLength) {
        return slotLength - HEADER_LENGTH;
    }

    /** Writes id and number of segments. */
    public static void begin(MemorySegment ring, long slot, long id, int segments) {
        ring.set(ValueLayout.JAVA_LONG, slot, id);
        ring.set(ValueLayout.JAVA_INT, slot + 8, segments);
    }

    /** Which segments were counted as operations on their regions: bit 0 for the first. */
    public static void counted(MemorySegment ring, long slot, int segments) {
        ring.set(ValueLayout.JAVA_INT, slot + 12, segments);
    }

    public static int counted(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_INT, slot + 12);
    }

    public static long id(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_LONG, slot);
    }

    public static int segments(MemorySegment ring, long slot) {
        return ring.get(ValueLayout.JAVA_INT, slot + 8);
    }
}
