package org.verbena.memory.paging;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.verbena.PageFault;
import org.verbena.Verdict;

/**
 * News of page faults on their way to one listener: a ring with a fixed number of places. Any thread adds news, without a lock and
 * without an allocation. One thread at a time takes them.
 */
public final class FaultRing {
    /** News that can wait for a listener. Further ones are dropped and counted. */
    public static final int CAPACITY = 1024;

    private static final int MASK = CAPACITY - 1;

    /** Gets the news that is taken. */
    public interface Receiver {
        /** A fault has begun. */
        void onBegin(PageFault fault);

        /** A fault has ended. */
        void onEnd(PageFault fault, Verdict outcome, long durationNs);
    }

    private final Runnable onNews;
    private final @Nullable PageFault[] faults = new @Nullable PageFault[CAPACITY];
    /** Outcome of a fault that has ended; null if it has begun. */
    private final @Nullable Verdict[] outcomes = new @Nullable Verdict[CAPACITY];

    private final long[] durationsNs = new long[CAPACITY];
    /** The position for which each place is free; one more if the news of that position is there. */
    private final AtomicLongArray turns = new AtomicLongArray(CAPACITY);

    private final AtomicLong added = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    /** Of the thread that takes. */
    private long taken;

    /** @param onNews called after each news is added, by the thread that adds it; must not block */
    public FaultRing(Runnable onNews) {
        this.onNews = onNews;
        for (int place = 0; place < CAPACITY; place++) {
            turns.setPlain(place, place);
        }
    }

    /** Number of news that found no place. */
    public long dropped() {
        return dropped.get();
    }

    /** Adds news, or drops it if all places are taken; false if it is dropped. */
    boolean offer(PageFault fault, @Nullable Verdict outcome, long durationNs) {
        for (; ; ) {
            long position = added.get();
            int place = (int) position & MASK;
            long ahead = turns.get(place) - position;
            if (ahead < 0) {
                dropped.getAndIncrement();
                return false;
            }
            if (ahead == 0 && added.compareAndSet(position, position + 1)) {
                faults[place] = fault;
                outcomes[place] = outcome;
                durationsNs[place] = durationNs;
                turns.set(place, position + 1);
                onNews.run();
                return true;
            }
        }
    }

    /** Whether there is no news. */
    public boolean isEmpty() {
        return turns.get((int) taken & MASK) != taken + 1;
    }

    /** Takes the oldest news; false if there is none. */
    public boolean take(Receiver receiver) {
        if (isEmpty()) {
            return false;
        }
        int place = (int) taken & MASK;
        PageFault fault = faults[place];
        Verdict outcome = outcomes[place];
        long durationNs = durationsNs[place];
        assert fault != null : "a place without a fault";
        faults[place] = null;
        turns.set(place, taken + CAPACITY);
        taken++;
        if (outcome == null) {
            receiver.onBegin(fault);
        } else {
            receiver.onEnd(fault, outcome, durationNs);
        }
        return true;
    }
}
