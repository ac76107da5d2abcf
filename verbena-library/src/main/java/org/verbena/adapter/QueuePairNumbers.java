package org.verbena.adapter;

import java.util.BitSet;
import org.verbena.pool.IndexPool;

/** Gives out queue pair numbers and takes them back. A number is an index and a generation. Any thread. */
public final class QueuePairNumbers {
    /** The largest number of 24 bits. No queue pair has it: InfiniBand addresses multicast groups by it. */
    private static final int NO_QUEUE_PAIR = 0xff_ffff;

    private static final int GENERATION_MASK = (1 << (24 - Limits.QUEUE_PAIR_INDEX_BITS)) - 1;

    private final IndexPool indexes = IndexPool.inOrder(Limits.QUEUE_PAIRS_RESERVED, Limits.QUEUE_PAIRS_MAX);
    /** Indexes that {@link #take} gave out. */
    private final BitSet taken = new BitSet();

    /**
     * A number that no queue pair has.
     *
     * @throws IllegalStateException when all are in use
     */
    public synchronized int take() {
        int index = indexes.take();
        if (index == IndexPool.NONE) {
            throw new IllegalStateException("all " + Limits.QUEUE_PAIRS_MAX + " queue pairs of the adapter are in use");
        }
        taken.set(index);
        int number = (indexes.generation(index) & GENERATION_MASK) << Limits.QUEUE_PAIR_INDEX_BITS | index;
        // Generation 0 follows on the highest one.
        return number == NO_QUEUE_PAIR ? index : number;
    }

    /** Takes a number back. Without effect if {@link #take} did not give it out: a replay chooses its numbers itself. */
    public synchronized void giveBack(int number) {
        int index = QueuePairTable.index(number);
        if (taken.get(index)) {
            taken.clear(index);
            indexes.giveBack(index, number >>> Limits.QUEUE_PAIR_INDEX_BITS);
        }
    }
}
