package org.verbena.adapter;

import java.util.ConcurrentModificationException;
import org.verbena.link.LinkException;

/**
 * The exception of a command that the engine's thread ran for another thread. The caller's stack trace is that of an exception of its
 * own, which has the engine's as its cause.
 */
final class CommandFailure {
    private CommandFailure() {}

    /**
     * The exception for the calling thread to throw: a new one of the same class and message, with the engine's as its cause. An
     * exception of a class that cannot be made anew is the engine's itself; its suppressed exception has the caller's stack trace.
     */
    static RuntimeException forCaller(RuntimeException engines) {
        Class<?> kind = engines.getClass();
        String message = engines.getMessage();
        if (kind == IllegalStateException.class) {
            return new IllegalStateException(message, engines);
        }
        if (kind == IllegalArgumentException.class) {
            return new IllegalArgumentException(message, engines);
        }
        if (kind == LinkException.class) {
            return new LinkException(message == null ? "" : message, engines);
        }
        if (kind == UnsupportedOperationException.class) {
            return new UnsupportedOperationException(message, engines);
        }
        if (kind == ConcurrentModificationException.class) {
            return new ConcurrentModificationException(message, engines);
        }
        engines.addSuppressed(new IllegalStateException("the call that failed on the engine's thread"));
        return engines;
    }
}
