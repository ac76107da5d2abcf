package org.verbena.tools.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.verbena.memory.PageState;
import org.verbena.memory.Residency;
import org.verbena.tools.console.Figures;
import org.verbena.trace.HistogramValues;

/** A report as one JSON object on one line: for programs, so its fields are only ever added to. */
final class MemoryJson {
    private MemoryJson() {}

    static String of(MemoryReport report) {
        MemoryPlan plan = report.plan();
        MemoryReport.Outcome outcome = report.outcome();
        Histogram times = outcome.loaded().timesNs();
        return "{\"operation\": \"" + plan.operation() + "\", \"pattern\": \"" + plan.pattern() + "\", \"policy\": \""
                + plan.policy().name().toLowerCase(Locale.ROOT).replace('_', '-') + "\", \"memory\": " + plan.memory()
                + ", \"registered\": " + plan.registered() + ", \"size\": " + plan.size() + ", \"queue_pairs\": "
                + plan.queuePairs() + ", \"depth\": " + plan.depth() + ", \"seconds\": " + number(outcome.seconds(), 6)
                + ", \"operations\": " + report.operations()
                + ", \"operations_per_second\": " + number(report.operationsPerSecond(), 1)
                + ", \"completion_us\": {\"p50\": " + number(times.getValueAtPercentile(50) / 1e3, 3) + ", \"p99\": "
                + number(times.getValueAtPercentile(99) / 1e3, 3) + ", \"max\": "
                + number(times.getMaxValue() / 1e3, 3) + "}, \"faults\": " + report.faults()
                + ", \"places\": " + outcome.cells() + ", \"read_back\": " + outcome.readBack() + ", \"errors\": "
                + report.errors()
                + ", \"initiator\": " + object(report.seen().adapter(Snapshot.INITIATOR))
                + ", \"target\": " + object(report.seen().adapter(Snapshot.TARGET))
                + ", \"paging\": " + object(report.seen().hostPager())
                + ", \"guests\": " + object(report.seen().guestPagers())
                + ", \"domains\": {" + domains(report.seen()) + "}"
                + ", \"frames_free\": " + report.seen().hostPager().get("frames_free")
                + ", \"store\": {\"reads\": " + latency(report.seen().reads()) + ", \"writes\": "
                + latency(report.seen().writes()) + "}, \"residency\": {"
                + residency(report.seen().memories()) + "}}";
    }

    private static String object(Map<String, Long> values) {
        return values.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String domains(Snapshot seen) {
        return seen.domains().stream()
                .map(id -> "\"" + id + "\": {\"stage_one\": " + seen.domain(id).get("faults_stage_one")
                        + ", \"stage_two\": " + seen.domain(id).get("faults_stage_two") + "}")
                .collect(Collectors.joining(", "));
    }

    private static String latency(HistogramValues ns) {
        return "{\"transfers\": " + ns.count() + ", \"p50_us\": " + number(ns.percentile(0.5) / 1e3, 3)
                + ", \"p90_us\": " + number(ns.percentile(0.9) / 1e3, 3) + ", \"p99_us\": "
                + number(ns.percentile(0.99) / 1e3, 3) + ", \"max_us\": " + number(ns.max() / 1e3, 3) + "}";
    }

    private static String residency(Map<String, Residency> memories) {
        List<String> parts = new ArrayList<>();
        memories.forEach((name, residency) -> {
            StringBuilder part = new StringBuilder("\"" + name + "\": {\"pages\": " + residency.pages());
            for (PageState state : PageState.values()) {
                part.append(", \"")
                        .append(state.name().toLowerCase(Locale.ROOT))
                        .append("\": ")
                        .append(residency.count(state));
            }
            parts.add(part.append("}").toString());
        });
        return String.join(", ", parts);
    }

    /** Plain digits, never an exponent. */
    private static String number(double value, int decimals) {
        return Figures.format("%." + decimals + "f", value);
    }
}
