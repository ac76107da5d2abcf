package org.verbena.tools.perf;

/**
 * The length of a measurement: a number of messages or a time, whichever is reached first.
 *
 * @param messages {@link Long#MAX_VALUE}: no matter how many
 * @param durationNs {@link Long#MAX_VALUE}: no matter how long
 */
public record Extent(long messages, long durationNs) {
    private static final double NS = 1e9;

    public static Extent ofMessages(long messages) {
        return new Extent(messages, Long.MAX_VALUE);
    }

    public static Extent ofSeconds(double seconds) {
        return new Extent(Long.MAX_VALUE, (long) (seconds * NS));
    }

    /** The end of a measurement that begins now. */
    public long deadlineNs(long nowNs) {
        return durationNs == Long.MAX_VALUE ? Long.MAX_VALUE : nowNs + durationNs;
    }

    /** The number behind the last message, if the first one is {@code first}. */
    public long limit(long first) {
        return messages == Long.MAX_VALUE ? Long.MAX_VALUE : first + messages;
    }
}
