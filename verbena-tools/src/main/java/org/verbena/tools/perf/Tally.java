package org.verbena.tools.perf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.verbena.Status;
import org.verbena.verbs.Completions;

/**
 * The counts of one end. One thread counts; any thread may read {@link #messages} and {@link #beganNs} meanwhile, and
 * everything when the counting has ended. Counting allocates nothing.
 */
final class Tally {
    private static final VarHandle MESSAGES;
    private static final long LONGEST_NS = 3_600_000_000_000L;

    static {
        try {
            MESSAGES = MethodHandles.lookup().findVarHandle(Tally.class, "messages", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Histogram timesNs = new Histogram(LONGEST_NS, 3);
    private volatile long beganNs;
    private long endedNs;

    @SuppressWarnings("UnusedVariable") // by the handle
    private long messages;

    private long errors;
    private @Nullable String firstError;

    void begin(long nowNs) {
        beganNs = nowNs;
        endedNs = nowNs;
    }

    /** Sets the number of complete messages. */
    void count(long more, long nowNs) {
        MESSAGES.setOpaque(this, (long) MESSAGES.getOpaque(this) + more);
        endedNs = nowNs;
    }

    /** Adds the time of one message. */
    void time(long ns) {
        timesNs.recordValue(Math.clamp(ns, 0, LONGEST_NS));
    }

    /** Counts an error and keeps the first one for the report. */
    void fail(String what) {
        errors++;
        if (firstError == null) {
            firstError = what;
        }
    }

    /** Takes over the errors of another tally, which has them no more. */
    void include(Tally other) {
        errors += other.errors;
        if (firstError == null) {
            firstError = other.firstError;
        }
        other.errors = 0;
    }

    /** Looks at a completion; false, and an error counted, if it is not a success. */
    boolean accept(Completions batch, int index) {
        Status status = batch.status(index);
        if (status.success()) {
            return true;
        }
        fail(batch.operation(index) + " failed: " + status.text());
        return false;
    }

    boolean hasFailed() {
        return errors > 0;
    }

    long messages() {
        return (long) MESSAGES.getOpaque(this);
    }

    /** When counting began; 0 before. */
    long beganNs() {
        return beganNs;
    }

    long elapsedNs() {
        return endedNs - beganNs;
    }

    Histogram timesNs() {
        return timesNs;
    }

    long errors() {
        return errors;
    }

    @Nullable
    String firstError() {
        return firstError;
    }
}
