package org.verbena.message;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.verbena.verbs.Completion;
import org.verbena.verbs.QueuePair;

/** The requests that were submitted to a dispatcher and are not done, by the ids that the dispatcher gave them. Any thread. */
final class Submissions {
    private record Submission(QueuePair queuePair, long id, CompletableFuture<Completion> future) {}

    private final ConcurrentHashMap<Long, Submission> open = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    private final int most;

    Submissions(int most) {
        this.most = most;
    }

    /** Whether an id is one of a dispatcher: these are negative. */
    static boolean isOwn(long id) {
        return id < 0;
    }

    /**
     * Submits a request.
     *
     * @param id of the consumer's request, which the completion of the future has again
     * @param poster posts the request under the id it is given; false if the queue is full
     */
    CompletableFuture<Completion> submit(QueuePair queuePair, long id, LongPredicate poster) {
        var future = new CompletableFuture<Completion>();
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            future.completeExceptionally(new IllegalStateException(
                    "the completion queue has room for " + most + " completions, and as many requests are submitted"));
            return future;
        }
        long own = Long.MIN_VALUE | next.getAndIncrement();
        open.put(own, new Submission(queuePair, id, future));
        try {
            if (!poster.test(own)) {
                fail(own, new IllegalStateException("the queue of " + queuePair + " is full"));
            }
        } catch (RuntimeException refused) {
            fail(own, refused);
        }
        return future;
    }

    void complete(Completion completion) {
        Submission submission = open.remove(completion.id());
        if (submission == null) {
            return; // its queue pair was reset or removed meanwhile
        }
        count.decrementAndGet();
        var result = new Completion(
                submission.id,
                completion.status(),
                completion.operation(),
                completion.queuePair(),
                completion.byteLength(),
                completion.immediate(),
                completion.invalidatedKey(),
                completion.sourceQueuePair(),
                completion.detail());
        if (completion.status().success()) {
            submission.future.complete(result);
        } else {
            submission.future.completeExceptionally(new WorkFailedException(result));
        }
    }

    private void fail(long own, Throwable cause) {
        Submission submission = open.remove(own);
        if (submission != null) {
            count.decrementAndGet();
            submission.future.completeExceptionally(cause);
        }
    }

    /** Ends the requests of a queue pair. */
    void failAll(QueuePair queuePair, Throwable cause) {
        open.forEach((own, submission) -> {
            if (submission.queuePair == queuePair) {
                fail(own, cause);
            }
        });
    }
}
