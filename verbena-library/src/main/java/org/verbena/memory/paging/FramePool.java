package org.verbena.memory.paging;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stack of frames that any thread gives to and takes from without a lock. The head carries a count of changes, so that a thread
 * that was interrupted cannot mistake a frame that left and returned for one that stayed.
 */
final class FramePool {
    static final int NONE = -1;

    private static final VarHandle NEXT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle HEAD;
    private static final long FRAME = 0xffff_ffffL;
    private static final long TAG_ONE = 1L << 32;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(FramePool.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int[] next;
    private final AtomicInteger free = new AtomicInteger();
    private volatile long head = FRAME;

    /** An empty pool. Pools can share links if no frame is in two of them. */
    FramePool(int[] links) {
        next = links;
    }

    int free() {
        return free.get();
    }

    void give(int frame) {
        long now;
        do {
            now = head;
            NEXT.setOpaque(next, frame, (int) now);
        } while (!HEAD.compareAndSet(this, now, ((now & ~FRAME) + TAG_ONE) | frame));
        free.getAndIncrement();
    }

    int take() {
        long now;
        int frame;
        do {
            now = head;
            frame = (int) now;
            if (frame == NONE) {
                return NONE;
            }
        } while (!HEAD.compareAndSet(
                this, now, ((now & ~FRAME) + TAG_ONE) | ((int) NEXT.getOpaque(next, frame) & FRAME)));
        free.getAndDecrement();
        return frame;
    }
}
