package org.verbena.wire.ip;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * The ones' complement sum of 16-bit words that IP, UDP and TCP use (RFC 1071). A sum begins with 0, takes any number of
 * parts, each of which but the last has an even length, and is finished once.
 */
public final class InternetChecksum {
    private static final long INT_MASK = 0xffff_ffffL;

    private InternetChecksum() {}

    /** Adds {@code length} bytes from {@code at}. */
    public static long add(long sum, MemorySegment segment, long at, long length) {
        long total = sum;
        long end = at + length;
        long next = at;
        for (; next + 4 <= end; next += 4) {
            total += BigEndian.readInt(segment, next) & INT_MASK;
        }
        if (next + 2 <= end) {
            total += BigEndian.readShort(segment, next);
            next += 2;
        }
        if (next < end) {
            total += BigEndian.readByte(segment, next) << 8;
        }
        return total;
    }

    /** Adds the eight bytes of a number. */
    public static long add(long sum, long value) {
        return sum + (value >>> 32) + (value & INT_MASK);
    }

    /** The checksum, 0 … 65,535; 0 if the bytes added contain their own right checksum. */
    public static int finish(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded >>> 16) + (folded & 0xffff);
        }
        return (int) ~folded & 0xffff;
    }
}
