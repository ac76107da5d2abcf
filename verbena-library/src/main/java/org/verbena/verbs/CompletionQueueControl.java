package org.verbena.verbs;

import org.verbena.queue.CompletionRing;

/**
 * Control of a completion queue: everything that is not polling. {@link LocalCompletionQueue} serves a queue
 * whose engine is in this process; a control plane to an engine in another process implements the same.
 */
interface CompletionQueueControl {
    /** Drives the engine for one turn, if it is driven by its consumer's polls; how much was done, 0 for nothing. */
    int progress();

    /**
     * Waits until the ring has a completion or the time is over; returns at once when it has.
     *
     * @param wish which completions end the wait: {@link CompletionRing#ARMED_ANY} or {@link
     *     CompletionRing#ARMED_SOLICITED}
     */
    void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException;

    /** The queue is closed; no queue pair uses it. */
    void onClosed(CompletionRing ring);
}
