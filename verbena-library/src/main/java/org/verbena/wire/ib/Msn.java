package org.verbena.wire.ib;

/** Message sequence numbers: 24 bits like {@link Psn}, counted by the responder and told in every {@link Aeth}. */
public final class Msn {
    /** All bits of a sequence number; also the largest one. */
    public static final int MASK = 0xff_ffff;

    private static final int UNUSED_BITS = 8;

    private Msn() {}

    /** The number after {@code msn}. */
    public static int next(int msn) {
        return (msn + 1) & MASK;
    }

    /** The number {@code steps} after {@code msn}; before it if negative. */
    public static int add(int msn, int steps) {
        return (msn + steps) & MASK;
    }

    /** Steps from one number to another, −2<sup>23</sup> … 2<sup>23</sup>−1; negative if {@code to} is before. */
    public static int distance(int from, int to) {
        return (to - from) << UNUSED_BITS >> UNUSED_BITS;
    }
}
