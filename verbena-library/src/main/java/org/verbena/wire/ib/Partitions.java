package org.verbena.wire.ib;

/** Partition keys: 15 bits are the number of the partition, the top bit marks a full member (specification 10.9). */
public final class Partitions {
    /** The partition key that every port has from the start: full member of the default partition. */
    public static final int DEFAULT_KEY = 0xffff;

    private static final int FULL = 0x8000;
    private static final int PARTITION = 0x7fff;

    private Partitions() {}

    /** Whether two members may exchange packets: they are of the same partition, and not both limited members. */
    public static boolean match(int one, int other) {
        return ((one ^ other) & PARTITION) == 0 && ((one | other) & FULL) != 0;
    }

    /** Whether the key has 16 bits and the number of a partition. */
    public static boolean isValid(int pkey) {
        return (pkey & ~0xffff) == 0 && (pkey & PARTITION) != 0;
    }
}
