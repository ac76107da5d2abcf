package org.verbena.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricEventTest {
    private static final MetricGroup<AtomicLong> GROUP = MetricGroup.<AtomicLong>named("adapter", "adapter")
            .counter("sent_pkts", Unit.PACKETS, "Packets sent", AtomicLong::get)
            .build();

    @TempDir
    private Path directory;

    @Test
    void aRecordingHasTheMetricsOfARegistry() throws IOException {
        Path file = directory.resolve("metrics.jfr");
        MetricRegistry registry = new MetricRegistry();
        try (MetricScope scope = registry.scope("adapter", "a");
                MetricScope.Registration _ = MetricEvent.record(registry);
                Recording recording = new Recording()) {
            scope.register(GROUP, new AtomicLong(42));
            recording.enable("org.verbena.Metric").with("period", "endChunk");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        List<String> found = RecordingFile.readAllEvents(file).stream()
                .map(event -> event.getString("metric") + event.getString("labels") + " " + event.getLong("value") + " "
                        + event.getString("unit"))
                .toList();
        assertEquals(List.of("adapter.sent_pkts{adapter=a} 42 PACKETS"), found);
    }
}
