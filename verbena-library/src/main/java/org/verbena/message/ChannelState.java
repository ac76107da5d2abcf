package org.verbena.message;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a channel, whether the channel lives, and work that is done after the lock is left: futures are completed and
 * handlers are called there, because they may call the channel again.
 */
final class ChannelState {
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> afterwards = new ArrayDeque<>();
    private @Nullable ChannelException failure;
    private boolean closing;
    private boolean closed;

    // --- the lock

    void enter() {
        lock.lock();
    }

    void enterInterruptibly() throws InterruptedException {
        lock.lockInterruptibly();
    }

    Condition newCondition() {
        return lock.newCondition();
    }

    /** Does a task after the lock is left. The task must not throw. */
    void afterwards(Runnable task) {
        afterwards.add(task);
    }

    /** Leaves the lock and does the tasks that were added under it. */
    void leave() {
        if (afterwards.isEmpty()) {
            lock.unlock();
            return;
        }
        Runnable[] tasks = afterwards.toArray(Runnable[]::new);
        afterwards.clear();
        lock.unlock();
        for (Runnable task : tasks) {
            task.run();
        }
    }

    // --- life; under the lock

    /** The reason of the end; null while the channel lives. */
    @Nullable
    ChannelException failure() {
        return failure;
    }

    boolean isAlive() {
        return failure == null;
    }

    /** Whether this end takes no further messages to send. */
    boolean isClosing() {
        return closing;
    }

    /** Whether this end is closed: messages that are left are lost. */
    boolean isClosed() {
        return closed;
    }

    void beginClosing() {
        closing = true;
    }

    void onClosed() {
        closed = true;
    }

    /** Ends the channel; the first reason counts. */
    void end(ChannelException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    void requireAlive() {
        ChannelException cause = failure;
        if (cause != null) {
            throw new ChannelException(cause.getMessage(), cause);
        }
    }

    void requireSending() {
        requireAlive();
        if (closing) {
            throw new ChannelException("the channel is closed");
        }
    }
}
