package org.verbena.wire.ib;

/**
 * Packet sequence numbers: 24 bits, next to the largest comes zero. A number is before another if it takes fewer than
 * 2<sup>23</sup> steps from it to the other. This is the only place that does arithmetic on them.
 */
public final class Psn {
    /** All bits of a sequence number; also the largest one. */
    public static final int MASK = 0xff_ffff;

    private static final int UNUSED_BITS = 8;

    private Psn() {}

    /** The number after {@code psn}. */
    public static int next(int psn) {
        return (psn + 1) & MASK;
    }

    /** The number before {@code psn}. */
    public static int previous(int psn) {
        return (psn - 1) & MASK;
    }

    /** The number {@code steps} after {@code psn}; before it if negative. */
    public static int add(int psn, int steps) {
        return (psn + steps) & MASK;
    }

    /** Steps from one number to another, −2<sup>23</sup> … 2<sup>23</sup>−1; negative if {@code to} is before. */
    public static int distance(int from, int to) {
        return (to - from) << UNUSED_BITS >> UNUSED_BITS;
    }

    /** Whether {@code psn} comes before {@code other}. */
    public static boolean isBefore(int psn, int other) {
        return distance(psn, other) > 0;
    }

    /** Whether {@code psn} comes after {@code other}. */
    public static boolean isAfter(int psn, int other) {
        return distance(psn, other) < 0;
    }

    /** Whether {@code psn} is one of the {@code count} numbers that begin with {@code first}. */
    public static boolean isWithin(int psn, int first, int count) {
        return ((psn - first) & MASK) < count;
    }
}
