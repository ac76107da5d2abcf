package org.verbena.verbs;

/** Counts the queue pairs that use a queue: it can't be closed under them, nor used after. Any thread. */
final class UseCount {
    private final String what;
    private int users;
    private boolean closed;

    /** For a queue that people call {@code what}. */
    UseCount(String what) {
        this.what = what;
    }

    synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the " + what + " is closed");
        }
    }

    synchronized void use() {
        requireOpen();
        users++;
    }

    synchronized void release() {
        users--;
    }

    synchronized void close() {
        if (users > 0) {
            throw new IllegalStateException("a " + what + " is closed after its queue pairs; " + users + " use it");
        }
        closed = true;
    }
}
