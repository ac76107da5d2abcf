package org.verbena.tools.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.verbena.tools.console.Figures;
import org.verbena.trace.Counter;
import org.verbena.trace.HistogramValues;

/** A report for people. */
final class MemoryText {
    private final MemoryReport report;
    private final List<String> lines = new ArrayList<>();

    private MemoryText(MemoryReport report) {
        this.report = report;
    }

    /** @param columns how wide lines may be */
    static List<String> of(MemoryReport report, int columns) {
        MemoryText text = new MemoryText(report);
        text.summary();
        text.adapters();
        text.paging();
        text.store();
        text.residency(columns);
        return text.lines;
    }

    private void summary() {
        MemoryPlan plan = report.plan();
        MemoryReport.Outcome outcome = report.outcome();
        lines.add(plan.operation() + ", " + plan.pattern() + ": " + Figures.size(plan.registered()) + " registered in "
                + Figures.size(plan.memory()) + " of machine memory, " + Figures.size(plan.size()) + " messages, "
                + plan.queuePairs() + " queue pairs, " + (plan.guests() == 0 ? "" : plan.guests() + " guests, ")
                + plan.policy().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        row("store", report.seen().storeName());
        row(
                "operations",
                Figures.format(
                                "%,d in %.3f s, %,.0f/s: ",
                                report.operations(), outcome.seconds(), report.operationsPerSecond())
                        + kinds(outcome.loaded()));
        Histogram times = outcome.loaded().timesNs();
        row(
                "completion",
                Figures.format(
                        "p50 %.1f  p99 %.1f  max %.1f µs  (post to completion, under this load)",
                        times.getValueAtPercentile(50) / 1e3,
                        times.getValueAtPercentile(99) / 1e3,
                        times.getMaxValue() / 1e3));
        row("faults", Figures.format("%,d: ", report.faults()) + FaultKinds.text(report::count));
        row(
                "resumed",
                Figures.format(
                        "by ACK %,d  by timer %,d  by ACK timeout %,d",
                        report.count(Counter.RESUMED_BY_ACK),
                        report.count(Counter.RESUMED_BY_TIMER),
                        report.count(Counter.RESUMED_BY_ACK_TIMEOUT)));
        row(
                "read back",
                Figures.format("%,d of %,d messages' places", outcome.readBack(), outcome.cells())
                        + (report.readAllBack() ? "" : "; the others are not checked"));
        row("errors", report.errors() + (report.firstError() == null ? "" : ": " + report.firstError()));
    }

    private static String kinds(MemoryTally tally) {
        List<String> kinds = new ArrayList<>();
        for (MemoryOperation operation : MemoryOperation.values()) {
            if (tally.operations(operation) > 0) {
                kinds.add(Figures.format("%s %,d", operation, tally.operations(operation)));
            }
        }
        return String.join("  ", kinds);
    }

    /** Leaves out the counters that are zero at both adapters, but for the one that should be zero. */
    private void adapters() {
        title("adapters, under load", "initiator", "target");
        Map<String, Long> target = report.seen().adapter(Snapshot.TARGET);
        report.seen().adapter(Snapshot.INITIATOR).forEach((name, value) -> {
            long other = target.getOrDefault(name, 0L);
            if (value + other > 0 || name.equals(Counter.RESUMED_BY_ACK_TIMEOUT.label())) {
                cells(name, value, other);
            }
        });
    }

    private void paging() {
        title("paging, under load", "host", "guests");
        Map<String, Long> guests = report.seen().guestPagers();
        report.seen().hostPager().forEach((name, value) -> cells(name, value, guests.getOrDefault(name, 0L)));
        title("machine memory", "");
        report.seen().metrics().of("memory").totals().forEach(this::cells);
        List<String> domains = report.seen().domains();
        title("domains, under load", domains.stream().map(MemoryText::domain).toArray(String[]::new));
        report.seen()
                .domain(Snapshot.HOST)
                .keySet()
                .forEach(name -> cells(
                        name,
                        domains.stream()
                                .mapToLong(id -> report.seen().domain(id).getOrDefault(name, 0L))
                                .toArray()));
    }

    private static String domain(String id) {
        return id.equals(Snapshot.HOST) ? "host" : "guest " + id;
    }

    private void store() {
        title("store, filling included", "reads", "writes");
        HistogramValues reads = report.seen().reads();
        HistogramValues writes = report.seen().writes();
        cells("transfers", reads.count(), writes.count());
        cells("p50_us", reads.percentile(0.5) / 1000, writes.percentile(0.5) / 1000);
        cells("p99_us", reads.percentile(0.99) / 1000, writes.percentile(0.99) / 1000);
        cells("max_us", reads.max() / 1000, writes.max() / 1000);
    }

    private void residency(int columns) {
        lines.add("");
        lines.add("residency after the load   " + ResidencyLine.LEGEND);
        report.seen().memories().forEach((name, residency) -> {
            lines.add("  " + name + ": " + ResidencyLine.counts(residency));
            lines.add("  " + ResidencyLine.of(residency, columns - 2));
        });
    }

    private void row(String name, String value) {
        lines.add(Figures.format("  %-12s", name) + value);
    }

    private void title(String name, String... columns) {
        lines.add("");
        StringBuilder line = new StringBuilder(Figures.format("%-34s", name));
        for (String column : columns) {
            line.append(Figures.format("%16s", column));
        }
        lines.add(line.toString());
    }

    private void cells(String name, long... values) {
        StringBuilder line = new StringBuilder(Figures.format("  %-32s", name));
        for (long value : values) {
            line.append(Figures.format("%,16d", value));
        }
        lines.add(line.toString());
    }
}
