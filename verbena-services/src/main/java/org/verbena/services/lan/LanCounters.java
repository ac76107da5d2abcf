package org.verbena.services.lan;

import java.util.List;
import org.verbena.trace.CounterCells;
import org.verbena.trace.MetricGroup;

/** The statistics of one host. The driver's thread adds, any thread reads. */
public final class LanCounters extends CounterCells {
    /** The statistics as metrics of a host at a unit. */
    public static final MetricGroup<LanCounters> METRICS = MetricGroup.<LanCounters>named("lan", "unit", "host")
            .counters(List.of(LanCounter.values()), LanCounters::value)
            .build();

    /** All zero. */
    LanCounters() {
        super(LanCounter.values().length);
    }

    /** The present value. Any thread. */
    public long value(LanCounter counter) {
        return value(counter.ordinal());
    }

    void add(LanCounter counter) {
        add(counter, 1);
    }

    void add(LanCounter counter, long count) {
        add(counter.ordinal(), count);
    }

    /** Counts a frame that is dropped: in all, and for its reason. */
    void rxDropped(LanCounter reason) {
        add(LanCounter.RX_DROPPED);
        add(reason);
    }

    /** Counts a frame that is dropped: in all, and for its reason. */
    void txDropped(LanCounter reason) {
        add(LanCounter.TX_DROPPED);
        add(reason);
    }
}
