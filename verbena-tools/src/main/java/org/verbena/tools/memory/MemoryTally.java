package org.verbena.tools.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What was done and found. The consumer's thread writes; counts may be read by any, times only when it is done. */
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
