package org.verbena.memory.protection;

import java.util.ArrayDeque;
import org.verbena.memory.MemoryKey;

/** Keys a test decides on, for peers that were told certain keys long ago; others where it does not care. */
public final class FixedKeys implements KeySource {
    private static final int CAPACITY = 1 << 20;
    private static final int FIRST_OTHER = CAPACITY - 1;

    private final ArrayDeque<Integer> next = new ArrayDeque<>();
    private int other = FIRST_OTHER;

    public FixedKeys() {}

    /** A table with these keys. */
    public ProtectionTable table() {
        return new ProtectionTable(CAPACITY, this);
    }

    /** The region or window made next gets this key. */
    public void next(int key) {
        next.add(key);
    }

    @Override
    public int claim() {
        Integer wanted = next.poll();
        return wanted == null ? MemoryKey.of(other--, 0) : wanted;
    }

    @Override
    public void giveBack(int key) {}
}
