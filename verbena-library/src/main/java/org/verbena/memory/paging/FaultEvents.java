package org.verbena.memory.paging;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.FaultedAccess;
import org.verbena.PageFault;
import org.verbena.Verdict;

/** The way of page faults to listeners: of all engines' faults in memory of one host and its guests. Any thread. */
public final class FaultEvents {
    private static final FaultRing[] NONE = {};

    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong told = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private volatile FaultRing[] rings = NONE;

    FaultEvents() {}

    /** Whether there is a listener. */
    public boolean isWatched() {
        return rings.length > 0;
    }

    /** Tells the listeners that a fault has begun. */
    public PageFault begin(String adapter, FaultedAccess access, int stage, int pages) {
        PageFault fault = new PageFault(numbers.incrementAndGet(), adapter, access, stage, pages);
        tell(fault, null, 0);
        return fault;
    }

    /** Tells the listeners that a fault has ended. */
    public void end(PageFault fault, Verdict outcome, long durationNs) {
        tell(fault, outcome, durationNs);
    }

    private void tell(PageFault fault, @Nullable Verdict outcome, long durationNs) {
        for (FaultRing ring : rings) {
            (ring.offer(fault, outcome, durationNs) ? told : dropped).getAndIncrement();
        }
    }

    /** Adds the ring of a listener. */
    public synchronized void watch(FaultRing ring) {
        FaultRing[] more = Arrays.copyOf(rings, rings.length + 1);
        more[rings.length] = ring;
        rings = more;
    }

    /** Removes the ring of a listener. */
    public synchronized void unwatch(FaultRing ring) {
        rings = Arrays.stream(rings).filter(other -> other != ring).toArray(FaultRing[]::new);
    }

    /** A listener has thrown an exception or could not be called. */
    public void onFailure() {
        failures.getAndIncrement();
    }

    /** Number of news that were passed on to listeners, counted for each. */
    public long told() {
        return told.get();
    }

    /** Number of news that were dropped because a listener was too slow. */
    public long dropped() {
        return dropped.get();
    }

    /** Number of calls of listeners that failed. */
    public long failures() {
        return failures.get();
    }
}
