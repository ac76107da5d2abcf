package org.verbena.adapter;

import java.util.ArrayDeque;
import org.verbena.wire.ib.Bth;

/** Gives out queue pair numbers and takes them back. Any thread. A slot given back rests behind all others. */
public final class QueuePairNumbers {
    private static final int GENERATIONS = 1 << (24 - Limits.QUEUE_PAIR_INDEX_BITS);
    /** Slots at rest before one is used again, while fresh ones are left. */
    private static final int REST = 64;

    private final byte[] generations = new byte[Limits.QUEUE_PAIRS_MAX];
    private final ArrayDeque<Integer> resting = new ArrayDeque<>();
    private int fresh = Limits.QUEUE_PAIRS_RESERVED;

    /**
     * A number that no queue pair has.
     *
     * @throws IllegalStateException when all are in use
     */
    public synchronized int take() {
        if (resting.size() > REST || fresh == Limits.QUEUE_PAIRS_MAX) {
            Integer index = resting.poll();
            if (index == null) {
                throw new IllegalStateException(
                        "all " + Limits.QUEUE_PAIRS_MAX + " queue pairs of the adapter are in use");
            }
            return number(index);
        }
        return number(fresh++);
    }

    public synchronized void giveBack(int number) {
        int index = QueuePairTable.index(number);
        generations[index]++;
        resting.add(index);
    }

    private int number(int index) {
        int number = (generations[index] & (GENERATIONS - 1)) << Limits.QUEUE_PAIR_INDEX_BITS | index;
        if (number == Bth.QUEUE_PAIR_MASK) {
            // It addresses multicast groups.
            generations[index]++;
            return index;
        }
        return number;
    }
}
