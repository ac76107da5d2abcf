package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A BufferRecvPoolUpdate message: parts of a pool reference, a count, and this many element indexes. {@link UpdateBuilder} writes one; this reads one
 * that {@link Messages#judge} has accepted:
 *
 * <pre>{@code
 * for (long part = firstPart(at); part < at + length; part = nextPart(segment, part)) {
 *     for (int i = 0; i < count(segment, part); i++) {
 *         element(segment, part, i);
 *     }
 * }
 * }</pre>
 */
public final class BufferRecvPoolUpdate {
    /** Bytes of a part before its indexes. */
    public static final int PART_HEADER = 8;
    /** Bytes of an index. */
    public static final int ELEMENT = 4;

    static final int COUNT = 4;

    private BufferRecvPoolUpdate() {}

    /** Offset of the first part of the message at {@code at}. */
    public static long firstPart(long at) {
        return at + MessageHeader.LENGTH;
    }

    /** Offset of the part behind the one at {@code part}, or the end of the message. */
    public static long nextPart(MemorySegment segment, long part) {
        return part + PART_HEADER + (long) count(segment, part) * ELEMENT;
    }

    /** The pool of the part at {@code part}. */
    public static int reference(MemorySegment segment, long part) {
        return BigEndian.readInt(segment, part);
    }

    /** The number of indexes in the part at {@code part}; positive in a message that was accepted. */
    public static int count(MemorySegment segment, long part) {
        return BigEndian.readInt(segment, part + COUNT);
    }

    /** Index {@code i} of the part at {@code part}, unsigned. */
    public static int element(MemorySegment segment, long part, int i) {
        return BigEndian.readInt(segment, part + PART_HEADER + (long) i * ELEMENT);
    }

    /** Whether the parts of {@code length} bytes at {@code at}, a header first, end where the message ends, and each has an index. */
    static @Nullable Refusal judge(MemorySegment segment, long at, int length) {
        long part = firstPart(at);
        long end = at + length;
        if (part == end) {
            return Refusal.BAD_LENGTH;
        }
        while (part < end) {
            long room = end - part - PART_HEADER;
            if (room < 0) {
                return Refusal.BAD_LENGTH;
            }
            long count = Integer.toUnsignedLong(count(segment, part));
            if (count == 0 || count > room / ELEMENT) {
                return Refusal.BAD_COUNT;
            }
            part += PART_HEADER + count * ELEMENT;
        }
        return null;
    }
}
