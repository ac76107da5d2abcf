package org.verbena.adapter;

import java.util.concurrent.CompletableFuture;
import org.verbena.queue.CompletionRing;

/** Lends an engine its thread: one of its own, the consumer's, or a test's. */
public sealed interface Runner extends AutoCloseable permits ThreadRunner, InlineRunner, ManualRunner {
    /**
     * Runs a command where the engine runs, and returns when it is done. What it throws is thrown here.
     *
     * @throws IllegalStateException when the runner is closed
     */
    void call(Runnable command);

    /** Gives the engine a turn, if turns are the consumer's to give; how much was done. */
    int progress();

    /**
     * Waits until the ring has a completion or the time is over; returns at once when it has.
     *
     * @param wish which completions count: {@link CompletionRing#ARMED_ANY} or {@link CompletionRing#ARMED_SOLICITED}
     */
    void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException;

    /**
     * Waits until the future is done or the time is over, giving turns where turns are the consumer's to give.
     *
     * @throws IllegalStateException if only somebody else's turns can bring it about
     */
    void await(CompletableFuture<?> future, long timeoutNs) throws InterruptedException;

    /** Takes the thread away. The engine does nothing any more. */
    @Override
    void close();
}
