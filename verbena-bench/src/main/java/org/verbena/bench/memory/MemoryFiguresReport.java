package org.verbena.bench.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.verbena.bench.figures.Origin;
import org.verbena.memory.hypervisor.Hypervisor;

/** The figures of memory that is not pinned as a page of Markdown. */
final class MemoryFiguresReport {
    private final List<Row> rows;
    private final Numbers numbers;
    private final Origin origin;
    private final Map<String, String> failures;

    /** @param failures experiments that failed, with the reason of each */
    MemoryFiguresReport(List<Row> rows, Numbers numbers, Origin origin, Map<String, String> failures) {
        this.rows = List.copyOf(rows);
        this.numbers = numbers;
        this.origin = origin;
        this.failures = Map.copyOf(failures);
    }

    /** The lines of the whole page. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        introduce(lines);
        table(lines);
        failures(lines);
        if (has("overcommit ")) {
            overcommit(lines);
        }
        if (has("overcommitted ")) {
            overcommitted(lines);
        }
        if (has("hot keys ")) {
            hotKeys(lines);
        }
        details(lines);
        return lines;
    }

    private boolean has(String prefix) {
        return numbers.keys().stream().anyMatch(key -> key.startsWith(prefix));
    }

    private void introduce(List<String> lines) {
        lines.add("# Figures of memory that is not pinned");
        lines.add("");
        lines.add("What it costs and what it has to reach, made by");
        lines.add("");
        lines.add("    " + origin.command());
        lines.add("");
        lines.add(origin.machineText());
        lines.add(origin.roundsText()
                + "; each compares within one process and takes turns. One thread drives both ends, unless a row says otherwise."
                + origin.otherLoadText());
        lines.add("");
    }

    private void table(List<String> lines) {
        lines.add("| figure | unit | ours | target | reached |");
        lines.add("|---|---|---:|---|---|");
        for (Row row : rows) {
            lines.add("| " + row.figure() + " | " + row.unit() + " | " + value(row.ours(numbers)) + " | " + target(row)
                    + " | " + reached(row) + " |");
        }
    }

    private String target(Row row) {
        return switch (row.limit()) {
            case Row.Limit.AtMost(double most) -> "≤ " + plain(most);
            case Row.Limit.Exactly(double wanted) -> plain(wanted);
            case Row.Limit.AtMostMeasured(String _, String words) ->
                "≤ " + value(row.needed(numbers)) + " (" + words + ")";
            case Row.Limit.None _ -> "";
        };
    }

    private String reached(Row row) {
        if (row.ours(numbers).isEmpty()) {
            return "not measured";
        }
        Boolean reached = row.reached(numbers);
        return reached == null ? "" : reached ? "yes" : "**no**";
    }

    private void failures(List<String> lines) {
        if (!failures.isEmpty()) {
            lines.add("");
            failures.forEach((name, why) -> lines.add("- " + name + " failed: " + why));
        }
    }

    private void overcommit(List<String> lines) {
        lines.add("");
        lines.add("## Overcommit: pages that are there when asked for");
        lines.add("");
        lines.add(
                "Percent of accesses, in virtual time, by the policy of the pager; no policy can beat the bound, which"
                        + " knows the future (Belady).");
        lines.add("The distance is that of the better policy of ours to the bound, in percent of accesses.");
        lines.add("");
        lines.add("![Hit ratio by overcommit](" + OvercommitPlot.FILE + ")");
        lines.add("");
        lines.add("| accesses | memory / machine memory | clock | s3-fifo | least recently used | bound | distance |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|");
        for (Trace trace : Trace.values()) {
            for (double times : Overcommit.TIMES) {
                ToDoubleFunction<String> of =
                        who -> numbers.median(Overcommit.key(trace, times, who)).orElse(Double.NaN);
                double clock = of.applyAsDouble(Hypervisor.Policy.CLOCK.name());
                double fifo = of.applyAsDouble(Hypervisor.Policy.S3_FIFO.name());
                double bound = of.applyAsDouble("bound");
                lines.add(String.format(
                        Locale.ROOT,
                        "| %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f |",
                        trace.label(),
                        plain(times),
                        clock,
                        fifo,
                        of.applyAsDouble("LRU"),
                        bound,
                        bound - Math.max(clock, fifo)));
            }
        }
    }

    private void overcommitted(List<String> lines) {
        lines.add("");
        lines.add("## Overcommit: reads of 4 KiB over UDP loopback, pages on disk");
        lines.add("");
        lines.add("| accesses | memory / machine memory | clock, reads/s | hits % | s3-fifo, reads/s | hits % |");
        lines.add("|---|---:|---:|---:|---:|---:|");
        for (Trace trace : new Trace[] {Trace.ZIPF, Trace.UNIFORM}) {
            for (double times : OvercommitTraffic.TIMES) {
                StringBuilder line = new StringBuilder("| " + trace.label() + " | " + plain(times) + " |");
                for (Hypervisor.Policy policy : Hypervisor.Policy.values()) {
                    for (String what : new String[] {"reads/s", "hits %"}) {
                        String key = OvercommitTraffic.key(Rig.Wire.UDP.label(), trace, times, policy, what);
                        line.append(" ").append(value(numbers.median(key))).append(" |");
                    }
                }
                lines.add(line.toString());
            }
        }
    }

    private void hotKeys(List<String> lines) {
        lines.add("");
        lines.add("## Overcommit: reads of values over UDP loopback, 5 % of the keys get 95 % of the reads");
        lines.add("");
        lines.add(
                "Frequent values lie scattered over the table, as a hash table puts them, or together. *Hot pages* have a frequent"
                        + " value; percent of machine memory. Pages have 4 KiB and are on disk.");
        lines.add("");
        lines.add(
                "| value | memory / machine memory | scattered: hot pages % | reads/s | faults per read | together: hot"
                        + " pages % | reads/s | faults per read |");
        lines.add("|---:|---:|---:|---:|---:|---:|---:|---:|");
        for (int bytes : HotKeyTraffic.VALUE_BYTES) {
            for (int times : HotKeyTraffic.TIMES) {
                StringBuilder line = new StringBuilder("| " + MemoryFiguresPlan.bytes(bytes) + " | " + times + " |");
                for (HotKeys.Layout layout : HotKeys.Layout.values()) {
                    for (String what : new String[] {"hot pages %", "reads/s", "faults per read"}) {
                        String key = HotKeyTraffic.key(bytes, times, layout, what);
                        line.append(" ").append(value(numbers.median(key))).append(" |");
                    }
                }
                lines.add(line.toString());
            }
        }
    }

    private void details(List<String> lines) {
        lines.add("");
        lines.add("## Every number");
        lines.add("");
        lines.add("| number | median | least … most | n |");
        lines.add("|---|---:|---:|---:|");
        for (String key : numbers.keys()) {
            lines.add("| " + key + " | " + value(numbers.median(key)) + " | " + value(numbers.least(key)) + " … "
                    + value(numbers.most(key)) + " | " + numbers.count(key) + " |");
        }
    }

    private static String value(OptionalDouble value) {
        return value.isPresent() ? value(value.getAsDouble()) : "";
    }

    /** With three significant digits. */
    static String value(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : 2;
        String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        return text.equals("-0.00") ? "0.00" : text;
    }

    static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
