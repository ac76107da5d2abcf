package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Extended reliable connection header (specification, annex A14).
 *
 * @param sharedReceiveQueue number of the queue at the receiver, 24 bits
 */
public record Xrceth(int sharedReceiveQueue) {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    private static final int QUEUE_MASK = 0xff_ffff;

    /** Reads the header at {@code at}. */
    public static Xrceth read(MemorySegment segment, long at) {
        return new Xrceth(BigEndian.readInt(segment, at) & QUEUE_MASK);
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, sharedReceiveQueue & QUEUE_MASK);
    }
}
