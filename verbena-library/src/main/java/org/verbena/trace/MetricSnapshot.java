package org.verbena.trace;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Metrics as they were read, source by source. Each number is exact as of a moment during the reading; several need not be of the
 * same moment. Immutable.
 *
 * @param series by source, in the order in which a group describes its metrics
 */
public record MetricSnapshot(List<MetricSeries> series) {
    public MetricSnapshot {
        series = List.copyOf(series);
    }

    /** The descriptions of all metrics in it, each once. */
    public List<Metric> metrics() {
        return series.stream().map(MetricSeries::metric).distinct().toList();
    }

    /** The series that have this value of this label. */
    public MetricSnapshot with(String label, String labelValue) {
        return only(one -> one.has(label, labelValue));
    }

    /** The series of one group. */
    public MetricSnapshot of(String group) {
        return only(one -> one.metric().group().equals(group));
    }

    /** The series that satisfy a condition. */
    public MetricSnapshot only(Predicate<MetricSeries> condition) {
        return new MetricSnapshot(series.stream().filter(condition).toList());
    }

    /** Sum of all series of a metric; 0 if there is none. */
    public long total(String group, String name) {
        return series.stream()
                .filter(one ->
                        one.metric().name().equals(name) && one.metric().group().equals(group))
                .mapToLong(MetricSeries::value)
                .sum();
    }

    /** Sums of the series by name of the metric, in order. For the metrics of one group. */
    public Map<String, Long> totals() {
        Map<String, Long> sums = new LinkedHashMap<>();
        series.forEach(one -> sums.merge(one.metric().name(), one.value(), Long::sum));
        return sums;
    }

    /** The same with counters counted from an earlier snapshot on. Gauges and histograms stay as they are. */
    public MetricSnapshot since(MetricSnapshot before) {
        record Key(Metric metric, List<String> labelValues) {}
        Map<Key, Long> then = new HashMap<>();
        before.series.forEach(one -> then.put(new Key(one.metric(), one.labelValues()), one.value()));
        return new MetricSnapshot(series.stream()
                .map(one -> one.metric().kind() == MetricKind.COUNTER
                        ? one.minus(then.getOrDefault(new Key(one.metric(), one.labelValues()), 0L))
                        : one)
                .toList());
    }
}
