package org.verbena.queue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * How an engine learns which of its queue pairs have new work: a bit each, in two levels, and one word that says that the
 * engine sleeps.
 *
 * <p>Layout, native byte order: word 0 is 1 while the engine sleeps; from byte 128 the summary, a bit for each word of
 * the second level; behind it, aligned to 128, the second level, a bit for each queue pair. Any thread may ring; ringing
 * twice costs nothing and loses nothing; no number of rings overflows.
 */
public final class Doorbell {
    private static final long SLEEPING = 0;
    private static final long SUMMARY = 128;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** Told of each queue pair that was rung for. */
    @FunctionalInterface
    public interface Listener {
        void onRing(int index);
    }

    private final MemorySegment memory;
    private final long words;
    private final Runnable wakeup;
    /** Words of the summary that can have a bit: the engine's. */
    private int summaryUsed;

    /** For indexes below {@code capacity}; {@code wakeup} is run by a ringing thread when the engine sleeps. */
    public Doorbell(int capacity, Runnable wakeup) {
        int summaryWords = (capacity + 4095) / 4096;
        this.words = SUMMARY + ((summaryWords * 8L + 127) & ~127L);
        this.memory = Arena.ofAuto().allocate(words + summaryWords * 512L, 128);
        this.wakeup = wakeup;
    }

    /** Says that the queue pair has work. What was written before is visible to the engine when it looks. */
    public void ring(int index) {
        // Full barrier: the queue's tail must be visible before the bits are looked at, else a ring could be lost
        // between the engine's clearing of the bit and its look at the queue.
        VarHandle.fullFence();
        set(words + (index >>> 6) * 8L, 1L << index);
        set(SUMMARY + (index >>> 12) * 8L, 1L << (index >>> 6));
        if ((long) LONG.getOpaque(memory, SLEEPING) != 0) {
            wakeup.run();
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
                listener.onRing((word << 6) + Long.numberOfTrailingZeros(bits));
                found++;
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
        LONG.setVolatile(memory, SLEEPING, yes ? 1L : 0L);
    }
}
