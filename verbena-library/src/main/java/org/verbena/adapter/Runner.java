package org.verbena.adapter;

import java.util.concurrent.CompletableFuture;
import org.verbena.queue.CompletionRing;

/** Drives an engine: on the consumer's thread, on a thread of its own, on both in turn, or by hand. */
public sealed interface Runner extends AutoCloseable permits SharedRunner, ThreadRunner, InlineRunner, ManualRunner {
    /**
     * Runs a command on the thread that drives the engine, and returns when it is done. Its exceptions are thrown here.
     *
     * @throws IllegalStateException when the runner is closed
     */
    void call(Runnable command);

    /** Gives the engine a turn, if the consumer gives the turns. Returns the amount of work done. */
    int progress();

    /**
     * Waits until the ring has a completion, is shut or {@linkplain CompletionRing#rouse roused}, or the time is over. Returns at once if it has one.
     *
     * @param wish which completions count: {@link CompletionRing#ARMED_ANY} or {@link CompletionRing#ARMED_SOLICITED}
     * @throws IllegalStateException if there is no completion and this runner is closed or has failed, or the calling thread cannot wait here
     */
    void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException;

    /**
     * Waits until the future is done or the time is over. Gives turns meanwhile, if the consumer gives the turns.
     *
     * @throws IllegalStateException if the future is not done and this call cannot give or await the turns that complete it
     */
    void await(CompletableFuture<?> future, long timeoutNs) throws InterruptedException;

    /** Wakes a thread that waits here, so that it looks at its ring again. Any thread; does nothing if that thread has stopped waiting. */
    void wake(Thread waiter);

    /** Wakes all threads that wait, so that each looks at its ring or future again. Any thread. */
    void wakeWaiters();

    /** Ends the driving: no turn follows. Threads that wait are woken. */
    @Override
    void close();
}
