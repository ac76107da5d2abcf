package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread that waits, and the result of its wait. */
final class WaitingThread<T> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Thread thread;

    /** A wait. */
    @FunctionalInterface
    interface Wait<T> {
        T result() throws InterruptedException;
    }

    private WaitingThread(boolean virtual, Wait<T> wait) {
        Runnable body = () -> {
            try {
                result.complete(wait.result());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        };
        thread = virtual
                ? Thread.ofVirtual().unstarted(body)
                : Thread.ofPlatform().daemon().unstarted(body);
    }

    static <T> WaitingThread<T> start(boolean virtual, Wait<T> wait) {
        WaitingThread<T> made = new WaitingThread<>(virtual, wait);
        made.thread.start();
        return made;
    }

    T get() throws InterruptedException, ExecutionException {
        return result.get();
    }

    boolean hasFailed() {
        return result.isCompletedExceptionally();
    }

    /** Returns when the thread is parked, or sleeps in the system. */
    WaitingThread<T> asleep() {
        while (!isAsleep()) {
            assertFalse(result.isDone(), "its wait has ended");
            Thread.onSpinWait();
        }
        return this;
    }

    private boolean isAsleep() {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String name = frame.getClassName();
            if ((name.endsWith("Waiter") && frame.getMethodName().equals("await"))
                    || name.endsWith(".LockSupport")
                    || (name.endsWith(".VirtualThread") && frame.getMethodName().startsWith("park"))) {
                return true;
            }
        }
        return false;
    }

    void isStillWaiting() {
        assertThrows(TimeoutException.class, () -> result.get(50, TimeUnit.MILLISECONDS));
    }
}
