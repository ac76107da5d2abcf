package org.verbena.tools.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.verbena.memory.Residency;
import org.verbena.trace.Counter;
import org.verbena.trace.HistogramValues;
import org.verbena.trace.MetricKind;
import org.verbena.trace.MetricSeries;
import org.verbena.trace.MetricSnapshot;

/**
 * All that can be seen of memory at one moment.
 *
 * @param metrics of both adapters, the pagers and the page store
 * @param memories where the pages of each memory are
 */
record Snapshot(MetricSnapshot metrics, Map<String, Residency> memories) {
    static final String INITIATOR = "memory initiator";
    static final String TARGET = "memory target";
    /** The id of the host's domain. */
    static final String HOST = "0";

    static Snapshot of(MetricSnapshot metrics, MemoryEnd initiator, MemoryEnd target) {
        Map<String, Residency> memories = new LinkedHashMap<>();
        look(memories, "target", target);
        look(memories, "initiator", initiator);
        return new Snapshot(metrics, memories);
    }

    private static void look(Map<String, Residency> memories, String end, MemoryEnd of) {
        for (int i = 0; i < of.memories().size(); i++) {
            String number = of.memories().size() == 1 ? "" : " " + (i + 1);
            memories.put(end + number, of.memories().get(i).residency());
        }
    }

    /** The same with counters counted from an earlier moment on. */
    Snapshot since(Snapshot before) {
        return new Snapshot(metrics.since(before.metrics), memories);
    }

    /** A counter of both adapters together. */
    long count(Counter counter) {
        return metrics.total("adapter", counter.label());
    }

    /** The counters of one adapter, by name. */
    Map<String, Long> adapter(String name) {
        return metrics.of("adapter")
                .with("adapter", name)
                .only(one -> one.metric().kind() == MetricKind.COUNTER)
                .totals();
    }

    /** The metrics of the host's pager, by name. */
    Map<String, Long> hostPager() {
        return metrics.of("pager").with("domain", HOST).totals();
    }

    /** The metrics of all guests' pagers together, by name; empty without guests. */
    Map<String, Long> guestPagers() {
        return metrics.of("pager").only(one -> !one.has("domain", HOST)).totals();
    }

    /** Ids of the domains, the host's first. */
    List<String> domains() {
        return metrics.of("domain").series().stream()
                .map(one -> Objects.requireNonNull(one.labels().get("domain")))
                .distinct()
                .toList();
    }

    /** The metrics of one domain, by name. */
    Map<String, Long> domain(String id) {
        return metrics.of("domain").with("domain", id).totals();
    }

    /** The name of the page store, for people. */
    String storeName() {
        return store("read_latency").labels().getOrDefault("store", "");
    }

    /** Durations of reads of the page store since it was opened. */
    HistogramValues reads() {
        return Objects.requireNonNull(store("read_latency").histogram());
    }

    /** Durations of writes of the page store since it was opened. */
    HistogramValues writes() {
        return Objects.requireNonNull(store("write_latency").histogram());
    }

    private MetricSeries store(String metric) {
        return metrics.of("store")
                .only(one -> one.metric().name().equals(metric))
                .series()
                .getFirst();
    }
}
