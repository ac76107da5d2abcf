package org.verbena.memory;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs errands on a virtual thread that is there only as long as it has some. */
final class ErrandThread implements Errands {
    private static final String NAME = "hypervisor-errands";

    private final ConcurrentLinkedQueue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();

    @Override
    public void run(Runnable errand) {
        errands.add(errand);
        if (running.compareAndSet(false, true)) {
            Thread.ofVirtual().name(NAME).start(this::work);
        }
    }

    @Override
    public void runLater(long milliseconds, Runnable errand) {
        CompletableFuture.delayedExecutor(milliseconds, TimeUnit.MILLISECONDS, this::run)
                .execute(errand);
    }

    private void work() {
        do {
            for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
                runOne(errand);
            }
            running.set(false);
        } while (!errands.isEmpty() && running.compareAndSet(false, true));
    }

    /** One that throws keeps no other from being run. */
    private static void runOne(Runnable errand) {
        try {
            errand.run();
        } catch (RuntimeException | Error thrown) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }
}
