package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * How an engine learns which of its queue pairs have new work: a bit each, in two levels, and one word that says that the
 * engine sleeps. The side that rings may be another process; it needs the memory and a {@link Waker}.
 *
 * <p>Layout, native byte order:
 *
 * <pre>
 *     0     {@code RingHeader}; its capacity is the number of queue pairs
 *   128  4  1 while the engine sleeps
 *   256  8  each word of the summary: a bit for each word of the second level
 *           second level, at the next multiple of 128: a bit for each queue pair
 * </pre>
 *
 * Any thread may ring; ringing twice costs nothing and loses nothing; no number of rings overflows. The engine believes
 * nothing but bits: one that stands for no queue pair is ignored.
 */
public final class Doorbell {
    static final long SLEEPING = 128;
    static final long SUMMARY = 256;

    /** Queue pairs of one word of the summary. */
    private static final int PER_SUMMARY_WORD = 64 * 64;

    private static final int CAPACITY_MAX = 1 << 24;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /** Told of each queue pair that was rung for. */
    @FunctionalInterface
    public interface Listener {
        /** The queue pair with this index has work. */
        void onRing(int index);
    }

    private final MemorySegment memory;
    private final int capacity;
    private final long words;
    private final Waker waker;
    /** Engine's side: words of the summary that can have a bit. */
    private int summaryUsed;

    /**
     * Makes a doorbell in memory of this process.
     *
     * @param capacity indexes are below it
     * @param waker called by a ringing thread when the engine sleeps
     */
    public Doorbell(int capacity, Waker waker) {
        this(RingMemory.LOCAL.allocate(lengthOf(capacity)), capacity, waker);
        RingHeader.write(memory, RingKind.DOORBELL, capacity, 0, lengthOf(capacity));
    }

    private Doorbell(MemorySegment memory, int capacity, Waker waker) {
        this.memory = memory;
        this.capacity = capacity;
        this.words = wordsAt(capacity);
        this.waker = waker;
    }

    /** Makes a doorbell in memory given from outside. Whatever the memory held is gone. */
    public static Doorbell create(int capacity, RingMemory memory, Waker waker) {
        MemorySegment bytes = memory.allocate(lengthOf(capacity));
        RingHeader.requireUsable(bytes, lengthOf(capacity));
        RingHeader.write(bytes, RingKind.DOORBELL, capacity, 0, lengthOf(capacity));
        return new Doorbell(bytes, capacity, waker);
    }

    /**
     * The ringing side of a doorbell that another process has made.
     *
     * @throws IllegalArgumentException if the memory does not hold a doorbell of this layout, with what was found
     */
    public static Doorbell attach(MemorySegment memory, Waker waker) {
        int capacity = RingHeader.read(memory, RingKind.DOORBELL).capacity();
        RingHeader.requireUsable(memory, lengthOf(capacity));
        return new Doorbell(memory, capacity, waker);
    }

    /** Bytes of memory that a doorbell takes. */
    public static long lengthOf(int capacity) {
        if (capacity <= 0 || capacity > CAPACITY_MAX) {
            throw new IllegalArgumentException(
                    "a doorbell serves 1 … " + CAPACITY_MAX + " queue pairs; found " + capacity);
        }
        return wordsAt(capacity) + summaryWords(capacity) * 64L * Long.BYTES;
    }

    private static int summaryWords(int capacity) {
        return (capacity + PER_SUMMARY_WORD - 1) / PER_SUMMARY_WORD;
    }

    /** Where the second level begins. */
    private static long wordsAt(int capacity) {
        long summary = (long) summaryWords(capacity) * Long.BYTES;
        return SUMMARY + ((summary + RingHeader.LINE - 1) & -RingHeader.LINE);
    }

    /** The memory, for a side that attaches to it. */
    public MemorySegment memory() {
        return memory;
    }

    /** Says that the queue pair has work. Writes of this thread before the call are visible to the engine when it looks. */
    public void ring(int index) {
        assert index >= 0 && index < capacity : "index " + index + " of " + capacity;
        // Full barrier: the queue's tail must be visible before the bits are looked at, else a ring could be lost
        // between the engine's clearing of the bit and its look at the queue.
        VarHandle.fullFence();
        set(words + (index >>> 6) * 8L, 1L << index);
        set(SUMMARY + (index >>> 12) * 8L, 1L << (index >>> 6));
        if ((int) INT.getOpaque(memory, SLEEPING) != 0) {
            waker.wake();
        }
    }

    private void set(long word, long bit) {
        if (((long) LONG.getOpaque(memory, word) & bit) == 0) {
            LONG.getAndBitwiseOr(memory, word, bit);
        }
    }

    /** Engine: from now on this index may be rung for. */
    public void cover(int index) {
        summaryUsed = Math.max(summaryUsed, (index >>> 12) + 1);
    }

    /** Engine: hands each index rung for since the last time to the listener, once; returns how many. */
    public int drain(Listener listener) {
        int found = 0;
        for (int s = 0; s < summaryUsed; s++) {
            long at = SUMMARY + s * 8L;
            if ((long) LONG.getOpaque(memory, at) != 0) {
                found += drainSummary((long) LONG.getAndSet(memory, at, 0L), s << 6, listener);
            }
        }
        return found;
    }

    private int drainSummary(long summary, int firstWord, Listener listener) {
        int found = 0;
        for (long left = summary; left != 0; left &= left - 1) {
            int word = firstWord + Long.numberOfTrailingZeros(left);
            long bits = (long) LONG.getAndSet(memory, words + word * 8L, 0L);
            for (; bits != 0; bits &= bits - 1) {
                int index = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (index < capacity) {
                    listener.onRing(index);
                    found++;
                }
            }
        }
        return found;
    }

    /** Engine: whether anything has been rung for. */
    public boolean pending() {
        for (int s = 0; s < summaryUsed; s++) {
            if ((long) LONG.getVolatile(memory, SUMMARY + s * 8L) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Engine: about to sleep (look at {@link #pending} once more before), or awake again. */
    public void sleeping(boolean yes) {
        INT.setVolatile(memory, SLEEPING, yes ? 1 : 0);
    }
}
