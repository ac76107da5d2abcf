package org.verbena.tools.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Counts and times of a run. The consumer's thread writes; any thread may read counts meanwhile, and times at the end. */
final class MemoryTally {
    private final AtomicLongArray operations = new AtomicLongArray(MemoryOperation.values().length);
    private final Histogram timesNs = new Histogram(3);
    private final AtomicLong errors = new AtomicLong();
    private volatile @Nullable String firstError;

    void add(MemoryOperation operation, long durationNs) {
        operations.getAndIncrement(operation.ordinal());
        timesNs.recordValue(Math.max(0, durationNs));
    }

    void fail(String what) {
        if (firstError == null) {
            firstError = what;
        }
        errors.getAndIncrement();
    }

    long operations(MemoryOperation operation) {
        return operations.get(operation.ordinal());
    }

    long operations() {
        long sum = 0;
        for (MemoryOperation operation : MemoryOperation.values()) {
            sum += operations(operation);
        }
        return sum;
    }

    Histogram timesNs() {
        return timesNs;
    }

    long errors() {
        return errors.get();
    }

    @Nullable
    String firstError() {
        return firstError;
    }
}
