package org.verbena.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.time.Durations;

/**
 * The current-I/O field of a region whose owner allows that it is swapped out: how many operations are under way, and
 * whether to begin no new ones. Consumer and hypervisor talk through it. Any thread.
 *
 * <p>The hypervisor asks for quiesce; from then on no operation begins. When none is under way, or the consumer says
 * {@link #quiesced}, the region becomes invalid and its memory goes elsewhere: accesses under its key are refused,
 * whoever makes them. Later it is resumed, under the same key.
 */
public final class CurrentIo {
    /** Who counts operations. */
    public enum Mode {
        /**
         * The library: a work request is under way from its post until it is retired, done or not. One operation for each
         * segment that lies in the region. A post that would begin one while the region is quiescing is refused with a
         * {@link QuiescingException}.
         */
        LIBRARY,
        /**
         * The consumer, with {@link CurrentIo#begin} and {@link CurrentIo#end}: for operations that end later than their
         * work requests, say with an answer that is received. Posts are not looked at; one that comes too late fails in the
         * queue.
         */
        CONSUMER
    }

    private final Mode mode;
    private final StateWord state;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> waiting = new ArrayList<>();
    private volatile long promised = StateWord.NO_GENERATION;
    private volatile Runnable onQuiesce = CurrentIo::nothing;
    private volatile Runnable onIdle = CurrentIo::nothing;
    private volatile Runnable onInterest = CurrentIo::nothing;
    /** Not volatile: whether a touch is seen a little later does not matter. */
    private boolean touched;

    CurrentIo(Mode mode, StateWord state) {
        this.mode = mode;
        this.state = state;
    }

    private static void nothing() {}

    /** Who counts. */
    public Mode mode() {
        return mode;
    }

    /** Operations under way. */
    public int operations() {
        return state.operations();
    }

    // --- the consumer's side

    /**
     * Begins an operation, if the consumer counts.
     *
     * @return false, and nothing begun, while the region is quiescing
     * @throws IllegalStateException if the region is closed, or too many operations are under way
     */
    public boolean begin() {
        requireConsumer();
        return switch (state.beginOperation()) {
            case BEGUN -> true;
            case QUIESCING -> false;
            case INVALID -> throw new IllegalStateException("the region is closed");
            case TOO_MANY -> throw tooMany();
        };
    }

    /**
     * Ends an operation, if the consumer counts.
     *
     * @throws IllegalStateException if none is under way
     */
    public void end() {
        requireConsumer();
        if (!endOperation()) {
            throw new IllegalStateException("no operation is under way");
        }
    }

    private void requireConsumer() {
        if (mode != Mode.CONSUMER) {
            throw new IllegalStateException("the library counts the operations of this region");
        }
    }

    /** Whether no operation may begin: the region is to be swapped out, or is. */
    public boolean isQuiescing() {
        return state.isQuiescing();
    }

    /** Has an action run each time quiesce is asked for, and now if it is. In place of the one before; must not block. */
    public void onQuiesce(Runnable action) {
        onQuiesce = action;
        if (isQuiescing()) {
            action.run();
        }
    }

    /**
     * The "memory region quiesced" service: nothing will come of what is still counted before the region is resumed, so
     * there is no need to wait for it. Receives that stay posted are such operations, if the consumer knows that its peers
     * are silent. A wrong promise harms only who made it: the access is refused. Does nothing unless quiesce is asked for.
     */
    public void quiesced() {
        if (promise()) {
            tellIdle();
        }
    }

