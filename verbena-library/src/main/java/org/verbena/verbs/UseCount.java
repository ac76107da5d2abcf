package org.verbena.verbs;

/** Counts the queue pairs that use a queue. While there is one the queue cannot be closed; a closed one cannot be used. Any thread. */
final class UseCount {
    private final String what;
    private int users;
    private boolean closed;

    /** For a queue that messages call {@code what}. */
    UseCount(String what) {
        this.what = what;
    }

    synchronized void use() {
        if (closed) {
            throw new IllegalStateException("the " + what + " is closed");
        }
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
