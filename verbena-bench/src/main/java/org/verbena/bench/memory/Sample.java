package org.verbena.bench.memory;

import java.util.Arrays;

/** Durations with their percentiles. */
final class Sample {
    private long[] values = new long[1024];
    private int size;

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    static Sample of(long... values) {
        Sample sample = new Sample();
        for (long value : values) {
            sample.add(value);
        }
        return sample;
    }

    int size() {
        return size;
    }

    /** The smallest duration that at least this share of all durations does not exceed. */
    double percentile(double share) {
        if (size == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(values, size);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * size) - 1)];
    }

    double median() {
        return percentile(0.5);
    }

    double p99() {
        return percentile(0.99);
    }
}
