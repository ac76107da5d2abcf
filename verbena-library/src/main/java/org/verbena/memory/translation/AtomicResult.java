package org.verbena.memory.translation;

/** The value that an atomic found in memory. Reused by its owner, one thread. */
public final class AtomicResult {
    private long original;

    /** Holds zero until an atomic was granted. */
    public AtomicResult() {}

    /** The value before the last atomic that was granted. */
    public long original() {
        return original;
    }

    void set(long original) {
        this.original = original;
    }
}
