package org.verbena.memory;

/**
 * A part of a region that peers may use under a key of its own. Binding and unbinding it registers nothing. An adapter makes
 * it unbound; a work request binds it. Any thread.
 */
public interface Window extends AutoCloseable {
    /** The queue pairs that may use a window, and the way to unbind it. */
    enum Type {
        /** All queue pairs of the protection domain; a bind of length zero, or to another part, ends the present binding. */
        TYPE_1,
        /** Only the queue pair that bound it; a local or remote invalidate unbinds it. */
        TYPE_2
    }

    /**
     * The present key: the key of the last bind that was granted, or the first one.
     *
     * @throws IllegalStateException if the window is closed
     */
    int key();

    /** Its type. */
    Type type();

    /** Its protection domain; the regions and queue pairs it works with are of the same. */
    ProtectionDomain domain();

    /** Whether it is bound. A bound window is of no use while its region is invalid. */
    boolean isBound();

    /**
     * Unbinds it and gives its key back. Waits for the copies that are under way; when it returns no access through it is under
     * way. Idempotent.
     */
    @Override
    void close();
}
