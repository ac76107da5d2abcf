package org.verbena.memory.translation;

/** The operands of compare-and-swap. Reused by its owner, one thread. */
public final class AtomicOperands {
    private static final long ALL = -1;

    private long compare;
    private long swap;
    private long compareMask = ALL;
    private long swapMask = ALL;

    /** Both values are zero, and all bits are compared and stored. */
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

    /** Sets the bits that are compared, and those that are stored. No bit compared is a swap. */
    public AtomicOperands masks(long compared, long stored) {
        compareMask = compared;
        swapMask = stored;
        return this;
    }

    long compare() {
        return compare;
    }

    long swap() {
        return swap;
    }

    boolean hasMasks() {
        return compareMask != ALL || swapMask != ALL;
    }

    /** Whether a value is the expected one, in the bits that are compared. */
    boolean matches(long found) {
        return ((found ^ compare) & compareMask) == 0;
    }

    /** A value with the bits that are stored. */
    long swapped(long found) {
        return (found & ~swapMask) | (swap & swapMask);
    }
}
