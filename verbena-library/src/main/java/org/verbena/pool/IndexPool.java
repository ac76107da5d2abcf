package org.verbena.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.time.Seed;

/**
 * Gives out indexes, each with a generation that changes whenever the index is given back. A number made of both therefore means
 * one owner, and an old number can be told from the present one. An index that is given back waits behind all free ones.
 * Giving back allocates nothing. Not thread-safe: the owner locks.
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

    private final int first;
    private final int limit;
    private final @Nullable Seed seed;
    /** A ring with room for every index that the pool has. */
    private int[] free = {};
    /** Place of the free index that is given out next. */
    private int head;
    /** Free indexes. */
    private int waiting;

    private int next;
    private char[] generations = {};
    private byte[] steps = {};

    private IndexPool(int first, int limit, @Nullable Seed seed) {
        this.first = first;
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
        if (waiting <= REST) {
            grow();
        }
        if (waiting == 0) {
            return NONE;
        }
        int index = free[head];
        head = head + 1 == free.length ? 0 : head + 1;
        waiting--;
        return index;
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
        append(index);
    }

    private void append(int index) {
        int place = head + waiting;
        free[place < free.length ? place : place - free.length] = index;
        waiting++;
    }

    private void grow() {
        int from = next;
        int added = Math.min(BATCH, limit - from);
        if (added <= 0) {
            return;
        }
        next += added;
        generations = Arrays.copyOf(generations, next);
        free = unrolled(next - first);
        head = 0;
        if (seed == null) {
            for (int index = from; index < next; index++) {
                append(index);
            }
        } else {
            growShuffled(from, added, seed);
        }
    }

    /** The free indexes from place 0 on, with room for more. */
    private int[] unrolled(int room) {
        int[] larger = new int[room];
        int ahead = Math.min(waiting, free.length - head);
        System.arraycopy(free, head, larger, 0, ahead);
        System.arraycopy(free, 0, larger, ahead, waiting - ahead);
        return larger;
    }

    private void growShuffled(int from, int added, Seed chance) {
        steps = Arrays.copyOf(steps, next);
        for (int index : shuffle(from, added, chance)) {
            generations[index] = (char) chance.nextInt(256);
            steps[index] = (byte) (chance.nextInt(128) * 2 + 1);
            append(index);
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
