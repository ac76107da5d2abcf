package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Framed protocol data unit: a DDP segment in the byte stream (RFC 5044, 4.1). Two bytes of length, the segment (ULPDU), padding to a
 * multiple of four bytes, four bytes of {@link MpaCrc}. {@link Marker}s may stand anywhere in it.
 */
public final class Fpdu {
    /** Bytes of the length field. */
    public static final int HEADER_LENGTH = 2;

    /** The longest segment that the length field can state. */
    public static final int LENGTH_FIELD_MAX = 0xffff;

    /** The longest segment that is sent: a marker near its end can still point to its begin (RFC 5044, 4.5). */
    public static final int SEGMENT_MAX = 64_768;

    /** Bytes of the shortest unit: an empty segment. */
    public static final int LENGTH_MIN = HEADER_LENGTH + 2 + MpaCrc.LENGTH;

    private Fpdu() {}

    /** Bytes of the segment whose unit begins at {@code at}, 0 … 65,535. */
    public static int segmentLength(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at);
    }

    /** Writes the length field at {@code at}. */
    public static void writeLength(MemorySegment segment, long at, int segmentLength) {
        BigEndian.writeShort(segment, at, segmentLength);
    }

    /** Bytes of padding behind a segment, 0 … 3. */
    public static int padding(int segmentLength) {
        return -(segmentLength + HEADER_LENGTH) & 3;
    }

    /** Bytes of the unit without its CRC and without markers. */
    public static int coveredLength(int segmentLength) {
        return (segmentLength + HEADER_LENGTH + 3) & ~3;
    }

    /** Bytes of the whole unit without markers. */
    public static int length(int segmentLength) {
        return coveredLength(segmentLength) + MpaCrc.LENGTH;
    }

    /**
     * The longest segment whose unit, with the markers that fall into it, fits into a number of bytes.
     *
     * @param room bytes, for example of a TCP segment; at least {@link #LENGTH_MIN} and a {@link Marker}
     * @param markers in the unit
     */
    public static int segmentMax(int room, int markers) {
        int units = (room - markers * Marker.LENGTH) & ~3;
        return Math.min(units - MpaCrc.LENGTH - HEADER_LENGTH, SEGMENT_MAX);
    }
}
