package org.verbena.memory;

import java.util.concurrent.atomic.AtomicInteger;

/** How many hold a thing that may be closed only when nobody does: count and closed state in one word. */
final class HoldCount {
    private static final int CLOSED = -1;

    private final AtomicInteger holds = new AtomicInteger();

    /** One more holder; the caller is told if the thing is closed already. */
    void hold(Object held) {
        if (holds.getAndUpdate(n -> n == CLOSED ? CLOSED : n + 1) == CLOSED) {
            throw new IllegalStateException(held + " is closed");
        }
    }

    void release() {
        int left = holds.decrementAndGet();
        assert left >= 0 : "released more often than held";
    }

    int count() {
        return Math.max(0, holds.get());
    }

    boolean isClosed() {
        return holds.get() == CLOSED;
    }

    /** Closes unless held; false if it was closed before. */
    boolean close(Object held) {
        int before = holds.compareAndExchange(0, CLOSED);
        if (before > 0) {
            throw new IllegalStateException(held + " cannot be closed: in use " + before + " times");
        }
        return before == 0;
    }
}
