package org.verbena.trace;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The counters of one adapter. The engine's thread adds, any thread reads; adding costs no barrier. */
public final class Counters extends CounterCells {
    /** The counters as metrics of an adapter. */
    public static final MetricGroup<Counters> METRICS = MetricGroup.<Counters>named("adapter", "adapter")
            .counters(List.of(Counter.values()), Counters::value)
            .build();

    /** All zero. */
    public Counters() {
        super(Counter.values().length);
    }

    /** Adds one. Engine's thread only. */
    public void add(Counter counter) {
        add(counter, 1);
    }

    /** Adds many. Engine's thread only. */
    public void add(Counter counter, long count) {
        add(counter.ordinal(), count);
    }

    /** The present value. Any thread. */
    public long value(Counter counter) {
        return value(counter.ordinal());
    }

    /** All counters that are not zero, in the order of {@link Counter}. */
    public Map<Counter, Long> snapshot() {
        var all = new EnumMap<Counter, Long>(Counter.class);
        for (Counter counter : Counter.values()) {
            long value = value(counter);
            if (value != 0) {
                all.put(counter, value);
            }
        }
        return all;
    }
}
