package org.verbena.verbs;

/**
 * Control of a shared receive queue: everything that is not posting. {@link LocalSharedReceives} serves a queue whose
 * engine is in this process; a control plane to an engine in another process implements the same. Any thread.
 */
interface SharedReceiveControl {
    /** Asks for one event when fewer than {@code receives} are left; 0 withdraws the request. */
    void limit(int receives);

    /** A receive was posted for which a peer waits. */
    void onWanted();

    /** The queue is closed, and no queue pair uses it: receives that are left are forgotten. */
    void onClosed();
}
