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
    /** Streams of iWARP. */
    STREAMS,
    /** Units of MPA, also called FPDUs. */
    UNITS,
    BUFFERS,
    TRANSFERS,
    BYTES,
    NANOSECONDS,
    /** A number that stands for a state; the metric's help lists them. */
    STATE
}
