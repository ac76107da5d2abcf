package org.verbena.message;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.verbena.QueuePairState;
import org.verbena.time.NanoClock;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.WorkRequest;

/**
 * Polls one completion queue and hands the completions on: to the {@link WorkHandler} of their queue pair, or to the
 * future of {@link #submit}. While a dispatcher runs, nothing else polls the queue.
 *
 * <p>A dispatcher runs on the thread that calls {@link #run}, or on a thread of its own ({@link #start}). Any thread may call
 * all other methods. The ids of submitted requests are the dispatcher's: they are negative on the queue pair, and the
 * completion of the future has the id of the consumer again. A request that the consumer posts itself has an id of 0 or more.
 * The consumer posts itself only to queues that nothing is submitted to at the same time: one thread at a time posts.
 *
 * <p>The dispatcher owns neither the completion queue nor the queue pairs.
 */
public final class Dispatcher implements AutoCloseable {
    private static final int BATCH = 64;
    /** The longest wait without a look at the queue pairs and at the dispatcher's own end. */
    private static final Duration SLICE = Duration.ofMillis(100);
    /** A wait that ends sooner without a completion has found that the adapter does not wait: it is closed, or run by hand. */
    private static final long SHORT_NS = 1_000_000;

    private final CompletionQueue completions;
    private final Handlers handlers = new Handlers();
    private final Submissions submissions;
    private final Deliveries deliveries;
    private final NanoClock clock = NanoClock.system();
    private final Completions batch = new Completions(BATCH);
    private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();
    private volatile boolean closed;
    private volatile @Nullable Throwable end;
    private volatile @Nullable Thread thread;

    private Dispatcher(CompletionQueue completions) {
        this.completions = completions;
        this.submissions = new Submissions(completions.capacity());
        this.deliveries = new Deliveries(handlers, submissions);
    }

    /** Makes the dispatcher of a completion queue, which stays the consumer's. It does not run yet. */
    public static Dispatcher over(CompletionQueue completions) {
        return new Dispatcher(completions);
    }

    /** The completion queue that it polls. */
    public CompletionQueue completions() {
        return completions;
    }

    // --- handlers

    /**
     * Sets the handler of a queue pair, in place of an earlier one.
     *
     * @throws IllegalArgumentException if neither sends nor receives of the queue pair complete in this dispatcher's queue
     * @throws IllegalStateException if the dispatcher is closed or has ended
     */
    public void handle(QueuePair queuePair, WorkHandler handler) {
        if (queuePair.options().sendCompletions() != completions
                && queuePair.options().receiveCompletions() != completions) {
            throw new IllegalArgumentException(queuePair + " has other completion queues than the dispatcher");
        }
        requireOpen();
        Handlers.Entry entry = handlers.obtain(queuePair);
        entry.handler = handler;
        if (queuePair.state() != QueuePairState.RESET) {
            entry.used = true;
        }
    }

    /** Forgets a queue pair: its handler is not called again after the call under way, its futures end with an exception. */
    public void remove(QueuePair queuePair) {
        Handlers.Entry entry = handlers.find(queuePair.number());
        if (entry != null && entry.queuePair == queuePair) {
            handlers.remove(entry);
        }
        submissions.failAll(queuePair, new IllegalStateException(queuePair + " was removed from its dispatcher"));
    }

    /**
     * Sets the handler of failures that no other handler learns: an exception of a handler, a completion of a queue pair that has
     * no handler, the end of the dispatcher because the adapter failed. The thread that runs the dispatcher calls it. Without
     * this the thread's uncaught exception handler is told. The dispatcher goes on after an exception of a handler.
     */
    public void onFailure(Consumer<? super Throwable> handler) {
        deliveries.onFailure(handler);
    }

    // --- submitting

    /**
     * Posts a request to a send queue. It is posted signalled, whatever its options say. Many threads may submit to one queue
     * pair; they post one after another.
     *
     * @return completes when the request is done, on the thread that runs the dispatcher; completes exceptionally with {@link
     *     WorkFailedException} if the request failed, with {@link IllegalStateException} if the queue is full or the queue pair
     *     is reset, closed or removed, and with the exception of {@link QueuePair#post(WorkRequest.Sending)} if the queue
     *     pair refuses the request
     * @throws IllegalArgumentException if sends of the queue pair complete in another queue
     * @throws IllegalStateException if the dispatcher is closed or has ended
     */
    public CompletableFuture<Completion> submit(QueuePair queuePair, WorkRequest.Sending request) {
        if (queuePair.options().sendCompletions() != completions) {
            throw new IllegalArgumentException("sends of " + queuePair + " complete in another queue");
        }
        Handlers.Entry entry = entry(queuePair);
        return submit(
                entry, request.id(), id -> locked(entry.sends, () -> queuePair.post(RequestIds.withId(request, id))));
    }

