package org.verbena.tools.perf;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of a measurement.
 *
 * @param operation the operation of each message
 * @param mode which figure was wanted
 * @param link the kind of link
 * @param size bytes of a message
 * @param messages messages that were counted
 * @param seconds from the first post to the last completion
 * @param timesUs for latency half of each round trip; for bandwidth from post to completion, with all the others under way
 * @param allocatedBytes by all threads that moved messages, at both ends
 * @param errors failed completions and wrong messages
 * @param firstError the first of them, for people
 */
public record PerfReport(
        PerfOperation operation,
        PerfMode mode,
        LinkKind link,
        long size,
        long messages,
        double seconds,
        Times timesUs,
        long allocatedBytes,
        long errors,
        @Nullable String firstError) {
    /** How times are distributed, in microseconds; all zero when there are none. */
    public record Times(double min, double p50, double p99, double p999, double max) {
        static final Times NONE = new Times(0, 0, 0, 0, 0);

        /** Of nanoseconds, each multiplied by {@code factor}. */
        static Times of(Histogram ns, double factor) {
            if (ns.getTotalCount() == 0) {
                return NONE;
            }
            double us = factor / 1000;
            return new Times(
                    ns.getMinValue() * us,
                    ns.getValueAtPercentile(50) * us,
                    ns.getValueAtPercentile(99) * us,
                    ns.getValueAtPercentile(99.9) * us,
                    ns.getMaxValue() * us);
        }

        Times times(double factor) {
            return new Times(min * factor, p50 * factor, p99 * factor, p999 * factor, max * factor);
        }
    }

    /** Of one end's tally. */
    static PerfReport of(PerfPlan plan, LinkKind link, Tally tally, long allocatedBytes) {
        return new PerfReport(
                plan.operation(),
                plan.mode(),
                link,
                plan.size(),
                tally.messages(),
                tally.elapsedNs() / 1e9,
                Times.of(tally.timesNs(), plan.isLatency() ? 0.5 : 1),
                allocatedBytes,
                tally.errors(),
                tally.firstError());
    }

    /** The same with the errors that the other end found. */
    PerfReport with(long moreAllocated, long moreErrors, @Nullable String error) {
        return new PerfReport(
                operation,
                mode,
                link,
                size,
                messages,
                seconds,
                timesUs,
                allocatedBytes + moreAllocated,
                errors + moreErrors,
                firstError == null ? error : firstError);
    }

    public double messagesPerSecond() {
        return seconds > 0 ? messages / seconds : 0;
    }

    public double bytesPerSecond() {
        return messagesPerSecond() * size;
    }

    public double allocatedBytesPerMessage() {
        return messages > 0 ? (double) allocatedBytes / messages : 0;
    }
}
