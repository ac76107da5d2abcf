package org.verbena.memory.protection;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.verbena.memory.Key;
import org.verbena.time.Seed;

/**
 * Gives out keys. Indexes come in an order that depends on the seed, and so does the first instance of each, so that
 * keys cannot be guessed from one another. An index that was given back rests until others have had their turn, and
 * gets another instance: all 256 come before one comes again, in steps that depend on the seed too, so that who had a
 * key does not know its successor. Not thread-safe: the table locks.
 */
final class KeyPool implements KeySource {
    /** Indexes made available at a time. */
    static final int BATCH = 1024;

    /** As long as the pool can grow, a returned index waits for at least so many others to be given out. */
    static final int REST = 256;

    private final int capacityMax;
    private final Seed seed;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private byte[] instances = new byte[1];
    private byte[] steps = new byte[1];

    KeyPool(int capacityMax, Seed seed) {
        if (capacityMax < 1 || capacityMax >= Key.INDEX_LIMIT) {
            throw new IllegalArgumentException(
                    "capacity " + capacityMax + " is not between 1 and " + (Key.INDEX_LIMIT - 1));
        }
        this.capacityMax = capacityMax;
        this.seed = seed;
    }

    @Override
    public int claim() {
        if (free.size() <= REST) {
            grow();
        }
        Integer index = free.poll();
        if (index == null) {
            throw new IllegalStateException("protection table is full: " + capacityMax + " entries");
        }
        return Key.of(index, instances[index]);
    }

    @Override
    public void giveBack(int key) {
        int index = Key.index(key);
        instances[index] = (byte) (Key.instance(key) + steps[index]);
        free.add(index);
    }

    private void grow() {
        int from = instances.length;
        int added = Math.min(BATCH, capacityMax - (from - 1));
        if (added <= 0) {
            return;
        }
        instances = Arrays.copyOf(instances, from + added);
        steps = Arrays.copyOf(steps, from + added);
        for (int index : shuffled(from, added)) {
            instances[index] = (byte) seed.nextInt(256);
            steps[index] = (byte) (seed.nextInt(128) * 2 + 1);
            free.add(index);
        }
    }

    private int[] shuffled(int from, int count) {
        int[] indexes = new int[count];
        for (int i = 0; i < count; i++) {
            int other = seed.nextInt(i + 1);
            indexes[i] = indexes[other];
            indexes[other] = from + i;
        }
        return indexes;
    }
}
