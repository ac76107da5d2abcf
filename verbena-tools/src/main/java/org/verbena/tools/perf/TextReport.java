package org.verbena.tools.perf;

import java.util.ArrayList;
import java.util.List;
import org.verbena.tools.console.Figures;

/** A report for people. */
final class TextReport {
    private TextReport() {}

    static List<String> of(PerfReport report, String how) {
        List<String> lines = new ArrayList<>();
        lines.add(report.operation() + " " + report.mode() + ", " + Figures.size(report.size()) + " messages over "
                + report.link());
        lines.add("  how         " + how);
        lines.add(Figures.format("  messages    %,d in %.3f s", report.messages(), report.seconds()));
        lines.add("  rate        " + Figures.rate(report.messagesPerSecond()));
        if (report.mode() == PerfMode.BANDWIDTH) {
            lines.add("  bandwidth   " + Figures.bandwidth(report.bytesPerSecond()));
            lines.add("  completion  " + times(report.timesUs()) + "  (post to completion, under this load)");
        } else {
            lines.add("  latency     " + times(report.timesUs()) + "  (half a round trip)");
            lines.add("  round trip  " + times(report.timesUs().times(2)));
        }
        lines.add(Figures.format("  allocated   %.3f B per message", report.allocatedBytesPerMessage()));
        lines.add("  errors      " + report.errors() + (report.firstError() == null ? "" : ": " + report.firstError()));
        return lines;
    }

    private static String times(PerfReport.Times t) {
        return Figures.format(
                "min %.2f  p50 %.2f  p99 %.2f  p99.9 %.2f  max %.2f µs", t.min(), t.p50(), t.p99(), t.p999(), t.max());
    }
}
