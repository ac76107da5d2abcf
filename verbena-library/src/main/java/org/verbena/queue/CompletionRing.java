package org.verbena.queue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Completions from an engine to the consumer that polls them.
 *
 * <p>The engine calls {@link #push} and {@link #notifyArmed}; one consumer thread at a time calls the rest. The ring's
 * flag word is the consumer's wish to be woken: 0 none, 1 for any completion, 2 for a solicited or failed one.
 */
public final class CompletionRing {
    /** Be woken by any completion. */
    public static final long ARMED_ANY = 1;
    /** Be woken by a solicited completion or one that is not a success. */
    public static final long ARMED_SOLICITED = 2;

    private final Ring ring;
    private volatile @Nullable Thread waiter;
    private boolean pushed;
    private boolean attention;
    private boolean overrun;

    public CompletionRing(int capacity) {
        MemorySegment memory = Arena.ofAuto().allocate(Ring.lengthOf(capacity, CompletionSlot.LENGTH), 128);
        this.ring = Ring.over(memory, capacity, CompletionSlot.LENGTH);
    }

    public int capacity() {
        return ring.capacity();
    }

    public MemorySegment memory() {
        return ring.memory();
    }

    // --- engine

    /** Adds a completion; false, and nothing added, when the consumer left no room. */
    public boolean push(CompletionEntry entry) {
        long tail = ring.tail();
        if (tail - ring.head() >= ring.capacity()) {
            return false;
        }
        overrun = false;
        CompletionSlot.write(ring.memory(), ring.slot(tail), entry);
        ring.publishUnguarded(tail);
        pushed = true;
        attention |= entry.asksForAttention();
        return true;
    }

    /** A completion found no room: whether it is the first since one found some. */
    public boolean onOverrun() {
        boolean first = !overrun;
        overrun = true;
        return first;
    }

    /** Wakes a consumer that asked for it; called once after a batch of pushes. */
    public void notifyArmed() {
        if (!pushed) {
            return;
        }
        long armed = ring.flagAfterFence();
        if (armed == ARMED_ANY || (armed == ARMED_SOLICITED && attention)) {
            ring.takeFlag(armed);
            wake();
        }
        pushed = false;
        attention = false;
    }

    /** Wakes a waiting consumer whatever it waits for. */
    public void wake() {
        Thread thread = waiter;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    // --- consumer

    /** Begins a poll: position of the oldest completion. {@link #endPoll} must follow. */
    public long beginPoll() {
        ring.enterConsumer();
        return ring.ownHead();
    }

    /** Position behind the newest completion. */
    public long tail() {
        return ring.tail();
    }

    public long slot(long position) {
        return ring.slot(position);
    }

    /** Ends a poll: everything before {@code position} has been taken. */
    public void endPoll(long position) {
        ring.release(position);
        ring.leaveConsumer();
    }

    public boolean isEmpty() {
        return ring.tail() == ring.head();
    }

    /** Asks to be woken ({@link #ARMED_ANY} or {@link #ARMED_SOLICITED}); look at {@link #isEmpty} once more afterwards. */
    public void arm(long wish) {
        waiter = Thread.currentThread();
        ring.flag(wish);
    }

    /** Asks to be woken unless there is something already; whether there was nothing. */
    public boolean armUnlessFilled(long wish) {
        if (!isEmpty()) {
            return false;
        }
        arm(wish);
        return isEmpty();
    }

    /** Still armed: no wake-up has been sent since {@link #arm}. */
    public boolean armed() {
        return ring.flagAfterFence() != 0;
    }

    public void disarm() {
        ring.flag(0);
        waiter = null;
    }
}
