package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Answer to an atomic request (RFC 7306, 5.2.2).
 *
 * @param identifier of the request
 * @param original value of the eight bytes before the operation
 */
public record AtomicResponse(int identifier, long original) {
    /** Bytes on the wire. */
    public static final int LENGTH = 12;

    private static final int ORIGINAL = 4;

    /** Reads the header at {@code at}. */
    public static AtomicResponse read(MemorySegment segment, long at) {
        return new AtomicResponse(identifier(segment, at), original(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, identifier, original);
    }

    /** Writes a header at {@code at} from its fields, without an object. */
    public static void write(MemorySegment segment, long at, int identifier, long original) {
        BigEndian.writeInt(segment, at, identifier);
        BigEndian.writeLong(segment, at + ORIGINAL, original);
    }

    /** The number in the request. */
    public static int identifier(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at);
    }

    /** Value of the eight bytes before the operation. */
    public static long original(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + ORIGINAL);
    }
}
