package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * How many pages may be kept for people who wait for something else, so that there are always frames left for those who wait
 * for nothing but a page. Who asks for more than is left is served in order.
 */
public final class Budget {
    private final AtomicInteger left;
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final ArrayDeque<Application> waiting = new ArrayDeque<>();
    private final Pager pager;
    private final PagingCounters counters;

    private record Application(int pages, Runnable granted) {}

    Budget(int pages, Pager pager, PagingCounters counters) {
        this.left = new AtomicInteger(pages);
        this.pager = pager;
        this.counters = counters;
    }

    /** Pages that may still be kept. */
    public int left() {
        return left.get();
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
            if (now < pages) {
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
        pager.submit(() -> waiting.add(new Application(pages, granted)));
        pager.poke();
    }

    /** Gives back what was taken; any thread. */
    public void give(int pages) {
        left.getAndAdd(pages);
        if (waitingCount.get() > 0) {
            pager.poke();
        }
    }

    /** Inside the monitor. */
    void grant() {
        while (!waiting.isEmpty() && takeIfLeft(waiting.getFirst().pages)) {
            Application first = waiting.removeFirst();
            waitingCount.getAndDecrement();
            first.granted.run();
        }
    }
}
