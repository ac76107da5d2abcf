package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Reliable datagram extended transport header (specification 9.3.1).
 *
 * @param endToEndContext number of the context at the receiver, 24 bits
 */
public record Rdeth(int endToEndContext) {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    private static final int CONTEXT_MASK = 0xff_ffff;

    /** Reads the header at {@code at}. */
    public static Rdeth read(MemorySegment segment, long at) {
        return new Rdeth(BigEndian.readInt(segment, at) & CONTEXT_MASK);
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, endToEndContext & CONTEXT_MASK);
    }
}
