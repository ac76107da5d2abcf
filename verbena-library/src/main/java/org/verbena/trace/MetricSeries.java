package org.verbena.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One metric of one source, as it was read. Immutable.
 *
 * @param metric its description
 * @param labelValues in the order of {@link Metric#labels}
 * @param value the number; of a histogram, how many values it has recorded
 * @param histogram null unless the metric is a histogram
 */
public record MetricSeries(
        Metric metric,
        List<String> labelValues,
        long value,
        @Nullable HistogramValues histogram) {
    public MetricSeries {
        labelValues = List.copyOf(labelValues);
        if (labelValues.size() != metric.labels().size()) {
            throw new IllegalArgumentException(
                    metric.fullName() + " has the labels " + metric.labels() + "; found the values " + labelValues);
        }
    }

    /** Labels with their values, in order. */
    public Map<String, String> labels() {
        Map<String, String> all = new LinkedHashMap<>();
        for (int i = 0; i < labelValues.size(); i++) {
            all.put(metric.labels().get(i), labelValues.get(i));
        }
        return all;
    }

    /** Whether a label is there and has this value. */
    public boolean has(String label, String labelValue) {
        int index = metric.labels().indexOf(label);
        return index >= 0 && labelValues.get(index).equals(labelValue);
    }

    MetricSeries minus(long before) {
        return new MetricSeries(metric, labelValues, value - before, histogram);
    }
}
