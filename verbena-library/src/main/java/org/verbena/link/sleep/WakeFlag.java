package org.verbena.link.sleep;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets any number of threads wake one thread, at the cost of a fence while that thread is awake.
 *
 * <p>The sleeping thread calls {@link #enter()}, looks for work once more, blocks, and calls {@link #leave()}. Another thread makes work
 * visible, then calls {@link #raise()} or {@link #raiseIfAsleep()}, which tell whether the thread has to be unblocked. The fences on
 * both sides ensure that at least one of the two sees the other.
 */
final class WakeFlag {
    private static final int QUIET = 0;
    private static final int WAITING = 1;
    private static final int RAISED = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(WakeFlag.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** One word, so that the thread that raises knows whether it ends a wait in which the other thread blocks. */
    private volatile int state = QUIET;

    /** Any thread: ends the current or the next wait. True if the thread may be blocked and has to be unblocked. */
    boolean raise() {
        VarHandle.fullFence();
        // While the thread is awake the flag stays up, and a line that is only read stays in every cache.
        return state != RAISED && (int) STATE.getAndSet(this, RAISED) == WAITING;
    }

    /** Any thread, after it made work visible and issued a full fence: true if the thread may be blocked and has to be unblocked. */
    boolean raiseIfAsleep() {
        return state == WAITING && STATE.compareAndSet(this, WAITING, RAISED);
    }

    /** The thread is about to block. False if it must not, because the flag was up: the wait is over. */
    boolean enter() {
        if (STATE.compareAndSet(this, QUIET, WAITING)) {
            return true;
        }
        state = QUIET;
        return false;
    }

    /** The thread is awake. True if the flag was raised meanwhile. */
    boolean leave() {
        return (int) STATE.getAndSet(this, QUIET) == RAISED;
    }
}
