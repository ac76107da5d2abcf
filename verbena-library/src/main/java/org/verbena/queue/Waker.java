package org.verbena.queue;

/**
 * Wakes the other side of a ring or a doorbell, after a word in memory said that it sleeps. In one process this is an
 * unpark or the sleeper of an engine's runner; between processes it is a system call.
 */
@FunctionalInterface
public interface Waker {
    /** Wakes the sleeping side. Any thread; does not wait; a call without need does no harm. */
    void wake();
}
