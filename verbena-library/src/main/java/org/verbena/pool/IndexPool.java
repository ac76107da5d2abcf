package org.verbena.pool;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.time.Seed;

/**
 * Gives out indexes, each with a generation that changes whenever the index is given back. A number made of both therefore means
 * one owner, and an old number can be told from the present one. An index that is given back waits behind all free ones.
 * Not thread-safe: the owner locks.
 *
 * <p>Generations are 16-bit numbers; an owner may use fewer bits. All values of these bits come before one comes again.
 */
public final class IndexPool {
    /** Returned by {@link #take} if all indexes are taken. */
    public static final int NONE = -1;
    /** Number of indexes that are added at a time. */
    public static final int BATCH = 1024;
    /** While the pool can grow, an index that is given back waits until at least this number of others have been given out. */
    public static final int REST = 256;

    private final int limit;
    private final @Nullable Seed seed;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int next;
    private char[] generations = {};
    private byte[] steps = {};

    private IndexPool(int first, int limit, @Nullable Seed seed) {
        this.next = first;
        this.limit = limit;
        this.seed = seed;
    }

    /** Gives out the indexes from {@code first} to {@code limit - 1} in ascending order; generations count from 0. */
    public static IndexPool inOrder(int first, int limit) {
        return new IndexPool(first, limit, null);
    }

    /**
     * Gives out the indexes from {@code first} to {@code limit - 1} in an order that depends on the seed. So do the first
     * generation of each and the step to its next, so that they cannot be guessed.
     */
    public static IndexPool shuffled(int first, int limit, Seed seed) {
        return new IndexPool(first, limit, seed);
    }

    /** A free index; {@link #NONE} if there is none. */
    public int take() {
        if (free.size() <= REST) {
            grow();
        }
        Integer index = free.poll();
        return index == null ? NONE : index;
    }

    /** The present generation of an index that is taken. */
    public int generation(int index) {
        return generations[index];
    }

    /**
     * Takes an index back.
     *
     * @param generation the generation that its owner used last; the next owner has another
     */
    public void giveBack(int index, int generation) {
        int step = seed == null ? 1 : steps[index];
        generations[index] = (char) (generation + step);
        free.add(index);
    }

    private void grow() {
        int from = next;
        int added = Math.min(BATCH, limit - from);
        if (added <= 0) {
            return;
        }
        next += added;
        generations = Arrays.copyOf(generations, next);
        if (seed == null) {
            for (int index = from; index < next; index++) {
                free.add(index);
            }
        } else {
            growShuffled(from, added, seed);
        }
    }

    private void growShuffled(int from, int added, Seed chance) {
        steps = Arrays.copyOf(steps, next);
        for (int index : shuffle(from, added, chance)) {
            generations[index] = (char) chance.nextInt(256);
            steps[index] = (byte) (chance.nextInt(128) * 2 + 1);
            free.add(index);
        }
    }

    private static int[] shuffle(int from, int count, Seed chance) {
        int[] indexes = new int[count];
        for (int i = 0; i < count; i++) {
            int other = chance.nextInt(i + 1);
            indexes[i] = indexes[other];
            indexes[other] = from + i;
        }
        return indexes;
    }
}
