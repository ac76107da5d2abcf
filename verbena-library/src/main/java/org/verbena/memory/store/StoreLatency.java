package org.verbena.memory.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The durations of transfers: a count for each range of durations, with eight ranges for each power of two, so that a percentile is at
 * most an eighth too high. Any thread records and reads; nothing is allocated.
 */
public final class StoreLatency {
    private static final int FINE_BITS = 3;
    private static final int FINE = 1 << FINE_BITS;
    /** Durations below this number of nanoseconds have a range each. */
    private static final int EXACT = 2 * FINE;

    private static final int RANGES = rangeOf(Long.MAX_VALUE) + 1;

    private final AtomicLongArray counts = new AtomicLongArray(RANGES);
    private final AtomicLong max = new AtomicLong();

    StoreLatency() {}

    /** Adds a duration; a negative one counts as 0. */
    void record(long durationNs) {
        long ns = Math.max(0, durationNs);
        counts.getAndIncrement(rangeOf(ns));
        long before = max.get();
        while (ns > before && !max.compareAndSet(before, ns)) {
            before = max.get();
        }
    }

    /** Number of durations recorded. */
    public long count() {
        long sum = 0;
        for (int range = 0; range < RANGES; range++) {
            sum += counts.get(range);
        }
        return sum;
    }

    /** Half of the transfers took this time or less; 0 if there are none. */
    public long p50Ns() {
        return percentileNs(0.5);
    }

    /** Nine of ten transfers took this time or less; 0 if there are none. */
    public long p90Ns() {
        return percentileNs(0.9);
    }

    /** 99 of 100 transfers took this time or less; 0 if there are none. */
    public long p99Ns() {
        return percentileNs(0.99);
    }

    /** The longest duration, exactly; 0 if there are none. */
    public long maxNs() {
        return max.get();
    }

    private long percentileNs(double share) {
        long wanted = (long) Math.ceil(count() * share);
        long seen = 0;
        for (int range = 0; range < RANGES && wanted > 0; range++) {
            seen += counts.get(range);
            if (seen >= wanted) {
                return Math.min(lastOf(range), maxNs());
            }
        }
        return maxNs();
    }

    private static int rangeOf(long ns) {
        if (ns < EXACT) {
            return (int) ns;
        }
        int shift = 63 - Long.numberOfLeadingZeros(ns) - FINE_BITS;
        return (shift << FINE_BITS) + (int) (ns >>> shift);
    }

    /** The longest duration of a range. */
    private static long lastOf(int range) {
        if (range < EXACT) {
            return range;
        }
        int shift = (range >>> FINE_BITS) - 1;
        int leading = FINE + (range & (FINE - 1));
        return ((leading + 1L) << shift) - 1;
    }

    @Override
    public String toString() {
        return count() + " of p50 " + p50Ns() + " p90 " + p90Ns() + " p99 " + p99Ns() + " max " + maxNs() + " ns";
    }
}
