package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.MemoryStreams;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.trace.Metric;
import org.verbena.trace.MetricRegistry;
import org.verbena.trace.PrometheusText;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.QueuePairOptions;

/** docs/reference/metrics.md lists the metrics that the registry describes. */
final class MetricsPageTest {
    private static final String PAGE = "docs/reference/metrics.md";
    private static final String MARK = "<!-- generated: MetricsPageTest -->\n";

    @Test
    void thePageListsEveryMetric() throws IOException {
        Optional<Path> root = Checkout.findRoot();
        assumeTrue(root.isPresent(), "not in a git checkout");
        String page = Files.readString(root.get().resolve(PAGE));
        String generated = render(describe());
        Path fresh = Files.createDirectories(Path.of("target")).resolve("metrics.md");
        Files.writeString(fresh, page.substring(0, page.indexOf(MARK) + MARK.length()) + generated);
        assertEquals(
                generated,
                page.substring(page.indexOf(MARK) + MARK.length()),
                PAGE + " is not as the registry has it; " + fresh + " is");
    }

    /** A system with a source of each group. */
    private static List<Metric> describe() {
        MetricRegistry registry = new MetricRegistry();
        var store = new SimulatedPageStore(NanoClock.system(), ServiceTime.NONE, new Seed(1));
        try (Adapter adapter = Adapter.open(
                        new InProcessNetwork().open(),
                        AdapterOptions.DEFAULT
                                .withRun(AdapterOptions.Run.MANUAL)
                                .withMetrics(registry));
                Adapter streams = Adapter.open(
                        new MemoryStreams(1, 1, 0, new Seed(1)).open(InetAddress.getLoopbackAddress()),
                        NanoClock.system(),
                        AdapterOptions.DEFAULT
                                .withRun(AdapterOptions.Run.MANUAL)
                                .withMetrics(registry));
                Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(HypervisorOptions.MEMORY_MIN)
                        .withStore(store)
                        .withMetrics("memory0", registry));
                var guest = hypervisor.createGuest(GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN))) {
            adapter.createQueuePair(
                    QueuePairOptions.of(adapter.createProtectionDomain(), adapter.createCompletionQueue(1)));
            assertEquals(1, guest.id());
            assertEquals(Wire.IWARP, streams.wire());
            return registry.snapshot(_ -> true).metrics();
        }
    }

    private static String render(List<Metric> metrics) {
        Map<String, List<Metric>> groups =
                metrics.stream().collect(Collectors.groupingBy(Metric::group, LinkedHashMap::new, Collectors.toList()));
        StringBuilder text = new StringBuilder();
        groups.forEach((group, all) -> {
            text.append("\n## ").append(group).append("\n\n");
            text.append("| name | kind | unit | labels | Prometheus | meaning |\n|---|---|---|---|---|---|\n");
            all.forEach(metric -> text.append(row(metric)));
        });
        return text.toString();
    }

    private static String row(Metric metric) {
        return "| `" + metric.name() + "` | " + lower(metric.kind()) + " | " + lower(metric.unit()) + " | "
                + String.join(", ", metric.labels()) + " | `" + PrometheusText.name(metric) + "` | " + metric.help()
                + " |\n";
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
