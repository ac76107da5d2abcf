package org.verbena.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The place of one adapter or one machine memory in a registry: all series of its sources have its label. Any thread.
 *
 * <p>The owner keeps it and closes it with itself. A registry does not keep a scope that its owner has lost.
 */
public final class MetricScope implements AutoCloseable {
    private final MetricRegistry registry;
    private final String label;
    private final String value;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Registered<?>> sources = new ConcurrentSkipListMap<>();

    MetricScope(MetricRegistry registry, String label, String value) {
        this.registry = registry;
        this.label = label;
        this.value = value;
    }

    private record Registered<T>(MetricGroup<T> group, T source, List<String> labelValues) {
        void read(List<MetricSeries> into) {
            List<MetricSeries> all = new ArrayList<>();
            try {
                group.read(source, labelValues, all);
            } catch (IllegalStateException closedMeanwhile) {
                return;
            }
            into.addAll(all);
        }
    }

    /** The value of its label. */
    public String value() {
        return value;
    }

    /**
     * Adds a source.
     *
     * @param labelValues of the group's labels but the first, which is the scope's
     * @return takes the source out of the registry when it is closed
     * @throws IllegalArgumentException if the group has other labels
     */
    public <T> Registration register(MetricGroup<T> group, T source, String... labelValues) {
        List<String> all = new ArrayList<>();
        all.add(value);
        all.addAll(List.of(labelValues));
        if (group.labels().size() != all.size() || !group.labels().getFirst().equals(label)) {
            throw new IllegalArgumentException("the sources of " + group.name() + " have the labels " + group.labels()
                    + "; found the values " + all + " of which the first is that of " + label);
        }
        Long number = numbers.getAndIncrement();
        sources.put(number, new Registered<>(group, source, List.copyOf(all)));
        return () -> sources.remove(number);
    }

    void read(Predicate<MetricGroup<?>> wanted, List<MetricSeries> into) {
        for (Registered<?> one : sources.values()) {
            if (wanted.test(one.group)) {
                one.read(into);
            }
        }
    }

    /** Takes all its sources out of the registry and gives the value of its label back. Idempotent. */
    @Override
    public void close() {
        registry.forget(this);
        sources.clear();
    }

    String key() {
        return label + "=" + value;
    }

    /** A source in a registry. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        /** Takes the source out; idempotent. A snapshot that is being taken may still read it. */
        @Override
        void close();
    }
}
