package org.verbena.trace;

/** What a metric counts or measures. */
public enum Unit {
    EVENTS,
    PACKETS,
    MESSAGES,
    REQUESTS,
    PAGES,
    FRAMES,
    REGIONS,
    QUEUE_PAIRS,
    CALLS,
    TRANSFERS,
    BYTES,
    NANOSECONDS,
    /** A number that stands for a state; the metric's help lists them. */
    STATE
}
