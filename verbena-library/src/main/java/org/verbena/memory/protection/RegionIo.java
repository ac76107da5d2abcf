package org.verbena.memory.protection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.QuiescingException;
import org.verbena.time.Durations;

/** The current I/O of a region: the consumer's side, the library's count, and the hypervisor's side. */
public final class RegionIo implements CurrentIo {
    private final Mode mode;
    private final StateWord state;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> waiting = new ArrayList<>();
    private volatile long promised = StateWord.NO_GENERATION;
    private volatile Runnable onQuiesce = RegionIo::nothing;
    private volatile Runnable onIdle = RegionIo::nothing;
    private volatile Runnable onInterest = RegionIo::nothing;
    /** Set before the key of the region is used. */
    private @Nullable Runnable beforeEnd;
    /** Not volatile: an access that is seen a little later does no harm. */
    private boolean touched;

    RegionIo(Mode mode, StateWord state) {
        this.mode = mode;
        this.state = state;
    }

    private static void nothing() {}

    @Override
    public Mode mode() {
        return mode;
    }

    @Override
    public int operations() {
        return state.operations();
    }

    /** Validity and use of the region, in one word. */
    public StateWord word() {
        return state;
    }

    // --- the consumer's side

    @Override
    public boolean begin() {
        requireConsumer();
        return switch (state.beginOperation()) {
            case BEGUN -> true;
            case QUIESCING -> false;
            case INVALID -> throw new IllegalStateException("the region is closed");
            case TOO_MANY -> throw tooMany();
        };
    }

    @Override
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

    @Override
    public boolean isQuiescing() {
        return state.isQuiescing();
    }

    @Override
    public void onQuiesce(Runnable action) {
        onQuiesce = action;
        if (isQuiescing()) {
            action.run();
        }
    }

    @Override
    public void quiesced() {
        if (promise()) {
            tellIdle();
        }
    }

    /** Notes that the present quiesce need not wait for the counted operations; false if there is none. */
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

    @Override
    public void interest() {
        if (isQuiescing()) {
            onInterest.run();
        }
    }

    @Override
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

    @Override
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

    /** Counts an operation in; false if the region is invalid and nothing is counted. */
    boolean beginOperation() {
        return switch (state.beginOperation()) {
            case BEGUN -> true;
            case INVALID -> false; // the operation is refused when it is executed
            case QUIESCING -> throw new QuiescingException(this);
            case TOO_MANY -> throw tooMany();
        };
    }

    /**
     * Sets the action that is run before each operation is counted out, by the thread that does so. Called before the key of the region is used. It must neither block nor
     * throw.
     */
    public void beforeEnd(Runnable action) {
        beforeEnd = action;
    }

    /** Counts an operation out; false if none was under way. */
    boolean endOperation() {
        if (beforeEnd != null) {
            beforeEnd.run();
        }
        StateWord.Ending ending = state.endOperation();
        if (ending == StateWord.Ending.LAST) {
            tellIdle();
        }
        return ending != StateWord.Ending.NONE;
    }

    /** Tells the hypervisor that {@link #clearValid} may be possible now. */
    void tellIdle() {
        onIdle.run();
    }

    private static IllegalStateException tooMany() {
        return new IllegalStateException(
                "a region has at most " + StateWord.OPERATIONS_MAX + " operations at once, and has them");
    }

    // --- the hypervisor's side

    /** Notes an access to the region. */
    void touch() {
        if (!touched) {
            touched = true;
        }
    }

    /** Whether the region was accessed since the last call. */
    public boolean takeTouched() {
        boolean was = touched;
        touched = false;
        return was;
    }

    /** Sets the action that is run when interest is shown. It must not block. */
    public void onInterest(Runnable action) {
        onInterest = action;
    }

    /**
     * Asks for quiesce.
     *
     * @param idle run, perhaps more than once, when {@link #clearValid} may be possible. Must not block
     * @return false if the region is not valid, or is quiescing already
     */
    public boolean requestQuiesce(Runnable idle) {
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

    /** Runs the consumer's action for a request for quiesce. */
    public void tellQuiesce() {
        run(onQuiesce);
    }

    /** Makes the region invalid if no operation is under way; false if one is. */
    public boolean clearValid() {
        return state.completeQuiesce(promised);
    }

    /** Waits for the copies inside the region, which is invalid now; each copies one packet. */
    public void awaitNobodyInside() {
        state.awaitNobodyInside();
    }

    /** Makes the region valid again or calls quiesce off; {@link #wake} must follow. False if it is not quiescing. */
    public boolean resumeQuietly() {
        return state.resume();
    }

    /** Ends all waits, because the region is invalid for good. */
    void onClosed() {
        tellIdle();
        wake();
    }

    /**
     * Runs the actions that wait, also if the region is quiescing again by now: they showed interest during the quiesce that
     * has ended, and the next one would not know of it.
     */
    public void wake() {
        takeWaiting().forEach(RegionIo::run);
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

    /** Runs an action of the consumer. An exception goes to the thread's handler; the next actions are run. */
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
