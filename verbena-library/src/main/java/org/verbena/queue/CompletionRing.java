package org.verbena.queue;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Completions from an engine to the consumer that polls them.
 *
 * <p>The engine calls {@link #push}, {@link #onOverrun}, {@link #notifyArmed} and {@link #wake}; one consumer thread at a
 * time calls the rest. Both sides share the memory only: slots, head, tail, and the wish of the consumer to be woken (0
 * none, 1 by any completion, 2 by a solicited or failed one), which also says that the consumer may be asleep. The fields
 * of this object belong to one side each; in one process both sides may use one object.
 */
public final class CompletionRing {
    /** The wish to be woken by any completion. */
    public static final long ARMED_ANY = 1;
    /** The wish to be woken by a solicited completion or one that is not a success. */
    public static final long ARMED_SOLICITED = 2;

    private final Ring ring;

    // Engine's side.
    /** Completions pushed so far; the tail in memory may have been overwritten. */
    private long pushed;
    /** Whether a completion has been pushed since the last {@link #notifyArmed}, and whether one asks for attention. */
    private boolean news;

    private boolean attention;
    /** Whether the last completion found no room. */
    private boolean overrun;

    private final Waker waker;

    // Consumer's side.
    /** The thread that waits, to be woken by an engine of this process; an engine of another process uses its waker. */
    private volatile @Nullable Thread waiter;

    private volatile boolean shut;

    /** Whether a wait was ended by {@link #rouse} and the wake-up is not taken yet. */
    private final AtomicBoolean roused = new AtomicBoolean();

    /** Makes a ring in memory of this process. */
    public CompletionRing(int capacity) {
        this(create(RingMemory.LOCAL, capacity), null);
    }

    private CompletionRing(Ring ring, @Nullable Waker waker) {
        this.ring = ring;
        this.pushed = ring.tail();
        this.waker = waker != null ? waker : this::unpark;
    }

    private static Ring create(RingMemory memory, int capacity) {
        MemorySegment bytes = memory.allocate(Ring.lengthOf(capacity, CompletionSlot.LENGTH));
        return Ring.create(bytes, RingKind.COMPLETION, capacity, CompletionSlot.LENGTH);
    }

    /** Makes a ring in memory given from outside, whose consumer is a thread of this process. */
    public static CompletionRing create(int capacity, RingMemory memory) {
        return new CompletionRing(create(memory, capacity), null);
    }

    /** Makes a ring in memory given from outside, whose consumer is woken by {@code waker}. */
    public static CompletionRing create(int capacity, RingMemory memory, Waker waker) {
        return new CompletionRing(create(memory, capacity), waker);
    }

    /**
     * The consumer's side of a ring that another process has made.
     *
     * @throws IllegalArgumentException if the memory does not hold a completion ring of this layout
     */
    public static CompletionRing attach(MemorySegment memory) {
        Ring ring = Ring.attach(memory, RingKind.COMPLETION);
        if (ring.slotLength() != CompletionSlot.LENGTH) {
            throw new IllegalArgumentException(
                    "a completion has " + CompletionSlot.LENGTH + " bytes; the ring has slots of " + ring.slotLength());
        }
        return new CompletionRing(ring, null);
    }

    /** Number of completions it has room for. */
    public int capacity() {
        return ring.capacity();
    }

    /** The memory that offsets from {@link #slot} refer to. */
    public MemorySegment memory() {
        return ring.memory();
    }

    // --- engine

    /** Adds a completion; false, and nothing added, when the consumer left no room. */
    public boolean push(CompletionEntry entry) {
        if (pushed - ring.head() >= ring.capacity()) {
            return false;
        }
        overrun = false;
        CompletionSlot.write(ring.memory(), ring.slot(pushed), entry);
        ring.publishUnguarded(pushed++);
        news = true;
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
        if (!news) {
            return;
        }
        int armed = ring.wishAfterFence();
        if (armed == ARMED_ANY || (armed == ARMED_SOLICITED && attention)) {
            ring.takeWish(armed);
            wake();
        }
        news = false;
        attention = false;
    }

    /** Wakes a waiting consumer whatever it waits for. */
    public void wake() {
        waker.wake();
    }

    private void unpark() {
        Thread thread = waiter;
        if (thread != null && !thread.equals(Thread.currentThread())) { // which may drive the engine itself
            LockSupport.unpark(thread);
        }
    }

    // --- consumer

    /** Begins a poll: position of the oldest completion. {@link #endPoll} must follow. */
    public long beginPoll() {
        ring.enterConsumer();
        return ring.ownHead();
    }

    /** Number of completions that can be polled from a position on. */
    public int published(long position) {
        return ring.published(position);
    }

    /** Position behind the newest completion. */
    public long tail() {
        return ring.tail();
    }

    /** Offset of a position's slot in {@link #memory}. */
    public long slot(long position) {
        return ring.slot(position);
    }

    /** Ends a poll: everything before {@code position} has been taken. */
    public void endPoll(long position) {
        ring.release(position);
        ring.leaveConsumer();
    }

    /** Whether there is no completion to poll. */
    public boolean isEmpty() {
        return ring.published(ring.head()) == 0;
    }

    /** Asks to be woken ({@link #ARMED_ANY} or {@link #ARMED_SOLICITED}); look at {@link #isEmpty} once more afterwards. */
    public void arm(long wish) {
        waiter = Thread.currentThread();
        ring.wish((int) wish);
    }

    /** Asks to be woken unless there is a completion or a {@link #rouse} already, or the ring is shut; whether none of these is so. */
    public boolean armUnlessFilled(long wish) {
        if (!isEmpty()) {
            return false;
        }
        arm(wish);
        return isEmpty() && !shut && !roused.get();
    }

    /**
     * Ends the present wait, or else the next one. Any thread of the consumer's process. The thread that arms names itself and then looks for the wake-up; this
     * method leaves the wake-up and then looks for the thread. At least one of the two sees the other.
     *
     * @return the thread that waits, which the caller has to wake; null if none does
     */
    public @Nullable Thread rouse() {
        roused.set(true);
        Thread thread = waiter;
        if (thread != null) {
            ring.wish(0); // after the wake-up: a thread that arms again finds it
        }
        return thread;
    }

    /** Takes the wake-up of {@link #rouse}; whether there was one. */
    public boolean takeRouse() {
        return roused.get() && roused.getAndSet(false); // sees all that the last caller of rouse has done before
    }

    /** Ends the present wait, and lets no other one begin. Any thread of the consumer's process. */
    public void shut() {
        shut = true;
        ring.wish(0);
        unpark();
    }

    /** Still armed: no wake-up has been sent since {@link #arm}. */
    public boolean armed() {
        return ring.wishAfterFence() != 0;
    }

    /** Withdraws the wish to be woken. */
    public void disarm() {
        ring.wish(0);
        waiter = null;
    }
}
