package org.verbena.message;

import org.verbena.verbs.Completions;

/**
 * Takes the completions of one queue pair from a {@link Dispatcher}. The thread that runs the dispatcher calls all methods, one
 * at a time. A handler must not wait: all queue pairs of the dispatcher wait with it. The batch is used again after the
 * method returns.
 */
public interface WorkHandler {
    /**
     * A request of the queue pair is done.
     *
     * @param batch holds the completion
     * @param index of the completion in the batch
     */
    void onCompletion(Completions batch, int index);

    /**
     * A request of the queue pair has failed, or was flushed because another one failed.
     *
     * @param batch holds the completion
     * @param index of the completion in the batch
     */
    void onFailure(Completions batch, int index);

    /**
     * Completions of the queue pair that stand side by side in a batch. Calls the two methods above for each; a handler
     * that gains by taking many at once overrides it.
     *
     * @param batch holds the completions
     * @param from index of the first
     * @param to index after the last
     */
    default void onCompletions(Completions batch, int from, int to) {
        for (int i = from; i < to; i++) {
            if (batch.status(i).success()) {
                onCompletion(batch, i);
            } else {
                onFailure(batch, i);
            }
        }
    }

    /**
     * No completion will come any more: the queue pair was reset or closed, or the dispatcher has ended. Called once, and not
     * after {@link Dispatcher#remove}.
     *
     * @param cause the reason
     */
    default void onEnd(Throwable cause) {}
}
