package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * A marker in the byte stream (RFC 5044, 4.2 and 4.3). One stands at every position that is a multiple of {@link #INTERVAL}; position
 * 0 is the first byte behind the frames that opened the connection.
 *
 * @param fpduPointer bytes of the stream from the {@link Fpdu}'s first byte to the marker, earlier markers included; 0 if the FPDU
 *     begins behind the marker
 */
public record Marker(int fpduPointer) {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** Bytes of the stream from one marker to the next. */
    public static final int INTERVAL = 512;

    /** The bits of the pointer that count: it is a multiple of four. */
    public static final int POINTER_MASK = 0xfffc;

    private static final int POINTER = 2;

    /** Reads the marker at {@code at}. Its lowest two bits do not count. */
    public static Marker read(MemorySegment segment, long at) {
        return new Marker(fpduPointer(segment, at));
    }

    /** Writes the marker at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, fpduPointer);
    }

    /** Writes a marker at {@code at} from its field, without an object. */
    public static void write(MemorySegment segment, long at, int fpduPointer) {
        BigEndian.writeInt(segment, at, fpduPointer & POINTER_MASK);
    }

    /** Its only field. */
    public static int fpduPointer(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + POINTER) & POINTER_MASK;
    }

    /** Bytes from a position of the stream to the next marker, 0 … 511; 0 if one stands there. */
    public static int distance(long position) {
        return (int) (-position & (INTERVAL - 1));
    }

    /**
     * Markers within and before an FPDU.
     *
     * @param position of the stream at which the FPDU, or the marker before it, begins
     * @param length bytes of the FPDU without markers
     */
    public static int count(long position, int length) {
        int before = distance(position);
        return length <= before ? 0 : 1 + (length - before - 1) / (INTERVAL - LENGTH);
    }
}
