package org.verbena.verbs;

import org.verbena.link.sleep.AttachedSource;
import org.verbena.queue.CompletionRing;

/**
 * Control of a completion queue: everything that is not polling. {@link LocalCompletionQueue} serves a queue
 * whose engine is in this process; a control plane to an engine in another process implements the same.
 */
interface CompletionQueueControl {
    /** Drives the engine for one turn, if it is driven by its consumer's polls; how much was done, 0 for nothing. */
    int progress();

    /**
     * Waits until the ring has a completion, or is roused, or the time is over; returns at once when it is so.
     *
     * @param wish which completions end the wait: {@link CompletionRing#ARMED_ANY} or {@link
     *     CompletionRing#ARMED_SOLICITED}
     */
    void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException;

    /** Wakes a thread that waits, so that it looks at the ring again. Any thread. */
    void wake(Thread waiter);

    /**
     * Has the thread that drives the engine sleep for the source too; does nothing if no thread sleeps for the engine.
     *
     * @throws org.verbena.link.LinkException if that thread cannot wait for this kind of source
     */
    void attach(AttachedSource source);

    /** Ends {@link #attach}, and closes the source's watches. */
    void detach(AttachedSource source);

    /** The queue is closed; no queue pair uses it. */
    void onClosed(CompletionRing ring);
}
