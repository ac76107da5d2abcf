package org.verbena.tools.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that depend on the number of the message and on their place in it: any swap, loss or repetition shows. */
public final class Pattern {
    /** No byte is wrong. */
    public static final long NONE = -1;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long MESSAGES = 0x9e3779b97f4a7c15L;
    private static final long PLACES = 0xc2b2ae3d27d4eb4fL;
    private static final int SHIFT = 29;

    private Pattern() {}

    /** Writes a message's bytes. */
    public static void fill(MemorySegment memory, long at, long length, long message) {
        long i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            memory.set(WORD, at + i, word(message, i));
        }
        long tail = word(message, i);
        for (; i < length; i++, tail >>>= Byte.SIZE) {
            memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) tail);
        }
    }

    /** Offset in the message of the first word that is not as {@link #fill} writes it, or {@link #NONE}. */
    public static long mismatch(MemorySegment memory, long at, long length, long message) {
        long i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (memory.get(WORD, at + i) != word(message, i)) {
                return i;
            }
        }
        long tail = word(message, i);
        for (; i < length; i++, tail >>>= Byte.SIZE) {
            if (memory.get(ValueLayout.JAVA_BYTE, at + i) != (byte) tail) {
                return i;
            }
        }
        return NONE;
    }

    /** The number of the message that has this whole word at this place; of a word that is no message's, any number. */
    public static long messageOf(long word, long place) {
        long mixed = word ^ word >>> SHIFT ^ word >>> (2 * SHIFT);
        return (mixed - place * PLACES) * inverse(MESSAGES) - 1;
    }

    /** Of an odd number, among 64-bit numbers: each step doubles the bits that are right. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    private static long word(long message, long place) {
        long mixed = (message + 1) * MESSAGES + place * PLACES;
        return mixed ^ mixed >>> SHIFT;
    }
}
