package org.verbena.wire.ib;

/**
 * The time a requester waits for an acknowledgement, in five bits: 4.096 µs × 2<sup>code</sup>; code 0 means for ever
 * (specification 9.7.6.1.3).
 */
public final class AckTimeout {
    /** Waits for ever. */
    public static final int INFINITE = 0;
    /** The longest finite one: 2.4 hours. */
    public static final int LARGEST = 31;

    private static final long UNIT_NS = 4096;

    private AckTimeout() {}

    /** The time a code (its low five bits) stands for; {@link Long#MAX_VALUE} for {@link #INFINITE}. */
    public static long nanoseconds(int code) {
        int bits = code & 0x1f;
        return bits == INFINITE ? Long.MAX_VALUE : UNIT_NS << bits;
    }

    /** The code of the shortest finite time of at least {@code durationNs}, or the longest there is. */
    public static int atLeast(long durationNs) {
        int code = 1;
        while (code < LARGEST && nanoseconds(code) < durationNs) {
            code++;
        }
        return code;
    }
}
