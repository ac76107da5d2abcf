package org.verbena.memory.translation;

/** The operands of compare-and-swap. Reused by its owner, one thread. */
public final class AtomicOperands {
    private long compare;
    private long swap;

    /** Both values are zero. */
    public AtomicOperands() {}

    /** Sets the value that must be found. */
    public AtomicOperands compare(long value) {
        compare = value;
        return this;
    }

    /** Sets the value that is stored. */
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
