package org.verbena.memory.hypervisor;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One hand-over of work to an executor that is not the library's. The work never runs on the thread that hands it over, which may be
 * an engine's, and never after the hand-over was found to have failed.
 */
final class HandOver implements Runnable {
    private final Runnable work;
    private final Thread from = Thread.currentThread();
    /** Set by the first: the thread that runs the work, or the hand-over that has failed. */
    private final AtomicBoolean decided = new AtomicBoolean();

    private volatile boolean handing = true;
    private boolean atOnce;

    private HandOver(Runnable work) {
        this.work = work;
    }

    /**
     * Has an executor run work on another thread, or later.
     *
     * @return null, or the reason why the work will not be run
     */
    static @Nullable Throwable to(Executor executor, Runnable work, String owner) {
        return new HandOver(work).run(executor, owner);
    }

    private @Nullable Throwable run(Executor executor, String owner) {
        try {
            executor.execute(this);
        } catch (Throwable thrown) { // of an executor that is not ours; it may be out of threads
            return decided.compareAndSet(false, true) || atOnce ? thrown : null;
        } finally {
            handing = false;
        }
        return atOnce
                ? new IllegalStateException("the executor of " + owner + " ran it on the thread that handed it over;"
                        + " another thread must, or the same one later")
                : null;
    }

    @Override
    public void run() {
        boolean here = handing && Thread.currentThread().equals(from);
        if (decided.compareAndSet(false, true)) {
            if (here) {
                atOnce = true;
            } else {
                work.run();
            }
        }
    }
}
