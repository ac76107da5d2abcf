package org.verbena.memory.protection;

import java.util.ArrayDeque;
import org.verbena.memory.MemoryKey;

/** Keys a test decides on, for peers that were told certain keys long ago; others where it does not care. */
public final class FixedKeys implements KeySource {
    private static final int CAPACITY = 1 << 20;

    private final ArrayDeque<Integer> next = new ArrayDeque<>();
    private final int capacity;
    private int other;

    /** Keys with indexes as Linux rxe gives them out. */
    public FixedKeys() {
        this(CAPACITY);
    }

    /**
     * Keys with indexes below this one.
     *
     * @param capacity less than 2<sup>24</sup>
     */
    public FixedKeys(int capacity) {
        this.capacity = capacity;
        this.other = capacity - 1;
    }

    /** A table with these keys. */
    public ProtectionTable table() {
        return new ProtectionTable(capacity, this);
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
