package org.verbena.message;

import org.verbena.verbs.Completion;

/** A work request that was submitted to a {@link Dispatcher} has failed. */
public final class WorkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // an exception of this process; its text says the same
    private final Completion completion;

    WorkFailedException(Completion completion) {
        super(completion.operation() + " on queue pair " + completion.queuePair() + ": "
                + completion.status().text());
        this.completion = completion;
    }

    /** The completion, with the status. */
    public Completion completion() {
        return completion;
    }
}
