package org.verbena.trace;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** The counters of one pager. Any thread adds and reads. */
public final class PagingCounters {
    /** The counters as metrics of a pager. */
    public static final MetricGroup<PagingCounters> METRICS = MetricGroup.<PagingCounters>named(
                    "pager", "memory", "domain")
            .counters(List.of(PagingCounter.values()), PagingCounters::value)
            .build();

    private final AtomicLongArray cells = new AtomicLongArray(PagingCounter.values().length);

    /** All zero. */
    public PagingCounters() {}

    /** Adds one. */
    public void add(PagingCounter counter) {
        add(counter, 1);
    }

    /** Adds many. */
    public void add(PagingCounter counter, long count) {
        cells.getAndAdd(counter.ordinal(), count);
    }

    /** The present value. */
    public long value(PagingCounter counter) {
        return cells.get(counter.ordinal());
    }

    /** All counters, in the order of {@link PagingCounter}. */
    public Map<PagingCounter, Long> snapshot() {
        var all = new EnumMap<PagingCounter, Long>(PagingCounter.class);
        for (PagingCounter counter : PagingCounter.values()) {
            all.put(counter, value(counter));
        }
        return all;
    }
}