    /**
     * Posts a receive; otherwise as {@link #submit(QueuePair, WorkRequest.Sending)}.
     *
     * @return completes when a message has arrived
     * @throws IllegalArgumentException if receives of the queue pair complete in another queue
     * @throws IllegalStateException if the dispatcher is closed or has ended
     */
    public CompletableFuture<Completion> submit(QueuePair queuePair, WorkRequest.Receive request) {
        if (queuePair.options().receiveCompletions() != completions) {
            throw new IllegalArgumentException("receives of " + queuePair + " complete in another queue");
        }
        Handlers.Entry entry = entry(queuePair);
        return submit(
                entry,
                request.id(),
                id -> locked(entry.receives, () -> queuePair.post(RequestIds.withId(request, id))));
    }

    private CompletableFuture<Completion> submit(Handlers.Entry entry, long id, LongPredicate poster) {
        entry.used = true;
        CompletableFuture<Completion> future = submissions.submit(entry.queuePair, id, poster);
        if (closed || end != null || handlers.find(entry.queuePair.number()) != entry) {
            // Ended or removed meanwhile, perhaps before this request was in the table.
            submissions.failAll(
                    entry.queuePair,
                    new IllegalStateException("the dispatcher ends, or was told to forget " + entry.queuePair));
        }
        return future;
    }

    private Handlers.Entry entry(QueuePair queuePair) {
        requireOpen();
        return handlers.obtain(queuePair);
    }

    private static boolean locked(ReentrantLock lock, BooleanSupplier post) {
        lock.lock();
        try {
            return post.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        Throwable cause = end;
        if (closed || cause != null) {
            throw new IllegalStateException(closed ? "the dispatcher is closed" : "the dispatcher has ended", cause);
        }
    }

    // --- running

    /**
     * Starts a thread that runs it until {@link #close}.
     *
     * @param name of the thread
     * @return this dispatcher
     * @throws IllegalStateException if it was started before, or is closed
     */
    public synchronized Dispatcher start(String name) {
        requireOpen();
        if (thread != null) {
            throw new IllegalStateException("the dispatcher has a thread already");
        }
        thread = MessageThreads.start(name, this::runHere);
        return this;
    }

    private void runHere() {
        try {
            run();
        } catch (InterruptedException | RuntimeException | Error failure) {
            endAll(failure);
            if (!closed) {
                deliveries.tell(failure);
            }
        }
    }

    /**
     * Runs it on the calling thread until {@link #close}.
     *
     * @throws InterruptedException if the thread is interrupted; the dispatcher may be run again
     * @throws IllegalStateException if another thread runs it, or if the adapter failed or was closed: then the dispatcher has
     *     ended, and all handlers and futures were told
     */
    public void run() throws InterruptedException {
        enter();
        try {
            while (!closed) {
                step(SLICE);
            }
        } finally {
            runner.set(null);
        }
    }

    /**
     * Hands on the completions that are there; waits for some if there is none.
     *
     * @param timeout the longest wait; zero or less does not wait
     * @return completions that were handed on
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException as for {@link #run}
     */
    public int runOnce(Duration timeout) throws InterruptedException {
        enter();
        try {
            return step(timeout);
        } finally {
            runner.set(null);
        }
    }

    private void enter() {
        requireOpen();
        if (!runner.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("another thread runs the dispatcher");
        }
    }

    private int step(Duration timeout) throws InterruptedException {
        try {
            int count = completions.poll(batch);
            if (count == 0 && timeout.isPositive()) {
                long beganNs = clock.nowNs();
                if (completions.await(timeout)) {
                    count = completions.poll(batch);
                } else {
                    deliveries.onQuiet();
                    if (clock.nowNs() - beganNs < SHORT_NS) {
                        LockSupport.parkNanos(this, SHORT_NS);
                    }
                }
            }
            deliveries.handOn(batch, count);
            return count;
        } catch (IllegalStateException failure) {
            // The adapter is closed or failed.
            endAll(failure);
            throw failure;
        }
    }

    private void endAll(Throwable cause) {
        if (end == null) {
            end = cause;
        }
        deliveries.endAll(cause);
    }

    /** Lets its thread end after the completions it works at; does not wait. */
    void stop() {
        closed = true;
    }

    /** Whether the calling thread runs it now. */
    boolean isRunner() {
        return Thread.currentThread().equals(runner.get());
    }

    /**
     * Ends it: handlers are told, futures that are open end with {@link IllegalStateException}. Waits for the thread of its own,
     * at most about 100 ms, unless a handler calls it. A second call does nothing.
     */
    @Override
    public void close() {
        stop();
        Thread own = thread;
        if (own != null && !own.equals(Thread.currentThread())) {
            boolean interrupted = false;
            while (own.isAlive()) {
                try {
                    own.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        endAll(new IllegalStateException("the dispatcher is closed"));
    }
}
