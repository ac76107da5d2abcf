package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Where a number of 64 bits stands in an attribute.
 *
 * @param first its first byte
 */
public record LongField(int first) {
    /** The number in the attribute at {@code at}. */
    public long read(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + first);
    }

    /** Writes the number. */
    public void write(MemorySegment segment, long at, long value) {
        BigEndian.writeLong(segment, at + first, value);
    }
}
