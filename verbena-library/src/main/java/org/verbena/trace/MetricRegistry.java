package org.verbena.trace;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import jdk.jfr.FlightRecorder;

/**
 * All metrics of adapters, links, queue pairs, pagers and page stores. Everything that prints or exports metrics takes a snapshot
 * here and has no list of its own. Any thread.
 *
 * <p>Reading does not stop the threads that count, and counting knows nothing of the registry. A test makes a registry of its own;
 * everything else uses {@link #process()}, unless the options of an adapter or a hypervisor name another.
 */
public final class MetricRegistry {
    private final Map<String, WeakReference<MetricScope>> scopes = new ConcurrentSkipListMap<>();

    /** An empty registry. */
    public MetricRegistry() {}

    /** Made when it is first asked for. */
    private static final class OfProcess {
        static final MetricRegistry REGISTRY = new MetricRegistry();

        static {
            if (FlightRecorder.isInitialized()) {
                MetricEvent.record(REGISTRY);
            }
        }
    }

    /** The registry of the whole process. A flight recording that runs when it is first used records it. */
    public static MetricRegistry process() {
        return OfProcess.REGISTRY;
    }

    /**
     * A place for the sources of one owner. All their series have the label.
     *
     * @param label the name of the label, such as {@code adapter}
     * @param wanted its value; if another scope has it, a number is appended
     */
    public MetricScope scope(String label, String wanted) {
        for (int number = 1; ; number++) {
            String value = number == 1 ? wanted : wanted + "-" + number;
            MetricScope scope = new MetricScope(this, label, value);
            if (keep(scope)) {
                return scope;
            }
        }
    }

    private boolean keep(MetricScope scope) {
        WeakReference<MetricScope> kept = new WeakReference<>(scope);
        return scopes.compute(scope.key(), (_, other) -> other == null || other.refersTo(null) ? kept : other)
                .refersTo(scope);
    }

    void forget(MetricScope scope) {
        scopes.computeIfPresent(scope.key(), (_, kept) -> kept.refersTo(scope) ? null : kept);
    }

    /** Reads all metrics but those of numerous sources, such as queue pairs. */
    public MetricSnapshot snapshot() {
        return snapshot(group -> !group.isNumerous());
    }

    /** Reads the metrics of the groups that satisfy a condition. A source that is closed meanwhile is left out. */
    public MetricSnapshot snapshot(Predicate<MetricGroup<?>> wanted) {
        List<MetricSeries> series = new ArrayList<>();
        for (WeakReference<MetricScope> kept : scopes.values()) {
            MetricScope scope = kept.get();
            if (scope != null) {
                scope.read(wanted, series);
            }
        }
        return new MetricSnapshot(series);
    }
}
