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
    /** Count and indicator if they are in the consumer's memory; null if they are in the state. */
    private final @Nullable ConsumerWord shared;

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
        this(mode, state, null);
    }

    RegionIo(Mode mode, StateWord state, @Nullable ConsumerWord shared) {
        this.mode = mode;
        this.state = state;
        this.shared = shared;
    }

    private static void nothing() {}

    @Override
    public Mode mode() {
        return mode;
    }

    @Override
    public int operations() {
        int own = state.operations();
        return shared == null ? own : (int) Math.min((long) own + shared.operations(), Integer.MAX_VALUE);
    }

    /** Validity and use of the region, in one word. */
    public StateWord word() {
        return state;
    }

    // --- the consumer's side

    @Override
    public boolean begin() {
        requireConsumer();
        return switch (beginOne()) {
            case BEGUN -> true;
            case QUIESCING -> false;
            case INVALID ->
                throw new IllegalStateException(
                        isWordLost()
                                ? "the word of the current I/O is lost: its arena is closed"
                                : "the region is closed");
            case TOO_MANY -> throw tooMany();
        };
    }

    private StateWord.Beginning beginOne() {
        if (shared == null) {
            return state.beginOperation();
        }
        if (state.isQuiescing()) {
            return StateWord.Beginning.QUIESCING;
        }
        return state.isValid() ? shared.begin() : StateWord.Beginning.INVALID;
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
        return state.isQuiescing() || (shared != null && shared.isQuiescing());
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
        return switch (beginOne()) {
            case BEGUN -> true;
            case INVALID -> false; // the word is lost, or the operation is refused when it is executed
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
        StateWord.Ending ending = shared == null ? state.endOperation() : shared.end();
        if (ending == StateWord.Ending.LAST) {
            tellIdle();
        }
        return ending != StateWord.Ending.NONE;
    }

    /** Counts a message of a peer in; false if they are not counted, or the region is invalid. */
    boolean beginMessage() {
        return mode == Mode.LIBRARY_AND_PEERS && state.beginMessage();
    }

    /** Counts a message of a peer out. */
    public void endMessage() {
        if (state.endOperation() == StateWord.Ending.LAST) {
            tellIdle();
        }
    }

    /** Tells the hypervisor that {@link #clearValid} may be possible now. */
    void tellIdle() {
        onIdle.run();
    }

    private IllegalStateException tooMany() {
        long most = shared == null ? StateWord.OPERATIONS_MAX : ConsumerWord.COUNT_MAX;
        return new IllegalStateException("a region has at most " + most + " operations at once, and has them");
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

    /** Whether count and indicator are in memory of the consumer: another process may change them, and no call tells of it. */
    public boolean isShared() {
        return shared != null;
    }

    /** Whether the memory of the count and the indicator can't be accessed any more. */
    public boolean isWordLost() {
        return shared != null && shared.isLost();
    }

    /** Whether interest was shown in the consumer's word since the last call. */
    public boolean takeInterest() {
        return shared != null && shared.takeInterest();
    }

    /** Whether the library has asked for quiesce. The consumer's word is not believed. */
    public boolean isAsked() {
        return state.isQuiescing();
    }

    /**
     * Asks for quiesce.
     *
     * @param idle run, perhaps more than once, when {@link #clearValid} may be possible. Must not block
     * @return false if the region is not valid, or is quiescing already, or the consumer's word is lost
     */
    public boolean requestQuiesce(Runnable idle) {
        lock.lock();
        try {
            if (isAsked() || isWordLost()) {
                return false;
            }
            onIdle = idle;
            if (!state.requestQuiesce()) {
                return false;
            }
            if (shared != null) {
                shared.ask();
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
        if (shared != null && !isQuiet(shared)) {
            return false;
        }
        return state.completeQuiesce(promised);
    }

    /** Whether quiesce need not wait for the operations that the consumer's word counts. */
    private boolean isQuiet(ConsumerWord word) {
        if (word.isPromised()) {
            boolean _ = promise();
        }
        return word.isQuiet() || (!word.isLost() && promised == state.quiescingGeneration());
    }

    /** Waits for the copies inside the region, which is invalid now; each copies one packet. */
    public void awaitNobodyInside() {
        state.awaitNobodyInside();
    }

    /** Makes the region valid again or calls quiesce off; {@link #wake} must follow. False if it is not quiescing. */
    public boolean resumeQuietly() {
        lock.lock();
        try {
            boolean resumed = state.resume();
            if (resumed && shared != null) {
                shared.resume(); // not before: an operation that begins now finds the region valid
            }
            return resumed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits, because the region is invalid for good. */
    void onClosed() {
        if (shared != null) {
            shared.close();
        }
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
