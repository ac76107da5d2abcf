package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * How many pages may be kept for people who wait for something else, so that there are always frames left for those who wait
 * for nothing but a page. Who asks for more than is left is served in order; who asks for more than there is at all, alone.
 */
public final class LeaseBudget {
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final ArrayDeque<Application> waiting = new ArrayDeque<>();
    private final Monitor monitor;
    private final PagingCounters counters;
    private volatile int capacity;

    private record Application(int pages, Runnable granted) {}

    LeaseBudget(Monitor monitor, PagingCounters counters) {
        this.monitor = monitor;
        this.counters = counters;
    }

    /** Pages that may be kept. */
    public int capacity() {
        return capacity;
    }

    /** Inside the monitor. What was taken stays so, even if it is more. */
    void capacity(int pages) {
        left.getAndAdd(pages - capacity);
        capacity = pages;
    }

    /** Pages kept. */
    public int taken() {
        return Math.max(0, capacity - left.get());
    }

    /** Takes part of it unless others wait; any thread. */
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

    /** Has a command run when so many pages are granted, perhaps at once; any thread. */
    public void take(int pages, Runnable granted) {
        if (tryTake(pages)) {
            granted.run();
            return;
        }
        counters.add(PagingCounter.LEASE_WAITS);
        waitingCount.getAndIncrement();
        monitor.submit(() -> waiting.add(new Application(pages, granted)));
        monitor.wake();
    }

    /** Gives back what was taken; any thread. */
    public void give(int pages) {
        left.getAndAdd(pages);
        if (waitingCount.get() > 0) {
            monitor.wake();
        }
    }

    /** Inside the monitor. True if there may be more to grant. */
    boolean grant(TurnAllowance allowance) {
        while (!waiting.isEmpty() && left.get() >= Math.min(waiting.getFirst().pages, capacity)) {
            if (!allowance.trySpend(waiting.getFirst().pages)) {
                return true;
            }
            if (!takeIfLeft(waiting.getFirst().pages)) {
                return false;
            }
            Application first = waiting.removeFirst();
            waitingCount.getAndDecrement();
            first.granted.run();
        }
        return false;
    }
}
