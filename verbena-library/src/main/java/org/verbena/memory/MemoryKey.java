package org.verbena.memory;

/**
 * A key is an int: the index of a protection entry in the upper 24 bits, its instance in the lower 8. The instance
 * changes whenever the index gets a new owner, so that an old key is refused. Index 0 is never given out: no key below
 * 256 is ever valid.
 */
public final class MemoryKey {
    /** Indexes are below this. */
    public static final int INDEX_LIMIT = 1 << 24;

    private static final int INSTANCE_BITS = 8;
    private static final int INSTANCE_MASK = (1 << INSTANCE_BITS) - 1;

    private MemoryKey() {}

    /** Index of the entry that the key names. */
    public static int index(int key) {
        return key >>> INSTANCE_BITS;
    }

    /** Instance of the entry that the key names, 0 to 255. */
    public static int instance(int key) {
        return key & INSTANCE_MASK;
    }

    /** The key of an index and an instance, whose upper bits are ignored. */
    public static int of(int index, int instance) {
        return (index << INSTANCE_BITS) | (instance & INSTANCE_MASK);
    }

    /** The key of the same index with the instance after this one's; 255 is followed by 0. */
    public static int next(int key) {
        return of(index(key), instance(key) + 1);
    }

    /** Eight hexadecimal digits: {@code 0x00012a07}. */
    public static String toString(int key) {
        return String.format("0x%08x", key);
    }
}
