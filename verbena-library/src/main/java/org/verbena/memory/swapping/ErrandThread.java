package org.verbena.memory.swapping;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs errands on a virtual thread, which is started for the first errand and ends after the last. */
public final class ErrandThread implements Errands {
    private static final String NAME = "hypervisor-errands";

    /** Runs a task, on any thread, after a time. */
    interface Delay {
        void run(long milliseconds, Runnable task);
    }

    private final Delay delay;
    private final ConcurrentLinkedQueue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();

    /** In real time. Starts no thread before there is an errand. */
    public ErrandThread() {
        this((milliseconds, task) -> CompletableFuture.delayedExecutor(
                        milliseconds, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(task));
    }

    /** With another delay. */
    ErrandThread(Delay delay) {
        this.delay = delay;
    }

    @Override
    public void run(Runnable errand) {
        errands.add(errand);
        if (running.compareAndSet(false, true)) {
            Thread.ofVirtual().name(NAME).start(this::work);
        }
    }

    @Override
    public void runLater(long milliseconds, Runnable errand) {
        delay.run(milliseconds, () -> run(errand));
    }

    private void work() {
        do {
            for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
                runOne(errand);
            }
            running.set(false);
        } while (!errands.isEmpty() && running.compareAndSet(false, true));
    }

    /** An exception of one errand goes to the thread's handler; the next errands are run. */
    private static void runOne(Runnable errand) {
        try {
            errand.run();
        } catch (RuntimeException | Error thrown) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }
}
