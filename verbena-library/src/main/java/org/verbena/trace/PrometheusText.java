package org.verbena.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A snapshot in the text format of Prometheus, version 0.0.4. */
public final class PrometheusText {
    private static final String PREFIX = "verbena_";
    private static final double SECOND_NS = 1e9;

    /** Bounds of the buckets of a histogram: powers of two from 1 µs to 17 s where it counts nanoseconds. */
    private static final int BOUND_FIRST = 10;

    private static final int BOUND_LAST = 34;

    private PrometheusText() {}

    /**
     * Renders a snapshot.
     *
     * @return lines that end with a newline each; all series of a metric follow its HELP and TYPE
     */
    public static String of(MetricSnapshot snapshot) {
        Map<Metric, List<MetricSeries>> byMetric = snapshot.series().stream()
                .collect(Collectors.groupingBy(MetricSeries::metric, LinkedHashMap::new, Collectors.toList()));
        StringBuilder text = new StringBuilder();
        byMetric.forEach((metric, series) -> {
            String name = name(metric);
            text.append("# HELP ").append(name).append(' ').append(escape(metric.help()));
            text.append("\n# TYPE ").append(name).append(' ');
            text.append(metric.kind().name().toLowerCase(Locale.ROOT)).append('\n');
            series.forEach(one -> append(text, name, one));
        });
        return text.toString();
    }

    /** The name of a metric in Prometheus: with its base unit, and {@code total} for a counter. */
    public static String name(Metric metric) {
        String suffix = switch (metric.unit()) {
            case BYTES -> "_bytes";
            case NANOSECONDS -> "_seconds";
            default -> "";
        };
        String name = PREFIX + metric.group() + "_" + metric.name();
        return (name.endsWith(suffix) ? name : name + suffix) + (metric.kind() == MetricKind.COUNTER ? "_total" : "");
    }

    private static void append(StringBuilder text, String name, MetricSeries series) {
        String labels = series.labels().entrySet().stream()
                .map(label -> label.getKey() + "=\"" + escape(label.getValue()).replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(","));
        HistogramValues recorded = series.histogram();
        if (recorded == null) {
            line(text, name, labels, number(series.metric(), series.value()));
            return;
        }
        String before = labels.isEmpty() ? "le=\"" : labels + ",le=\"";
        for (int power = BOUND_FIRST; power <= BOUND_LAST; power++) {
            long bound = (1L << power) - 1;
            String shown = number(series.metric(), bound + 1);
            line(text, name + "_bucket", before + shown + "\"", Long.toString(recorded.countUpTo(bound)));
        }
        line(text, name + "_bucket", before + "+Inf\"", Long.toString(recorded.count()));
        line(text, name + "_sum", labels, number(series.metric(), recorded.sum()));
        line(text, name + "_count", labels, Long.toString(recorded.count()));
    }

    private static void line(StringBuilder text, String name, String labels, String value) {
        text.append(name);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        text.append(' ').append(value).append('\n');
    }

    private static String number(Metric metric, long value) {
        return metric.unit() == Unit.NANOSECONDS ? Double.toString(value / SECOND_NS) : Long.toString(value);
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }
}
