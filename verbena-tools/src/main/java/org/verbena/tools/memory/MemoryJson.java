package org.verbena.tools.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.verbena.memory.DomainFaults;
import org.verbena.memory.PageState;
import org.verbena.memory.Residency;
import org.verbena.tools.console.Figures;
import org.verbena.trace.Counter;
import org.verbena.trace.PagingCounter;

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
                + ", \"initiator\": " + object(report.seen().initiator(), Counter::label)
                + ", \"target\": " + object(report.seen().target(), Counter::label)
                + ", \"paging\": " + object(report.seen().paging(), PagingCounter::label)
                + ", \"guests\": " + object(report.seen().guests(), PagingCounter::label)
                + ", \"domains\": {" + domains(report.seen().faults()) + "}"
                + ", \"frames_free\": " + report.seen().framesFree()
                + ", \"store\": {\"reads\": " + latency(report.seen().reads()) + ", \"writes\": "
                + latency(report.seen().writes()) + "}, \"residency\": {"
                + residency(report.seen().memories()) + "}}";
    }

    private static <K> String object(Map<K, Long> values, Function<K, String> label) {
        return values.entrySet().stream()
                .map(entry -> "\"" + label.apply(entry.getKey()) + "\": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String domains(Map<Integer, DomainFaults> faults) {
        return faults.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\": {\"stage_one\": "
                        + entry.getValue().stageOne() + ", \"stage_two\": "
                        + entry.getValue().stageTwo() + "}")
                .collect(Collectors.joining(", "));
    }

    private static String latency(Snapshot.Times of) {
        return "{\"transfers\": " + of.count() + ", \"p50_us\": " + number(of.p50Ns() / 1e3, 3) + ", \"p90_us\": "
                + number(of.p90Ns() / 1e3, 3) + ", \"p99_us\": " + number(of.p99Ns() / 1e3, 3) + ", \"max_us\": "
                + number(of.maxNs() / 1e3, 3) + "}";
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
