package org.verbena.trace;

/** What the constants of an enum of counters have in common: each describes one metric. */
public interface CounterName {
    /**
     * The description of a counter.
     *
     * @param label the name that tools show
     * @param unit what it counts
     * @param help one sentence without a full stop
     */
    record Text(String label, Unit unit, String help) {}

    /** Its description. */
    Text text();

    /** The name that tools show. */
    default String label() {
        return text().label();
    }
}
