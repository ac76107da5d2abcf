package org.verbena.memory.swapping;

/**
 * What must not be done where it is noticed: inside a pager's monitor, inside a copy, on an engine that has just retired the last
 * operation. Errands are run one at a time and in order, by somebody who is inside of nothing; so an errand may wait for copies,
 * and may call a consumer.
 */
public interface Errands {
    /** Has an errand run soon; never before this returns. */
    void run(Runnable errand);

    /** Has an errand run not before a time is over. */
    void runLater(long milliseconds, Runnable errand);
}
