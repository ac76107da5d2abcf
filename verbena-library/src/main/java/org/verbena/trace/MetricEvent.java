package org.verbena.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** Flight Recorder: one metric of one source, at regular intervals. */
@Name("org.verbena.Metric")
@Label("Metric")
@Category("Verbena")
@Description("A metric of an adapter, a link, a pager or a page store")
@Period("10 s")
@StackTrace(false)
public final class MetricEvent extends Event {
    @Label("Metric")
    String metric;

    @Label("Labels")
    String labels;

    @Label("Unit")
    String unit;

    @Label("Value")
    @Description("Of a histogram: the number of values recorded")
    long value;

    private MetricEvent(MetricSeries series) {
        this.metric = series.metric().fullName();
        this.labels = series.labels().toString();
        this.unit = series.metric().unit().name();
        this.value = series.value();
    }

    /** From now on recordings have the metrics of this registry, without those of numerous sources, until the result is closed. */
    public static MetricScope.Registration record(MetricRegistry registry) {
        Runnable hook = () -> registry.snapshot().series().forEach(series -> new MetricEvent(series).commit());
        FlightRecorder.addPeriodicEvent(MetricEvent.class, hook);
        return () -> FlightRecorder.removePeriodicEvent(hook);
    }
}