    /** Notes that what is counted need not be waited for in the present quiesce; false if there is none. */
    boolean promise() {
        lock.lock();
        try {
            long generation = state.quiescingGeneration();
            if (generation == StateWord.NO_GENERATION) {
                return false;
            }
            promised = generation;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks for the region to be brought back, or for quiesce to be called off if operations are still under way some 10 ms after it
     * was asked for. Whoever waits for it does that already. Does nothing unless it is quiescing.
     */
    public void interest() {
        if (isQuiescing()) {
            onInterest.run();
        }
    }

    /**
     * Has an action run once when operations may begin again, or at once if they may now; also when the region is closed. To
     * wait is to be interested: the region is brought back for that. If it cannot come now, the action waits for the next time it
     * is tried: when somebody is interested, when the hypervisor likes, when pins are let go.
     * The region may be quiescing again by then: try, and if need be wait anew. The thread that swaps runs the action, so it must
     * not block.
     */
    public void onResume(Runnable action) {
        if (enlist(action)) {
            interest();
        } else {
            action.run();
        }
    }

    boolean enlist(Runnable action) {
        lock.lock();
        try {
            return isQuiescing() && waiting.add(action);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until operations may begin again, or the region is closed; the region may be quiescing again by then. Like
     * {@link #onResume} it has the region brought back.
     *
     * @return false when the time is over
     */
    public boolean awaitResumed(Duration timeout) throws InterruptedException {
        CountDownLatch resumed = new CountDownLatch(1);
        Runnable action = resumed::countDown;
        onResume(action);
        boolean done = false;
        try {
            done = resumed.await(Durations.toNanos(timeout), TimeUnit.NANOSECONDS);
        } finally {
            if (!done) {
                delist(action);
            }
        }
        return done;
    }

    private void delist(Runnable action) {
        lock.lock();
        try {
            waiting.remove(action);
        } finally {
            lock.unlock();
        }
    }

    // --- the library's count

    /** True if the operation is counted; false if there is nothing to count. */
    boolean beginOperation() {
        return switch (state.beginOperation()) {
            case BEGUN -> true;
            case INVALID -> false; // it will be refused when it is done
            case QUIESCING -> throw new QuiescingException(this);
            case TOO_MANY -> throw tooMany();
        };
    }

    /** False if none was under way. */
    boolean endOperation() {
        StateWord.Ending ending = state.endOperation();
        if (ending == StateWord.Ending.LAST) {
            tellIdle();
        }
        return ending != StateWord.Ending.NONE;
    }

    /** Whoever asked for quiesce may look again. */
    void tellIdle() {
        onIdle.run();
    }

    private static IllegalStateException tooMany() {
        return new IllegalStateException(
                "a region has at most " + StateWord.OPERATIONS_MAX + " operations at once, and has them");
    }

    // --- the hypervisor's side

    /** Somebody accesses the region. */
    void touch() {
        if (!touched) {
            touched = true;
        }
    }

    /** Whether it was accessed since it was asked last. */
    boolean takeTouched() {
        boolean was = touched;
        touched = false;
        return was;
    }

    /** Has an action run when the owner wants its region back. Must not block. */
    void onInterest(Runnable action) {
        onInterest = action;
    }

    /**
     * Asks for quiesce.
     *
     * @param idle run, perhaps more than once, when {@link #clearValid} may have become possible. Must not block
     * @return false if the region is not valid, or quiescing already
     */
    boolean requestQuiesce(Runnable idle) {
        lock.lock();
        try {
            if (isQuiescing()) {
                return false;
            }
            onIdle = idle;
            if (!state.requestQuiesce()) {
                return false;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Tells the consumer that quiesce is asked for. */
    void tellQuiesce() {
        run(onQuiesce);
    }

    /** Makes the region invalid if nothing is under way; false if not yet. */
    boolean clearValid() {
        return state.completeQuiesce(promised);
    }

    /** Waits for the copies inside a region that is invalid now; each is one packet's. */
    void awaitNobodyInside() {
        state.awaitNobodyInside();
    }

    /** The region is valid again, or quiesce called off; {@link #wake} must follow. False if no quiesce is on. */
    boolean resumeQuietly() {
        return state.resume();
    }

    /** The region is invalid for good: nobody needs to wait. */
    void onClosed() {
        tellIdle();
        wake();
    }

    /**
     * Runs what waits. Also if the region is quiescing again by now: its interest was in the quiesce that ended, and nobody would
     * know of it in the next.
     */
    void wake() {
        takeWaiting().forEach(CurrentIo::run);
    }

    List<Runnable> takeWaiting() {
        lock.lock();
        try {
            List<Runnable> taken = List.copyOf(waiting);
            waiting.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action of the consumer's: what it throws is its own affair and keeps nobody else waiting. */
    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException thrown) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }

    @Override
    public String toString() {
        return operations() + " operations, counted by " + mode + (isQuiescing() ? ", quiescing" : "");
    }
}
