package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Atomic acknowledge extended transport header (specification 9.3.5.3).
 *
 * @param original value of the eight bytes before the operation
 */
public record AtomicAckEth(long original) {
    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    /** Reads the header at {@code at}. */
    public static AtomicAckEth read(MemorySegment segment, long at) {
        return new AtomicAckEth(BigEndian.readLong(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, original);
    }

    /** Writes a header at {@code at} from its field, without an object. */
    public static void write(MemorySegment segment, long at, long original) {
        BigEndian.writeLong(segment, at, original);
    }

    /** Value of the eight bytes before the operation. */
    public static long original(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at);
    }
}
