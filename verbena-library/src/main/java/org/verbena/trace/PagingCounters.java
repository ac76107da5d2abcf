package org.verbena.trace;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** The counters of one pager. Any thread adds and reads. */
public final class PagingCounters {
    private final AtomicLongArray cells = new AtomicLongArray(PagingCounter.values().length);

    /** All zero. */
    public PagingCounters() {}

    public void add(PagingCounter counter) {
        add(counter, 1);
    }

    public void add(PagingCounter counter, long count) {
        cells.getAndAdd(counter.ordinal(), count);
    }

    /** What has been counted so far. */
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
