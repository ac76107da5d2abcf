package org.verbena.trace;

/** The values that a histogram had recorded at one moment. Immutable. */
public final class HistogramValues {
    private final long[] counts;
    private final long count;
    private final long sum;
    private final long max;

    HistogramValues(long[] counts, long sum, long max) {
        long all = 0;
        for (long of : counts) {
            all += of;
        }
        this.counts = counts;
        this.count = all;
        this.sum = sum;
        this.max = max;
    }

    /** Number of values. */
    public long count() {
        return count;
    }

    /** Number of values that are at most {@code bound}, to the precision of the ranges: no value above it is counted. */
    public long countUpTo(long bound) {
        long all = 0;
        for (int range = 0; range < Histogram.RANGES && Histogram.lastOf(range) <= bound; range++) {
            all += counts[range];
        }
        return all;
    }

    /** Sum of the values. */
    public long sum() {
        return sum;
    }

    /** The largest value, exactly; 0 if there is none. */
    public long max() {
        return max;
    }

    /** The value that this share of the values, from 0 to 1, does not exceed; 0 if there is no value. */
    public long percentile(double share) {
        long wanted = (long) Math.ceil(count * share);
        long seen = 0;
        for (int range = 0; range < Histogram.RANGES && wanted > 0; range++) {
            seen += counts[range];
            if (seen >= wanted) {
                return Math.min(Histogram.lastOf(range), max);
            }
        }
        return max;
    }

    @Override
    public String toString() {
        return count + " values, p50 " + percentile(0.5) + " p90 " + percentile(0.9) + " p99 " + percentile(0.99)
                + " max " + max;
    }
}
