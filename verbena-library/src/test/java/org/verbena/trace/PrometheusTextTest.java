package org.verbena.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PrometheusTextTest {
    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void seriesOfOneMetricStandTogetherUnderItsHelp() {
        MetricGroup<AtomicLong> group = MetricGroup.<AtomicLong>named("adapter", "adapter")
                .counter("sent_pkts", Unit.PACKETS, "Packets \\ sent", AtomicLong::get)
                .counter("sent_bytes", Unit.BYTES, "Bytes sent", source -> source.get() * 100)
                .gauge("metadata", Unit.BYTES, "Bytes kept", AtomicLong::get)
                .build();
        MetricScope first = registry.scope("adapter", "a");
        MetricScope second = registry.scope("adapter", "say \"b\"\n");
        first.register(group, new AtomicLong(1));
        second.register(group, new AtomicLong(2));
        assertEquals("""
                # HELP verbena_adapter_sent_pkts_total Packets \\\\ sent
                # TYPE verbena_adapter_sent_pkts_total counter
                verbena_adapter_sent_pkts_total{adapter="a"} 1
                verbena_adapter_sent_pkts_total{adapter="say \\"b\\"\\n"} 2
                # HELP verbena_adapter_sent_bytes_total Bytes sent
                # TYPE verbena_adapter_sent_bytes_total counter
                verbena_adapter_sent_bytes_total{adapter="a"} 100
                verbena_adapter_sent_bytes_total{adapter="say \\"b\\"\\n"} 200
                # HELP verbena_adapter_metadata_bytes Bytes kept
                # TYPE verbena_adapter_metadata_bytes gauge
                verbena_adapter_metadata_bytes{adapter="a"} 1
                verbena_adapter_metadata_bytes{adapter="say \\"b\\"\\n"} 2
                """, PrometheusText.of(registry.snapshot()));
    }

    @Test
    void aHistogramHasBucketsThatGrowASumAndACount() {
        MetricGroup<Histogram> group = MetricGroup.<Histogram>named("store", "memory")
                .histogram("read_latency", Unit.NANOSECONDS, "Durations of reads", source -> source)
                .build();
        Histogram histogram = new Histogram();
        MetricScope scope = registry.scope("memory", "m");
        scope.register(group, histogram);
        histogram.record(1_000);
        histogram.record(2_000);
        histogram.record(60_000_000_000L);
        List<String> lines = PrometheusText.of(registry.snapshot()).lines().toList();
        String name = "verbena_store_read_latency_seconds";
        assertEquals("# TYPE " + name + " histogram", lines.get(1));
        assertEquals(name + "_bucket{memory=\"m\",le=\"1.024E-6\"} 1", lines.get(2));
        assertEquals(name + "_bucket{memory=\"m\",le=\"2.048E-6\"} 2", lines.get(3));
        assertTrue(lines.contains(name + "_bucket{memory=\"m\",le=\"+Inf\"} 3"), lines::toString);
        assertTrue(lines.contains(name + "_sum{memory=\"m\"} 60.000003"), lines::toString);
        assertEquals(name + "_count{memory=\"m\"} 3", lines.getLast());
        assertEquals("m", scope.value());
    }
}
