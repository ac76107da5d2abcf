package org.verbena.memory.protection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.verbena.Verdict;

/**
 * Validity and use of one entry, in one word: {@code quiesce 1 | valid 1 | operations 20 | inside 10 | generation 32}. A copy
 * counts itself in by a compare-and-set that also checks valid. After an invalidation that found no copy inside, none can
 * enter, and the memory can be reused.
 *
 * <p>Inside are copies under way, each of one packet. Operations are the current I/O of a region that may be swapped out:
 * from the post of a work request to its end. A copy checks valid only, so that operations under way can finish; an operation
 * begins only while quiesce is not set.
 *
 * <p>A word that is invalid never becomes valid again, with one exception: a quiesced region is resumed.
 */
public final class StateWord {
    /** The result of {@link #beginOperation}. */
    public enum Beginning {
        /** It is counted. */
        BEGUN,
        /** Quiesce is set: it is not counted. */
        QUIESCING,
        /** The entry is not valid. */
        INVALID,
        /** The count is full. */
        TOO_MANY
    }

    /** The result of {@link #endOperation}. */
    enum Ending {
        /** It is counted out. Other operations are under way, or quiesce is not set. */
        ENDED,
        /** It is counted out. It was the last one, and quiesce is set. */
        LAST,
        /** None was under way. */
        NONE
    }

    /** Copies at once; one more is refused. */
    static final int INSIDE_MAX = (1 << 10) - 1;
    /** Operations at once; one more is refused. */
    static final int OPERATIONS_MAX = (1 << 20) - 1;
    /** A generation that no word has. */
    static final long NO_GENERATION = -1;

