package org.verbena.message;

import java.util.function.Consumer;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.verbs.Completions;

/**
 * Hands the completions of a dispatcher on, and tells handlers and futures when none will come any more. The thread that runs
 * the dispatcher calls it; {@link #endAll} may be called by any thread.
 */
final class Deliveries {
    private final Handlers handlers;
    private final Submissions submissions;
    private volatile Consumer<? super Throwable> failures = Deliveries::tellThread;

    Deliveries(Handlers handlers, Submissions submissions) {
        this.handlers = handlers;
        this.submissions = submissions;
    }

    void onFailure(Consumer<? super Throwable> handler) {
        failures = handler;
    }

    private static void tellThread(Throwable failure) {
        Thread here = Thread.currentThread();
        here.getUncaughtExceptionHandler().uncaughtException(here, failure);
    }

    /** Tells a failure; an exception of the failure handler must not end the dispatcher either. */
    void tell(Throwable failure) {
        try {
            failures.accept(failure);
        } catch (RuntimeException | Error again) {
            tellThread(again);
        }
    }

    // --- completions

    /** Hands on the first completions of a batch; those of one queue pair that stand side by side together. */
    void handOn(Completions batch, int count) {
        for (int from = 0; from < count; ) {
            if (Submissions.isOwn(batch.id(from))) {
                submissions.complete(batch.get(from++));
                continue;
            }
            int number = batch.queuePair(from);
            int to = from + 1;
            while (to < count && batch.queuePair(to) == number && !Submissions.isOwn(batch.id(to))) {
                to++;
            }
            handOn(batch, number, from, to);
            from = to;
        }
    }

    private void handOn(Completions batch, int number, int from, int to) {
        Handlers.Entry entry = handlers.find(number);
        WorkHandler handler = entry == null ? null : entry.handler;
        try {
            if (handler != null) {
                handler.onCompletions(batch, from, to);
            } else if (batch.status(from) != Status.FLUSHED) { // those of a queue pair that was removed are no news
                throw new IllegalStateException(
                        "completions of a queue pair without a handler, the first: " + batch.get(from));
            }
        } catch (RuntimeException | Error failure) {
            tell(failure);
        }
    }

    // --- ends

    /** A wait is over and brought nothing: a queue pair that was reset or closed will have no completions. */
    void onQuiet() {
        for (Handlers.Entry entry : handlers.all()) {
            boolean reset = entry.queuePair.state() == QueuePairState.RESET;
            if (!reset) {
                entry.used = true;
            } else if (entry.used && handlers.remove(entry)) {
                end(
                        entry,
                        new IllegalStateException(
                                entry.queuePair + " was reset or closed: its requests get no completion"));
            }
        }
    }

    private void end(Handlers.Entry entry, Throwable cause) {
        submissions.failAll(entry.queuePair, cause);
        WorkHandler handler = entry.handler;
        if (handler != null) {
            try {
                handler.onEnd(cause);
            } catch (RuntimeException | Error failure) {
                tell(failure);
            }
        }
    }

    /** Tells all handlers and futures that no completion comes any more. */
    void endAll(Throwable cause) {
        for (Handlers.Entry entry : handlers.all()) {
            if (handlers.remove(entry)) {
                end(entry, cause);
            }
        }
    }
}
