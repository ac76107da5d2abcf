package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Where a number of at most 32 bits stands in an attribute.
 *
 * @param word first of the four bytes that hold it
 * @param shift bits below it in those bytes
 * @param mask of its width
 */
public record Field(int word, int shift, int mask) {
    private static final int WORD_BYTES = 4;

    /** A field whose highest bit is this bit of this byte; bit 7 is a byte's highest. The field has at most four bytes. */
    public static Field of(int at, int highBit, int width) {
        int behind = at + (7 - highBit + width + 7) / 8;
        int word = Math.max(0, behind - WORD_BYTES);
        int below = 8 * (word + WORD_BYTES) - (8 * at + 7 - highBit + width);
        return new Field(word, below, width == 32 ? -1 : (1 << width) - 1);
    }

    /** A field of whole bytes, at most four. */
    public static Field bytes(int at, int count) {
        return of(at, 7, 8 * count);
    }

    /** The number in the attribute at {@code at}. */
    public int read(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + word) >>> shift & mask;
    }

    /** Writes the low bits of {@code value}, and nothing else. */
    public void write(MemorySegment segment, long at, int value) {
        int rest = BigEndian.readInt(segment, at + word) & ~(mask << shift);
        BigEndian.writeInt(segment, at + word, rest | (value & mask) << shift);
    }
}
