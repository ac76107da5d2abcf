package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Invalidate extended transport header (specification 9.3.7).
 *
 * @param key of the receiver's that is to be invalidated
 */
public record Ieth(int key) {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** Reads the header at {@code at}. */
    public static Ieth read(MemorySegment segment, long at) {
        return new Ieth(BigEndian.readInt(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, key);
    }

    /** Writes a header at {@code at} from its field, without an object. */
    public static void write(MemorySegment segment, long at, int key) {
        BigEndian.writeInt(segment, at, key);
    }

    /** Its only field. */
    public static int key(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at);
    }
}
