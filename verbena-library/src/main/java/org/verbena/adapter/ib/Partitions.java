package org.verbena.adapter.ib;

/** Partition keys: 15 bits say which partition, the top bit says full member (specification 10.9). */
public final class Partitions {
    private static final int FULL = 0x8000;
    private static final int PARTITION = 0x7fff;

    private Partitions() {}

    /** Whether two members may talk: the same partition, and not both limited members of it. */
    public static boolean match(int one, int other) {
        return ((one ^ other) & PARTITION) == 0 && ((one | other) & FULL) != 0;
    }

    /** Whether the key names a partition at all. */
    public static boolean isValid(int pkey) {
        return (pkey & ~0xffff) == 0 && (pkey & PARTITION) != 0;
    }
}
