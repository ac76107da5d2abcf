package org.verbena.services.push.wire;

/** A transfer indication in 32 bits of immediate data: pool (8 bits, the highest), element (8), size (16). Size 0 means 65,536. */
public final class Indication {
    /** The highest pool reference and the highest element that fit. */
    public static final int INDEX_MAX = 0xff;
    /** The largest size that fits. */
    public static final int SIZE_MAX = 1 << 16;

    private static final int POOL_SHIFT = 24;
    private static final int ELEMENT_SHIFT = 16;
    private static final int SIZE_MASK = SIZE_MAX - 1;

    private Indication() {}

    /** Whether a transfer fits. One of size 0 does not. */
    public static boolean fits(int pool, int element, int size) {
        return (pool & ~INDEX_MAX) == 0 && (element & ~INDEX_MAX) == 0 && size > 0 && size <= SIZE_MAX;
    }

    /** The immediate data of a transfer that {@link #fits}. */
    public static int word(int pool, int element, int size) {
        return pool << POOL_SHIFT | element << ELEMENT_SHIFT | (size & SIZE_MASK);
    }

    /** The pool reference, 0 … 255. */
    public static int pool(int word) {
        return word >>> POOL_SHIFT;
    }

    /** The element, 0 … 255. */
    public static int element(int word) {
        return word >>> ELEMENT_SHIFT & INDEX_MAX;
    }

    /** The size, 1 … 65,536. */
    public static int size(int word) {
        int low = word & SIZE_MASK;
        return low == 0 ? SIZE_MAX : low;
    }
}
