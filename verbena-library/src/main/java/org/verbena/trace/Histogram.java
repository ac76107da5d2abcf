package org.verbena.trace;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts values by their size: eight ranges for each power of two, so that a percentile read from it is at most an eighth too high.
 * Any thread records and reads; recording allocates nothing.
 */
public final class Histogram {
    private static final int FINE_BITS = 3;
    private static final int FINE = 1 << FINE_BITS;
    /** Below this each value has a range of its own. */
    private static final int EXACT = 2 * FINE;

    static final int RANGES = rangeOf(Long.MAX_VALUE) + 1;

    private final AtomicLongArray counts = new AtomicLongArray(RANGES);
    private final AtomicLong sum = new AtomicLong();
    private final AtomicLong max = new AtomicLong();

    /** Without a value. */
    public Histogram() {}

    /** Adds one value; a negative one counts as 0. */
    public void record(long value) {
        long recorded = Math.max(0, value);
        counts.getAndIncrement(rangeOf(recorded));
        sum.getAndAdd(recorded);
        long before = max.get();
        while (recorded > before && !max.compareAndSet(before, recorded)) {
            before = max.get();
        }
    }

    /** The values recorded so far. */
    public HistogramValues values() {
        long[] copy = new long[RANGES];
        for (int range = 0; range < RANGES; range++) {
            copy[range] = counts.get(range);
        }
        return new HistogramValues(copy, sum.get(), max.get());
    }

    @Override
    public String toString() {
        return values().toString();
    }

    private static int rangeOf(long value) {
        if (value < EXACT) {
            return (int) value;
        }
        int shift = 63 - Long.numberOfLeadingZeros(value) - FINE_BITS;
        return (shift << FINE_BITS) + (int) (value >>> shift);
    }

    /** The largest value of a range. */
    static long lastOf(int range) {
        if (range < EXACT) {
            return range;
        }
        int shift = (range >>> FINE_BITS) - 1;
        int leading = FINE + (range & (FINE - 1));
        return ((leading + 1L) << shift) - 1;
    }
}
