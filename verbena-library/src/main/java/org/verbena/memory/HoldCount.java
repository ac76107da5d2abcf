package org.verbena.memory;

import java.util.concurrent.atomic.AtomicInteger;

/** How many hold a thing that may be closed only when nobody does: count and closed state in one word. */
final class HoldCount {
    private static final int CLOSED = -1;
    /** No more holders; those there are stay. */
    private static final int SHUT = 1 << 30;

    private final AtomicInteger holds = new AtomicInteger();

    /** One more holder; the caller is told if the thing is closed already. */
    void hold(Object held) {
        int before = holds.getAndUpdate(n -> n == CLOSED || (n & SHUT) != 0 ? n : n + 1);
        if (before == CLOSED || (before & SHUT) != 0) {
            throw new IllegalStateException(held + " is closed");
        }
    }

    void release() {
        int left = holds.decrementAndGet();
        assert left >= 0 && left != SHUT - 1 : "released more often than held";
    }

    int count() {
        return Math.max(0, holds.get()) & ~SHUT;
    }

    /** From now on nobody holds it who does not already. */
    void shut() {
        holds.getAndUpdate(n -> n == CLOSED ? CLOSED : n | SHUT);
    }

    /** Whether nobody can hold it any more. */
    boolean isShut() {
        int now = holds.get();
        return now == CLOSED || (now & SHUT) != 0;
    }

    boolean isClosed() {
        return holds.get() == CLOSED;
    }

    /** Closes unless held; false if it was closed before. */
    boolean close(Object held) {
        int before = holds.getAndUpdate(n -> n == 0 || n == SHUT ? CLOSED : n);
        if (before > 0 && before != SHUT) {
            throw new IllegalStateException(held + " cannot be closed: in use " + (before & ~SHUT) + " times");
        }
        return before != CLOSED;
    }
}
