package org.verbena.memory.swapping;

/**
 * Runs steps that must not run where they become due: inside a pager's monitor, inside a copy, or on an engine that has just
 * retired the last operation. Errands run one at a time and in order, on a thread that holds nothing; an errand may therefore
 * wait for copies and call a consumer's action.
 */
public interface Errands {
    /** Runs an errand soon, never before this returns. */
    void run(Runnable errand);

    /** Runs an errand after a time. */
    void runLater(long milliseconds, Runnable errand);
}
