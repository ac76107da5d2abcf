package org.verbena.memory.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads of pages that the operating system has in memory, by whoever wants them: a copy of a page takes less than waking a thread
 * that makes it. One at a time; nobody waits for another.
 */
final class CachedReads {
    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final int CLOSED = 2;

    private final PageMover mover;
    private final AtomicInteger state;

    /** @param possible whether the file's pages ever are in the operating system's memory */
    CachedReads(PageMover mover, boolean possible) {
        this.mover = mover;
        this.state = new AtomicInteger(possible ? FREE : CLOSED);
    }

    /** Whether the transfer has been made, but for its end; if not, it is as it was. Never waits. */
    boolean tryRead(Transfer transfer) {
        if (state.get() != FREE || !state.compareAndSet(FREE, BUSY)) {
            return false;
        }
        PageMover.Attempt attempt = PageMover.Attempt.IN_VAIN;
        try {
            attempt = mover.moveCached(transfer);
        } finally {
            state.set(attempt == PageMover.Attempt.UNHEARD_OF ? CLOSED : FREE);
        }
        return attempt == PageMover.Attempt.DONE;
    }

    /** From now on none; the last one has ended. */
    void close() {
        while (state.get() != CLOSED && !state.compareAndSet(FREE, CLOSED)) {
            Thread.onSpinWait();
        }
    }
}
