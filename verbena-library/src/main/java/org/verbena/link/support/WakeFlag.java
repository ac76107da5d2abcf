package org.verbena.link.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets many threads wake the one that waits, at the price of a fence when it does not.
 *
 * <p>The waiter says {@link #enter()}, looks for work once more, sleeps, says {@link #leave()}. Others make work visible, then ask
 * {@link #raise()} whether a sleeper has to be roused. The fences on both sides see to it that one of the two notices the other.
 */
public final class WakeFlag {
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

    /** One word, so that who raises knows whether the very wait it ends is one that has to be roused. */
    private volatile int state = QUIET;

    /** Any thread: the current or next wait shall end. True if the waiter may be asleep and has to be roused. */
    public boolean raise() {
        VarHandle.fullFence();
        // While nobody waits the flag stays up, and a line that is only read stays in every cache.
        return state != RAISED && (int) STATE.getAndSet(this, RAISED) == WAITING;
    }

    /** Any thread, after making work visible: true if the waiter may be asleep and has to be roused. */
    public boolean asleep() {
        VarHandle.fullFence();
        return state == WAITING;
    }

    /** The waiter is about to sleep. False if it must not, because the flag was up: then the wait is over. */
    public boolean enter() {
        if (STATE.compareAndSet(this, QUIET, WAITING)) {
            return true;
        }
        state = QUIET;
        return false;
    }

    /** The waiter is awake. True if the flag was raised meanwhile. */
    public boolean leave() {
        return (int) STATE.getAndSet(this, QUIET) == RAISED;
    }
}
