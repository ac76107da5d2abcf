package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Check sum of an {@link Fpdu} (RFC 5044, 4.4): CRC32C of all its bytes, from the length field, or the marker just before it, to the
 * padding, with the markers in between; stored with the least significant byte first. It may be computed in pieces. An object
 * is made once, used by one thread, and allocates nothing.
 */
public final class MpaCrc {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** Stands in the field of units that are not checked. */
    public static final int NONE = 0;

    private static final ValueLayout.OfInt STORED = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final CRC32C crc = new CRC32C();

    /** A computer of CRCs for one thread. */
    public MpaCrc() {}

    /** The CRC stored at {@code at}. */
    public static int read(MemorySegment segment, long at) {
        return segment.get(STORED, at);
    }

    /** Stores a CRC at {@code at}. */
    public static void write(MemorySegment segment, long at, int crc) {
        segment.set(STORED, at, crc);
    }

    /** Forgets all bytes. */
    public void reset() {
        crc.reset();
    }

    /** Adds {@code length} bytes at {@code at}. Position and limit of the buffer change; a direct buffer is fastest. */
    public void add(ByteBuffer bytes, int at, int length) {
        crc.update(bytes.limit(at + length).position(at));
    }

    /** The CRC of the bytes added since the last {@link #reset}. */
    public int value() {
        return (int) crc.getValue();
    }
}
