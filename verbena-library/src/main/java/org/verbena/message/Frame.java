package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header of each message between two channels, big-endian: kind (1 byte), flags (1), credits that the sender grants (2),
 * zeros (4), tag (8). The body follows. A layout changes only together with {@link #VERSION}.
 */
final class Frame {
    static final int LENGTH = 16;
    static final int VERSION = 1;

    /** First message of each end; body: {@link Hello}. */
    static final int HELLO = 1;
    /** A message that fits a buffer; body: its bytes. */
    static final int DATA = 2;
    /** A message that the receiver reads; body: {@link Announcement}. */
    static final int ANNOUNCE = 3;
    /** The receiver has read the announced message whose number is the tag, or dropped it ({@link #FLAG_DROPPED}). */
    static final int DONE = 4;
    /** The receiver shall not begin to read the announced message whose number is the tag. */
    static final int WITHDRAW = 5;
    /** Credits, and nothing else. */
    static final int CREDIT = 6;
    /** The sender closes its end; nothing follows. */
    static final int BYE = 7;

    static final int FLAG_DROPPED = 1;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Frame() {}

    static void write(MemorySegment to, int kind, int flags, int credits, long tag) {
        to.set(INT, 0, kind << 24 | flags << 16 | credits);
        to.set(INT, 4, 0);
        to.set(LONG, 8, tag);
    }

    static int kind(MemorySegment frame) {
        return frame.get(INT, 0) >>> 24;
    }

    static int flags(MemorySegment frame) {
        return frame.get(INT, 0) >>> 16 & 0xff;
    }

    static int credits(MemorySegment frame) {
        return frame.get(INT, 0) & 0xffff;
    }

    static long tag(MemorySegment frame) {
        return frame.get(LONG, 8);
    }
}
