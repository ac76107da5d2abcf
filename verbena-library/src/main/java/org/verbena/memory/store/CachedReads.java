package org.verbena.memory.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads pages that are in the operating system's page cache on the thread that submits the transfer: to copy a few pages takes less
 * time than to wake a thread for it. One transfer at a time; a second thread does not wait, its transfer takes the usual way.
 */
final class CachedReads {
    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final int CLOSED = 2;

    private final PageMover mover;
    private final AtomicInteger state;

    /** @param possible whether the file goes through the page cache at all */
    CachedReads(PageMover mover, boolean possible) {
        this.mover = mover;
        this.state = new AtomicInteger(possible ? FREE : CLOSED);
    }

    /** Reads the pages of a transfer without waiting; false if that is not possible, and then the transfer is unchanged. */
    boolean tryRead(Transfer transfer) {
        if (state.get() != FREE || !state.compareAndSet(FREE, BUSY)) {
            return false;
        }
        PageMover.Attempt attempt = PageMover.Attempt.NOT_DONE;
        try {
            attempt = mover.moveCached(transfer);
        } finally {
            state.set(attempt == PageMover.Attempt.UNSUPPORTED ? CLOSED : FREE);
        }
        return attempt == PageMover.Attempt.DONE;
    }

    /** Waits for the read under way; {@link #tryRead} returns false from then on. */
    void close() {
        while (state.get() != CLOSED && !state.compareAndSet(FREE, CLOSED)) {
            Thread.onSpinWait();
        }
    }
}