    private static final long QUIESCE = 1L << 63;
    private static final long VALID = 1L << 62;
    private static final int OPERATIONS_SHIFT = 42;
    private static final int INSIDE_SHIFT = 32;
    private static final long OPERATION = 1L << OPERATIONS_SHIFT;
    private static final long OPERATIONS = OPERATIONS_MAX * OPERATION;
    private static final long COPY = 1L << INSIDE_SHIFT;
    private static final long INSIDE = INSIDE_MAX * COPY;
    private static final long GENERATION = COPY - 1;
    private static final int SPINS = 200;
    private static final long PAUSE_NS = 1000;
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(StateWord.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile long word;

    private StateWord(long word) {
        this.word = word;
    }

    static StateWord valid() {
        return new StateWord(VALID);
    }

    static StateWord invalid() {
        return new StateWord(0);
    }

    public boolean isValid() {
        return (word & VALID) != 0;
    }

    /** GRANTED, QUIESCED or INVALID. */
    Verdict verdict() {
        long now = word;
        if ((now & VALID) != 0) {
            return Verdict.GRANTED;
        }
        return (now & QUIESCE) != 0 ? Verdict.QUIESCED : Verdict.INVALID;
    }

    /** Copies under way. */
    int inside() {
        return (int) ((word & INSIDE) >>> INSIDE_SHIFT);
    }

    /** Operations under way. */
    public int operations() {
        return (int) ((word & OPERATIONS) >>> OPERATIONS_SHIFT);
    }

    int generation() {
        return (int) word;
    }

    // --- copies

    /** Counts a copy in; false if the entry is not valid or the count is full. */
    boolean enter() {
        long now = word;
        while ((now & VALID) != 0 && (now & INSIDE) != INSIDE) {
            long seen = (long) WORD.compareAndExchange(this, now, now + COPY);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false;
    }

    void leave() {
        long _ = (long) WORD.getAndAddRelease(this, -COPY);
    }

    // --- operations

    /** Counts an operation in, unless quiesce is set. */
    public Beginning beginOperation() {
        long now;
        do {
            now = word;
            if ((now & QUIESCE) != 0) {
                return Beginning.QUIESCING;
            }
            if ((now & VALID) == 0) {
                return Beginning.INVALID;
            }
            if ((now & OPERATIONS) == OPERATIONS) {
                return Beginning.TOO_MANY;
            }
        } while (!WORD.compareAndSet(this, now, now + OPERATION));
        return Beginning.BEGUN;
    }

    /**
     * Counts a message of a peer in, as an operation, also while quiesce is set: the peer does not know of it. False if the entry is not valid, or the count is full.
     */
    boolean beginMessage() {
        long now;
        do {
            now = word;
            if ((now & VALID) == 0 || (now & OPERATIONS) == OPERATIONS) {
                return false;
            }
        } while (!WORD.compareAndSet(this, now, now + OPERATION));
        return true;
    }

    /** Counts an operation out, in any state. */
    Ending endOperation() {
        long now;
        do {
            now = word;
            if ((now & OPERATIONS) == 0) {
                return Ending.NONE;
            }
        } while (!WORD.compareAndSet(this, now, now - OPERATION));
        return ((now - OPERATION) & (QUIESCE | OPERATIONS)) == QUIESCE ? Ending.LAST : Ending.ENDED;
    }

    // --- invalidation

    /** Makes the entry invalid for good; does not wait for the copies inside. False if it was so before. */
    boolean invalidate() {
        long now;
        do {
            now = word;
            if ((now & (VALID | QUIESCE)) == 0) {
                return false;
            }
        } while (!WORD.compareAndSet(this, now, nextGeneration(now & ~(VALID | QUIESCE))));
        return true;
    }

    /** Makes the entry invalid for good if no operation is under way, in one step; false otherwise. */
    public boolean invalidateIdle() {
        long now;
        do {
            now = word;
            if ((now & VALID) == 0 || (now & OPERATIONS) != 0) {
                return false;
            }
        } while (!WORD.compareAndSet(this, now, nextGeneration(now & ~(VALID | QUIESCE))));
        return true;
    }

    /** Waits for the copies inside; each copies one packet, so the wait is short. Called when valid is cleared. */
    void awaitNobodyInside() {
        for (int turn = 0; (word & INSIDE) != 0; turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    // --- quiesce

    public boolean isQuiescing() {
        return (word & QUIESCE) != 0;
    }

    /** The generation of a quiesce that is not complete; {@link #NO_GENERATION} if there is none. */
    long quiescingGeneration() {
        long now = word;
        return (now & (QUIESCE | VALID)) == (QUIESCE | VALID) ? now & GENERATION : NO_GENERATION;
    }

    /** Sets quiesce, so that no operation begins; false if the entry is not valid or quiesce is set already. */
    boolean requestQuiesce() {
        long now;
        do {
            now = word;
            if ((now & (QUIESCE | VALID)) != VALID) {
                return false;
            }
        } while (!WORD.compareAndSet(this, now, nextGeneration(now | QUIESCE)));
        return true;
    }

    /**
     * Clears valid if quiesce is set and no operation is under way, in one step; false otherwise. Copies may still be inside;
     * {@link #awaitNobodyInside} waits for them.
     *
     * @param promised generation of the quiesce for which the consumer has promised that the operations under way access
     *     nothing
     */
    boolean completeQuiesce(long promised) {
        long now;
        do {
            now = word;
            boolean asked = (now & (QUIESCE | VALID)) == (QUIESCE | VALID);
            if (!asked || ((now & OPERATIONS) != 0 && (now & GENERATION) != promised)) {
                return false;
            }
        } while (!WORD.compareAndSet(this, now, nextGeneration(now & ~VALID)));
        return true;
    }

    /**
     * Ends quiesce: the entry is valid again. False if quiesce is not set, also because the entry is invalid for good.
     */
    boolean resume() {
        long now;
        do {
            now = word;
            if ((now & QUIESCE) == 0) {
                return false;
            }
        } while (!WORD.compareAndSet(this, now, (now & ~QUIESCE) | VALID));
        return true;
    }

    private static long nextGeneration(long word) {
        return (word & ~GENERATION) | ((word + 1) & GENERATION);
    }

    @Override
    public String toString() {
        return verdict() + ", inside " + inside() + ", operations " + operations() + ", generation " + generation();
    }
}
