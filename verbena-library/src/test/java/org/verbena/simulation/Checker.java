package org.verbena.simulation;

import org.verbena.verbs.Completion;

/** Watches a run for one kind of fault. A fault found is an {@link AssertionError} that says what was expected. */
interface Checker {
    /** A request is about to be posted. Requests of a lane come in the order of posting. */
    default void onPosted(Intent intent) {}

    /** A request is done, as its completion or a later one tells. In the order of posting. */
    default void onDone(Intent intent) {}

    /** A receive is done; the lane is the one the message came over. */
    default void onReceived(Lane lane, ReceiveFeed.Slot slot, Completion completion) {}

    /** A lane's connection has failed with all outstanding requests: each of them may be done or not. */
    default void onFailed(Lane lane) {}

    /** Everything posted is done and nothing is on its way any more. */
    default void onQuiet() {}
}
