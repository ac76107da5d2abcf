package org.verbena.memory.protection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.verbena.memory.Verdict;

/**
 * Validity and use of one entry, in one word: {@code quiesce 1 | valid 1 | operations 20 | inside 10 | generation 32}.
 * Whoever touches the memory counts itself in first and learns in the same step whether the entry is valid, so between
 * an invalidation that found nobody inside and the reuse of the memory nobody can slip in.
 *
 * <p>Inside are copies under way, a packet each. Operations are the current I/O of a region that may be swapped out:
 * from the post of a work request to its end. A copy looks at valid only, so that what was begun can finish; an operation
 * begins only while no quiesce is asked for.
 *
 * <p>The word ends invalid and never becomes valid again, with one exception: a quiesced region is resumed.
 */
final class StateWord {
    /** How a wish to begin an operation ended. */
    enum Beginning {
        /** It is counted. */
        BEGUN,
        /** The region is to be swapped out, or is: not now. */
        QUIESCING,
        /** The entry is not valid. */
        INVALID,
        /** As many are under way as can be counted. */
        TOO_MANY
    }

    /** How the end of an operation ended. */
    enum Ending {
        /** Others are under way, or nobody waits for the last. */
        ENDED,
        /** It was the last, and quiesce is asked for. */
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

    boolean isValid() {
        return (word & VALID) != 0;
    }

    /** GRANTED, or why not. */
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
    int operations() {
        return (int) ((word & OPERATIONS) >>> OPERATIONS_SHIFT);
    }

    int generation() {
        return (int) word;
    }

    // --- copies

    /** Counts the caller in; false, and the caller is not in, if the entry is not valid or too many are inside. */
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

    /** Counts an operation in, unless quiesce is asked for. */
    Beginning beginOperation() {
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

    /** Counts an operation out, whatever the state. */
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

    /** From now on nobody enters; those inside are not waited for. False if it was invalid for good before. */
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

    /** Waits for those inside: copies of one packet, so it is short. Call when valid is cleared. */
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

    boolean isQuiescing() {
        return (word & QUIESCE) != 0;
    }

    /** The generation of a quiesce that is asked for and not complete, or {@link #NO_GENERATION}. */
    long quiescingGeneration() {
        long now = word;
        return (now & (QUIESCE | VALID)) == (QUIESCE | VALID) ? now & GENERATION : NO_GENERATION;
    }

    /** Lets no operation begin; false if the entry is not valid or quiesce was asked for already. */
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
     * Clears valid if quiesce is asked for and no operation is under way, in one step; false otherwise. Copies may still
     * be inside: no new ones come, {@link #awaitNobodyInside} waits for them.
     *
     * @param promised the quiesce for which the consumer has said that nothing will come of the operations under way
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

    /** Valid again after quiesce, or quiesce called off; false if no quiesce is on, for good invalidated included. */
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
