package org.verbena.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets many threads wake the one that waits, at the price of a fence when it does not.
 *
 * <p>The waiter says {@link #enter()}, looks for work once more, sleeps, says {@link #leave()}. Others make work visible, then ask
 * {@link #raise()} whether a sleeper has to be roused. The fences on both sides see to it that one of the two notices the other.
 */
final class WakeFlag {
    private static final VarHandle RAISED;

    static {
        try {
            RAISED = MethodHandles.lookup().findVarHandle(WakeFlag.class, "raised", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean raised;
    private volatile boolean waiting;

    /** Any thread: the current or next wait shall end. True if the waiter may be asleep and has to be roused. */
    boolean raise() {
        VarHandle.fullFence();
        // While nobody waits the flag stays up, and a line that is only read stays in every cache.
        if (!raised) {
            raised = true;
        }
        return waiting;
    }

    /** Any thread, after making work visible: true if the waiter may be asleep and has to be roused. */
    boolean asleep() {
        VarHandle.fullFence();
        return waiting;
    }

    /** The waiter is about to sleep. False if it must not, because the flag was up: then the wait is over. */
    boolean enter() {
        waiting = true;
        if ((boolean) RAISED.getAndSet(this, false)) {
            waiting = false;
            return false;
        }
        return true;
    }

    /** The waiter is awake. True if the flag was raised meanwhile. */
    boolean leave() {
        waiting = false;
        return (boolean) RAISED.getAndSet(this, false);
    }
}
