package org.verbena.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics that each source of one type has: their descriptions, and how they are read from a source. Immutable.
 *
 * <p>Reading is done by any thread while the source works; the functions must neither block nor change anything.
 *
 * @param <T> the type of the sources
 */
public final class MetricGroup<T> {
    private final String name;
    private final List<String> labels;
    private final boolean numerous;
    private final List<Item<T>> items;

    private MetricGroup(Builder<T> built) {
        this.name = built.name;
        this.labels = built.labels;
        this.numerous = built.numerous;
        this.items = List.copyOf(built.items);
    }

    /**
     * Begins a group.
     *
     * @param name its name, the first part of the name of each metric; several groups may share it
     * @param labels names of the labels that tell its sources apart: that of the scope, then those given at registration
     */
    public static <T> Builder<T> named(String name, String... labels) {
        return new Builder<>(name, List.of(labels));
    }

    /** The first part of the name of each metric. */
    public String name() {
        return name;
    }

    /** Names of the labels that tell the sources apart. */
    public List<String> labels() {
        return labels;
    }

    /** Whether there can be thousands of sources; {@link MetricRegistry#snapshot()} leaves such a group out. */
    public boolean isNumerous() {
        return numerous;
    }

    /** The descriptions of its metrics, each once. */
    public List<Metric> metrics() {
        return items.stream().map(Item::metric).distinct().toList();
    }

    void read(T source, List<String> labelValues, List<MetricSeries> into) {
        for (Item<T> item : items) {
            into.add(item.read(source, labelValues));
        }
    }

    /** One series of each source. */
    private record Item<T>(
            Metric metric,
            List<String> ownValues,
            @Nullable ToLongFunction<T> number,
            @Nullable Function<T, Histogram> histogram) {
        MetricSeries read(T source, List<String> labelValues) {
            List<String> values = labelValues;
            if (!ownValues.isEmpty()) {
                values = new ArrayList<>(labelValues);
                values.addAll(ownValues);
            }
            if (number != null) {
                return new MetricSeries(metric, values, number.applyAsLong(source), null);
            }
            assert histogram != null;
            HistogramValues recorded = histogram.apply(source).values();
            return new MetricSeries(metric, values, recorded.count(), recorded);
        }
    }

    /**
     * A group that is being described. One thread.
     *
     * @param <T> the type of the sources
     */
    public static final class Builder<T> {
        private final String name;
        private final List<String> labels;
        private final List<Item<T>> items = new ArrayList<>();
        private boolean numerous;

        private Builder(String name, List<String> labels) {
            this.name = name;
            this.labels = labels;
        }

        /** There can be thousands of sources. */
        public Builder<T> numerous() {
            numerous = true;
            return this;
        }

        /** A counter. */
        public Builder<T> counter(String metric, Unit unit, String help, ToLongFunction<T> read) {
            return add(MetricKind.COUNTER, metric, unit, help, read);
        }

        /** A gauge. */
        public Builder<T> gauge(String metric, Unit unit, String help, ToLongFunction<T> read) {
            return add(MetricKind.GAUGE, metric, unit, help, read);
        }

        private Builder<T> add(MetricKind kind, String metric, Unit unit, String help, ToLongFunction<T> read) {
            items.add(new Item<>(new Metric(name, metric, kind, unit, help, labels), List.of(), read, null));
            return this;
        }

        /** A counter for each constant of an enum, or of a part of it. */
        public <C extends CounterName> Builder<T> counters(Iterable<C> counters, ToLongBiFunction<T, C> read) {
            for (C counter : counters) {
                CounterName.Text text = counter.text();
                counter(text.label(), text.unit(), text.help(), source -> read.applyAsLong(source, counter));
            }
            return this;
        }

        /** One series of a counter that has a label of its own; the other values of the label are added by further calls. */
        public Builder<T> counter(
                String metric, Unit unit, String help, String label, String labelValue, ToLongFunction<T> read) {
            List<String> all = new ArrayList<>(labels);
            all.add(label);
            Metric described = new Metric(name, metric, MetricKind.COUNTER, unit, help, all);
            items.add(new Item<>(described, List.of(labelValue), read, null));
            return this;
        }

        /** A histogram. */
        public Builder<T> histogram(String metric, Unit unit, String help, Function<T, Histogram> read) {
            Metric described = new Metric(name, metric, MetricKind.HISTOGRAM, unit, help, labels);
            items.add(new Item<>(described, List.of(), null, read));
            return this;
        }

        /** The group as described so far. */
        public MetricGroup<T> build() {
            return new MetricGroup<>(this);
        }
    }
}
