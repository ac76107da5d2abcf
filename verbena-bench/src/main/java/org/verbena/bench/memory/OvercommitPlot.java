package org.verbena.bench.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.verbena.memory.hypervisor.Hypervisor;

/** The hit ratios as a drawing: a panel for each trace, a line for each policy, the bound above them. */
final class OvercommitPlot {
    /** Its name, beside the page that shows it. */
    static final String FILE = "memory-overcommit.svg";

    private static final int PANEL_WIDTH = 300;
    private static final int PANEL_HEIGHT = 220;
    private static final int MARGIN = 50;
    private static final int COLUMNS = 2;
    private static final int TICKS = 5;

    /** The curves and their style. */
    private record Line(String who, String label, String colour, String dashes) {}

    private static final List<Line> LINES = List.of(
            new Line("bound", "bound", "#555555", "6 3"),
            new Line("LRU", "least recently used", "#bbbbbb", "none"),
            new Line(Hypervisor.Policy.CLOCK.name(), "clock", "#d95f02", "none"),
            new Line(Hypervisor.Policy.S3_FIFO.name(), "s3-fifo", "#1b6ca8", "none"));

    private final Numbers numbers;

    OvercommitPlot(Numbers numbers) {
        this.numbers = numbers;
    }

    /** The lines of the whole file. */
    List<String> lines() {
        int rows = (Trace.values().length + COLUMNS - 1) / COLUMNS;
        int width = COLUMNS * (PANEL_WIDTH + MARGIN) + MARGIN;
        int height = rows * (PANEL_HEIGHT + MARGIN) + 2 * MARGIN;
        List<String> svg = new ArrayList<>();
        svg.add(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
                width, height));
        svg.add(format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height));
        for (Trace trace : Trace.values()) {
            int x = MARGIN + trace.ordinal() % COLUMNS * (PANEL_WIDTH + MARGIN);
            int y = MARGIN + trace.ordinal() / COLUMNS * (PANEL_HEIGHT + MARGIN);
            panel(svg, trace, x, y);
        }
        legend(svg, height - MARGIN);
        svg.add("</svg>");
        return svg;
    }

    private void panel(List<String> svg, Trace trace, int x, int y) {
        svg.add(format("<g transform=\"translate(%d %d)\">", x, y));
        svg.add(format(
                "<text x=\"%d\" y=\"-8\" text-anchor=\"middle\">%s: hits, %%</text>", PANEL_WIDTH / 2, trace.label()));
        for (int tick = 0; tick <= TICKS; tick++) {
            double percent = 100.0 * tick / TICKS;
            svg.add(format(
                    "<line x1=\"0\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#e5e5e5\"/>",
                    y(percent), PANEL_WIDTH, y(percent)));
            svg.add(format("<text x=\"-6\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>", y(percent) + 4, percent));
        }
        for (double times : Overcommit.TIMES) {
            svg.add(format(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s×</text>",
                    x(times), PANEL_HEIGHT + 16, MemoryFiguresReport.plain(times)));
        }
        LINES.forEach(line -> line(svg, trace, line));
        svg.add("</g>");
    }

    private void line(List<String> svg, Trace trace, Line line) {
        StringBuilder points = new StringBuilder();
        for (double times : Overcommit.TIMES) {
            numbers.median(Overcommit.key(trace, times, line.who))
                    .ifPresent(percent -> points.append(format("%.1f,%.1f ", x(times), y(percent))));
        }
        svg.add(format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
                points.toString().strip(), line.colour, line.dashes));
    }

    private static void legend(List<String> svg, int y) {
        int x = MARGIN;
        for (Line line : LINES) {
            svg.add(format(
                    "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
                    x, y, x + 30, y, line.colour, line.dashes));
            svg.add(format("<text x=\"%d\" y=\"%d\">%s</text>", x + 36, y + 4, line.label));
            x += 160;
        }
    }

    /** The axis of overcommit is logarithmic. */
    private static double x(double times) {
        double most = Overcommit.TIMES[Overcommit.TIMES.length - 1];
        return PANEL_WIDTH * Math.log(times) / Math.log(most);
    }

    private static double y(double percent) {
        return PANEL_HEIGHT * (1 - percent / 100);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
