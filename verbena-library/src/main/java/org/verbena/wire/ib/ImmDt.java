package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Immediate data: 32 bits that reach the receiver's completion (specification 9.3.6).
 *
 * @param value the bits, first byte on the wire highest
 */
public record ImmDt(int value) {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** Reads the header at {@code at}. */
    public static ImmDt read(MemorySegment segment, long at) {
        return new ImmDt(BigEndian.readInt(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, value);
    }

    /** Writes a header at {@code at} from its field, without an object. */
    public static void write(MemorySegment segment, long at, int value) {
        BigEndian.writeInt(segment, at, value);
    }

    /** Its only field. */
    public static int value(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at);
    }
}
