package org.verbena.memory.protection;

import org.verbena.memory.MemoryKey;
import org.verbena.pool.IndexPool;
import org.verbena.time.Seed;

/** Gives out keys in an order and with instances that depend on a seed, so that keys cannot be guessed from one another. */
final class KeyPool implements KeySource {
    private final int capacityMax;
    private final IndexPool indexes;

    KeyPool(int capacityMax, Seed seed) {
        if (capacityMax < 1 || capacityMax >= MemoryKey.INDEX_LIMIT) {
            throw new IllegalArgumentException(
                    "capacity " + capacityMax + " is not between 1 and " + (MemoryKey.INDEX_LIMIT - 1));
        }
        this.capacityMax = capacityMax;
        this.indexes = IndexPool.shuffled(1, capacityMax + 1, seed);
    }

    @Override
    public int claim() {
        int index = indexes.take();
        if (index == IndexPool.NONE) {
            throw new IllegalStateException("protection table is full: " + capacityMax + " entries");
        }
        return MemoryKey.of(index, indexes.generation(index));
    }

    @Override
    public void giveBack(int key) {
        indexes.giveBack(MemoryKey.index(key), MemoryKey.instance(key));
    }
}
