package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Immediate data: 64 bits that reach the receiver's completion in a message of their own (RFC 7306, 6).
 *
 * @param value the bits, first byte on the wire highest
 */
public record ImmediateData(long value) {
    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    /** Reads the header at {@code at}. */
    public static ImmediateData read(MemorySegment segment, long at) {
        return new ImmediateData(value(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, value);
    }

    /** Writes a header at {@code at} from its field, without an object. */
    public static void write(MemorySegment segment, long at, long value) {
        BigEndian.writeLong(segment, at, value);
    }

    /** Its only field. */
    public static long value(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at);
    }
}
