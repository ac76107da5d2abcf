package org.verbena.tools.perf;

/**
 * How much to do: until so many messages or so much time, whichever comes first.
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

    /** The last moment for somebody who begins now. */
    public long deadlineNs(long nowNs) {
        return durationNs == Long.MAX_VALUE ? Long.MAX_VALUE : nowNs + durationNs;
    }

    /** The number of the first message too many, if the next one is {@code first}. */
    public long limit(long first) {
        return messages == Long.MAX_VALUE ? Long.MAX_VALUE : first + messages;
    }
}
