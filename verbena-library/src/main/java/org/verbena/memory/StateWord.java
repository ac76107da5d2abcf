package org.verbena.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Validity and use of one entry, in one word: {@code quiesce 1 | valid 1 | count 30 | generation 32}. Whoever touches
 * the memory counts itself in first and learns in the same step whether the entry is valid, so between an invalidation
 * that found the count at zero and the reuse of the memory nobody can slip in.
 *
 * <p>The word ends invalid and never becomes valid again, with one exception: a quiesced region is resumed.
 * An access looks at valid only; quiesce tells consumers to start nothing new and explains why valid is gone.
 */
final class StateWord {
    private static final long QUIESCE = 1L << 63;
    private static final long VALID = 1L << 62;
    private static final long ONE = 1L << 32;
    private static final long COUNT = (1L << 62) - ONE;
    private static final long GENERATION = ONE - 1;
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

    int count() {
        return (int) ((word & COUNT) >>> 32);
    }

    int generation() {
        return (int) word;
    }

    /** Counts the caller in; false, and the caller is not in, if the entry is not valid. */
    boolean enter() {
        long before = (long) WORD.getAndAdd(this, ONE);
        if ((before & VALID) != 0) {
            return true;
        }
        leave();
        return false;
    }

    void leave() {
        long _ = (long) WORD.getAndAddRelease(this, -ONE);
    }

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

    /** Waits for those inside: copies of one packet, so it is short. Call after {@link #invalidate}. */
    void awaitNobodyInside() {
        for (int turn = 0; (word & COUNT) != 0; turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    /** Asks consumers to start nothing new; false if the entry is not valid. */
    boolean requestQuiesce() {
        long now;
        do {
            now = word;
            if ((now & VALID) == 0) {
                return false;
            }
        } while (!WORD.compareAndSet(this, now, now | QUIESCE));
        return true;
    }

    /** Clears valid if quiesce was asked for and nobody is inside, in one step; false otherwise. */
    boolean completeQuiesce() {
        long now = word;
        boolean idle = (now & (QUIESCE | VALID | COUNT)) == (QUIESCE | VALID);
        return idle && WORD.compareAndSet(this, now, nextGeneration(now & ~VALID));
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
        return verdict() + ", inside " + count() + ", generation " + generation();
    }
}
