package org.verbena.pool;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the holders of an object that can be closed only while it has none. Count and closed state are one word. Any thread.
 *
 * <p>The methods that may refuse take the object for their message.
 */
public final class HoldCount {
    private static final int CLOSED = -1;
    /** Takes no more holders; the present ones stay. */
    private static final int SHUT = 1 << 30;

    private final AtomicInteger holds = new AtomicInteger();

    /** No holder; open. */
    public HoldCount() {}

    /**
     * Adds a holder.
     *
     * @throws IllegalStateException if the object is shut or closed
     */
    public void hold(Object held) {
        int before = holds.getAndUpdate(n -> isShut(n) ? n : n + 1);
        if (isShut(before)) {
            throw new IllegalStateException(held + " is closed");
        }
    }

    /** Removes a holder. */
    public void release() {
        int left = holds.decrementAndGet();
        assert left >= 0 && left != SHUT - 1 : "released more often than held";
    }

    /** Number of holders. */
    public int count() {
        return Math.max(0, holds.get()) & ~SHUT;
    }

    /** Refuses all further holders. */
    public void shut() {
        holds.getAndUpdate(n -> n == CLOSED ? CLOSED : n | SHUT);
    }

    /** Whether it takes no more holders: it is shut or closed. */
    public boolean isShut() {
        return isShut(holds.get());
    }

    private static boolean isShut(int now) {
        return now == CLOSED || (now & SHUT) != 0;
    }

    /** Whether it is closed. */
    public boolean isClosed() {
        return holds.get() == CLOSED;
    }

    /**
     * Closes the object.
     *
     * @return false if it was closed before
     * @throws IllegalStateException if it has holders; nothing changes then
     */
    public boolean close(Object held) {
        int before = holds.getAndUpdate(n -> n == 0 || n == SHUT ? CLOSED : n);
        if (before > 0 && before != SHUT) {
            throw new IllegalStateException(held + " cannot be closed: in use " + (before & ~SHUT) + " times");
        }
        return before != CLOSED;
    }
}
