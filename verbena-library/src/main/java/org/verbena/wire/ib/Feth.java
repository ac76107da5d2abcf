package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Flush extended transport header (specification 1.5, annex A19).
 *
 * @param placement bits of the level asked for: 1 visible to all, 2 persistent
 * @param selectivity scope: 0 the range of the {@link Reth}, 1 its whole region
 */
public record Feth(int placement, int selectivity) {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    private static final int PLACEMENT_MASK = 0xf;
    private static final int SELECTIVITY_SHIFT = 4;
    private static final int SELECTIVITY_MASK = 3;

    /** Reads the header at {@code at}. */
    public static Feth read(MemorySegment segment, long at) {
        int word = BigEndian.readInt(segment, at);
        return new Feth(word & PLACEMENT_MASK, (word >>> SELECTIVITY_SHIFT) & SELECTIVITY_MASK);
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        int word = (selectivity & SELECTIVITY_MASK) << SELECTIVITY_SHIFT | (placement & PLACEMENT_MASK);
        BigEndian.writeInt(segment, at, word);
    }
}
