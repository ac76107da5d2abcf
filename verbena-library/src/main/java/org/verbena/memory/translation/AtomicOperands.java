package org.verbena.memory.translation;

/** What compare-and-swap compares with and what it stores. Reused by its owner, one thread. */
public final class AtomicOperands {
    private long compare;
    private long swap;

    /** Zero for zero, until told otherwise. */
    public AtomicOperands() {}

    /** The value that must be found. */
    public AtomicOperands compare(long value) {
        compare = value;
        return this;
    }

    /** The value that takes its place. */
    public AtomicOperands swap(long value) {
        swap = value;
        return this;
    }

    long compare() {
        return compare;
    }

    long swap() {
        return swap;
    }
}
