package org.verbena.trace;

/** What the constants of an enum of counters have in common: each describes one metric. */
public interface CounterName {
    /** The name that tools show. */
    String label();

    /** What it counts. */
    Unit unit();

    /** One sentence without a full stop. */
    String help();
}
