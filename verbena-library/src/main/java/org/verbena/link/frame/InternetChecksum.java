package org.verbena.link.frame;

import java.lang.foreign.MemorySegment;

/** The checksum of IP, TCP and UDP (RFC 1071). A sum is kept in 64 bits and folded to 16 at the end. */
final class InternetChecksum {
    private InternetChecksum() {}

    /**
     * Adds bytes to a sum. The first byte has to be at an even place of what is summed up.
     *
     * @param length at most 2<sup>31</sup>; so the sum cannot overflow
     */
    static long add(long sum, MemorySegment memory, long offset, int length) {
        long total = sum;
        int at = 0;
        for (; at <= length - 4; at += 4) {
            total += FrameBytes.intAt(memory, offset + at) & 0xffff_ffffL;
        }
        if (at <= length - 2) {
            total += FrameBytes.shortAt(memory, offset + at);
            at += 2;
        }
        if (at < length) {
            total += FrameBytes.byteAt(memory, offset + at) << 8;
        }
        return total;
    }

    /** The sum in 16 bits. */
    static int fold(long sum) {
        long folded = (sum >>> 32) + (sum & 0xffff_ffffL);
        while (folded >>> 16 != 0) {
            folded = (folded >>> 16) + (folded & 0xffff);
        }
        return (int) folded;
    }

    /** The checksum of a sum: its complement. */
    static int of(long sum) {
        return ~fold(sum) & 0xffff;
    }

    /** The checksum of a sum as transports write it: never 0, which means none in UDP. */
    static int ofTransport(long sum) {
        int checksum = of(sum);
        return checksum == 0 ? 0xffff : checksum;
    }
}
