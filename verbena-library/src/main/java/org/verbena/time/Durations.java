package org.verbena.time;

import java.time.Duration;

/** Durations in nanoseconds, as a {@code long}, with saturation in place of overflow. */
public final class Durations {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
    private static final Duration SHORTEST = Duration.ofNanos(Long.MIN_VALUE);

    private Durations() {}

    /**
     * The length of a duration.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} or {@link Long#MIN_VALUE} for a duration that a {@code long} cannot hold
     */
    public static long toNanos(Duration duration) {
        if (duration.compareTo(LONGEST) >= 0) {
            return Long.MAX_VALUE;
        }
        return duration.compareTo(SHORTEST) <= 0 ? Long.MIN_VALUE : duration.toNanos();
    }

    /**
     * The time at which a duration that starts now ends.
     *
     * @param nowNs a reading of a {@link NanoClock}
     * @return a time of the same clock; {@link Long#MAX_VALUE} if the sum does not fit: never
     */
    public static long deadlineNs(long nowNs, Duration duration) {
        return deadlineNs(nowNs, toNanos(duration));
    }

    /** As {@link #deadlineNs(long, Duration)}, for a length in nanoseconds that is not negative. */
    public static long deadlineNs(long nowNs, long lengthNs) {
        long sum = nowNs + lengthNs;
        return sum < nowNs && lengthNs > 0 ? Long.MAX_VALUE : sum;
    }
}
