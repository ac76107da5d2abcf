package org.verbena.memory.protection;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.LongUnaryOperator;

/**
 * The count of operations and the quiesce indicator of a region, in 8 bytes of the consumer's memory. Another process may change them at
 * any time, to any value. So nothing here decides on an access: validity and the count of copies are in the {@link StateWord} of the
 * region. A wrong value has its effect on the swap-out of this region only.
 *
 * <p>Every change is one compare-and-set. If the memory cannot be accessed any more, the word is lost: it reads as closed. No method
 * throws. Any thread.
 */
final class ConsumerWord {
    /** No operation may begin. The library sets and clears it. */
    static final long QUIESCE = 1L << 63;
    /** The region is closed. The library sets it. */
    static final long CLOSED = 1L << 62;
    /** The operations counted access nothing before the region is resumed. The consumer sets it, the library clears it. */
    static final long QUIESCED = 1L << 61;
    /** The consumer waits for the region. The consumer sets it, the library clears it. */
    static final long INTEREST = 1L << 60;
    /** Operations under way. */
    static final long COUNT = (1L << 32) - 1;
    /** Operations at once; one more is refused. A higher number in the word is wrong. */
    static final long COUNT_MAX = Integer.MAX_VALUE;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    /** Attempts of one change. A word that changes more often under it is lost: an engine waits for no other process. */
    private static final int ATTEMPTS_MAX = 1 << 16;
    /** Takes bytes that are read to find out whether they can be read. */
    private static final MemorySegment PROBED = MemorySegment.ofArray(new long[1]);

    private final MemorySegment word;
    private final boolean mapped;
    /** Valid until the word is closed or lost. Inside are accesses to the word. */
    private final StateWord guard = StateWord.valid();

    private volatile boolean lost;

    private ConsumerWord(MemorySegment word) {
        this.word = word;
        this.mapped = word.isMapped();
    }

    /**
     * The word in a segment.
     *
     * @throws IllegalArgumentException if the segment cannot be one, or its value is not 0
     */
    static ConsumerWord in(MemorySegment segment) {
        ForeignMemory.requireUsable(segment);
        if (segment.byteSize() != Long.BYTES || segment.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException("a word of " + segment.byteSize() + " bytes at 0x"
                    + Long.toHexString(segment.address()) + " found, " + Long.BYTES + " bytes at a multiple of "
                    + Long.BYTES + " expected");
        }
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException("a word that is read-only found, one that can be changed expected");
        }
        ConsumerWord made = new ConsumerWord(segment);
        long value = made.value();
        if (value != 0) {
            throw new IllegalArgumentException("a word with the value 0x" + Long.toHexString(value)
                    + " found, 0 expected: no operation is under way before the region is registered");
        }
        return made;
    }

    // --- the consumer's side

    /** Counts an operation in, unless quiesce is set. */
    StateWord.Beginning begin() {
        long before = change(ConsumerWord::begun);
        if ((before & CLOSED) != 0) {
            return StateWord.Beginning.INVALID;
        }
        if ((before & QUIESCE) != 0) {
            return StateWord.Beginning.QUIESCING;
        }
        return (before & COUNT) < COUNT_MAX ? StateWord.Beginning.BEGUN : StateWord.Beginning.TOO_MANY;
    }

    private static long begun(long now) {
        return (now & (CLOSED | QUIESCE)) == 0 && (now & COUNT) < COUNT_MAX ? now + 1 : now;
    }

    /** Counts an operation out. */
    StateWord.Ending end() {
        long before = change(now -> (now & COUNT) == 0 ? now : now - 1);
        if ((before & COUNT) == 0) {
            return StateWord.Ending.NONE;
        }
        return (before & (QUIESCE | COUNT)) == (QUIESCE | 1) ? StateWord.Ending.LAST : StateWord.Ending.ENDED;
    }

    /** Operations under way. */
    int operations() {
        return (int) Math.min(value() & COUNT, COUNT_MAX);
    }

    boolean isQuiescing() {
        return (value() & QUIESCE) != 0;
    }

    // --- the library's side

    /** Asks the consumer to begin no operation. Whatever it said in an earlier quiesce is over. */
    void ask() {
        long _ = change(now -> (now | QUIESCE) & ~(QUIESCED | INTEREST));
    }

    /** Operations may begin again. */
    void resume() {
        long _ = change(now -> now & ~(QUIESCE | QUIESCED | INTEREST));
    }

    /**
     * Whether no operation is under way, or the consumer says that they access nothing. Sets the indicator again if it was cleared: the
     * library has asked.
     */
    boolean isQuiet() {
        long before = change(now -> (now & CLOSED) == 0 ? now | QUIESCE : now);
        return !lost && ((before & COUNT) == 0 || (before & QUIESCED) != 0);
    }

    /** Whether the consumer says that the operations under way access nothing. */
    boolean isPromised() {
        return (value() & QUIESCED) != 0;
    }

    /** Whether interest was shown since the last call. */
    boolean takeInterest() {
        return (change(now -> now & ~INTEREST) & INTEREST) != 0;
    }

    /** Whether the memory could not be accessed. It is not tried again. */
    boolean isLost() {
        return lost;
    }

    /** Tells the consumer that the region is closed. When it returns the library does not access the memory any more. */
    void close() {
        long _ = change(now -> (now | CLOSED) & ~(QUIESCE | QUIESCED | INTEREST));
        guard.invalidate();
        guard.awaitNobodyInside();
    }

    // --- access

    private long value() {
        return change(now -> now);
    }

    /** Changes the value by compare-and-set; returns the value before. CLOSED if the word is closed or lost. */
    long change(LongUnaryOperator change) {
        if (!enter()) {
            return CLOSED;
        }
        try {
            probe();
            return changeAlive(change);
        } catch (IllegalStateException | InternalError gone) { // its arena is closed; its file was cut
            return lose();
        } finally {
            guard.leave();
        }
    }

    /** More threads may be here than the guard counts at once. */
    private boolean enter() {
        while (!guard.enter()) {
            if (!guard.isValid()) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private long changeAlive(LongUnaryOperator change) {
        long now = (long) LONG.getVolatile(word, 0L);
        for (int attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
            long next = change.applyAsLong(now);
            long seen = next == now ? now : (long) LONG.compareAndExchange(word, 0L, now, next);
            if (seen == now) {
                return now;
            }
            now = seen;
        }
        return lose();
    }

    private long lose() {
        lost = true;
        guard.invalidate();
        return CLOSED;
    }

    /**
     * Reads a mapped file before it is changed: the JVM turns the fault of a read into an error, but dies of the fault of an interpreted
     * compare-and-set. It throws the error at the thread's next poll; a call of a native method polls.
     */
    private void probe() {
        if (mapped) {
            MemorySegment.copy(word, 0, PROBED, 0, Long.BYTES);
            boolean _ = Thread.holdsLock(this);
        }
    }

    @Override
    public String toString() {
        return "word 0x" + Long.toHexString(value()) + (lost ? ", lost" : "");
    }
}
