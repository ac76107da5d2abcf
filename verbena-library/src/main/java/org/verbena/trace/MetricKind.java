package org.verbena.trace;

/** How the value of a metric behaves. */
public enum MetricKind {
    /** Only grows, from 0 when its source is opened. */
    COUNTER,
    /** Goes up and down. */
    GAUGE,
    /** Counts values by their size. */
    HISTOGRAM
}
