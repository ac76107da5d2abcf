package org.verbena.wire.ib;

/**
 * End-to-end credits in five bits: 0 to 4, then 6, 8, 12, 16, 24 and so on to 32,768 (specification, table 46). Code 31
 * means that the receiver does not count credits.
 */
public final class CreditCode {
    /** The receiver does not count credits. */
    public static final int NONE = 31;

    private static final int LARGEST = 30;
    /** Up to here a code is the count itself. */
    private static final int LINEAR_MAX = 4;

    private CreditCode() {}

    /**
     * The count a code stands for; {@link Integer#MAX_VALUE} for {@link #NONE}.
     *
     * @param code of which the low five bits count
     */
    public static int credits(int code) {
        int bits = code & 0x1f;
        if (bits == NONE) {
            return Integer.MAX_VALUE;
        }
        if (bits <= LINEAR_MAX) {
            return bits;
        }
        return (bits & 1) == 0 ? 1 << (bits >>> 1) : 3 << ((bits - 3) >>> 1);
    }

    /** The largest code that stands for no more than {@code credits}, which is not negative. */
    public static int atMost(int credits) {
        if (credits <= LINEAR_MAX) {
            return Math.max(credits, 0);
        }
        int exponent = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(credits);
        int half = (credits >>> (exponent - 1)) & 1;
        return Math.min(2 * exponent + half, LARGEST);
    }
}
