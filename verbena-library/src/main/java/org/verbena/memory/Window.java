package org.verbena.memory;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A part of a region that peers may use under a key of its own, opened and shut without registering anything. Made
 * unbound by {@link ProtectionTable#createWindow}; bound by a work request. Any thread.
 */
public final class Window implements AutoCloseable {
    /** Who may use a window, and how it is shut. */
    public enum Type {
        /** All queue pairs of the domain; a bind of length zero, or to another part, shuts it. */
        TYPE_1,
        /** The queue pair that bound it; a local or remote invalidate shuts it. */
        TYPE_2
    }

    private final ProtectionTable table;
    private final ProtectionDomain domain;
    private final Type type;
    private final int index;
    private final AtomicBoolean closed = new AtomicBoolean();

    Window(ProtectionTable table, ProtectionDomain domain, Type type, int index) {
        this.table = table;
        this.domain = domain;
        this.type = type;
        this.index = index;
    }

    /** The key it has now: the one of the last bind that was granted, or the first one. */
    public int key() {
        return table.entryOf(index, this).key;
    }

    /** Its type. */
    public Type type() {
        return type;
    }

    /** The domain it belongs to; its regions and queue pairs are of the same. */
    public ProtectionDomain domain() {
        return domain;
    }

    /** Whether it is bound; its region may be invalid all the same. */
    public boolean isBound() {
        return !closed.get() && table.entryOf(index, this).state.isValid();
    }

    /** Shuts it and gives its key back. When it returns no access through it is under way. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            table.remove(index);
            domain.release();
        }
    }

    @Override
    public String toString() {
        return "window of " + type + " in " + domain;
    }
}
