package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * Limits how many pages of a driver are leased at a time, so that frames are left for page-ins. A lease of more pages than are left
 * waits; waiting leases are granted in order. A lease of more pages than the whole capacity is granted when nothing else is leased.
 */
public final class LeaseBudget {
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final Monitor monitor;
    private final PagingCounters counters;
    private volatile int capacity;

    private record Waiting(int pages, Runnable granted) {}

    LeaseBudget(Monitor monitor, PagingCounters counters) {
        this.monitor = monitor;
        this.counters = counters;
    }

    /** Number of pages that may be leased at a time. */
    public int capacity() {
        return capacity;
    }

    /** Changes the capacity, inside the monitor. Pages that are leased stay leased, even if they are more. */
    void capacity(int pages) {
        left.getAndAdd(pages - capacity);
        capacity = pages;
    }

    /** Number of pages leased now. */
    public int taken() {
        return Math.max(0, capacity - left.get());
    }

    /** Takes a number of pages from the budget; false if too few are left or another lease waits. Any thread. */
    public boolean tryTake(int pages) {
        if (waitingCount.get() > 0) {
            return false;
        }
        return takeIfLeft(pages);
    }

    private boolean takeIfLeft(int pages) {
        int now;
        do {
            now = left.get();
            if (now < Math.min(pages, capacity)) {
                return false;
            }
        } while (!left.compareAndSet(now, now - pages));
        return true;
    }

    /** Takes a number of pages from the budget, then runs the command: at once, or when enough are left. Any thread. */
    public void take(int pages, Runnable granted) {
        if (tryTake(pages)) {
            granted.run();
            return;
        }
        counters.add(PagingCounter.LEASE_WAITS);
        waitingCount.getAndIncrement();
        monitor.submit(() -> waiting.add(new Waiting(pages, granted)));
        monitor.wake();
    }

    /** Gives pages back to the budget. Any thread. */
    public void give(int pages) {
        left.getAndAdd(pages);
        if (waitingCount.get() > 0) {
            monitor.wake();
        }
    }

    /** Grants waiting leases, inside the monitor; true if the next turn may grant more. */
    boolean grant(TurnAllowance allowance) {
        while (!waiting.isEmpty() && left.get() >= Math.min(waiting.getFirst().pages, capacity)) {
            if (!allowance.trySpend(waiting.getFirst().pages)) {
                return true;
            }
            if (!takeIfLeft(waiting.getFirst().pages)) {
                return false;
            }
            Waiting first = waiting.removeFirst();
            waitingCount.getAndDecrement();
            first.granted.run();
        }
        return false;
    }
}
