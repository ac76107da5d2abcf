package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.verbena.services.push.TransferModel;

/** The latencies of the transfer models as a drawing: a panel for each link, a group of bars for each size. A bar ends at the median, the line above it at the 99th percentile. */
final class SplitDriverPlot {
    /** Its name, beside the page that shows it. */
    static final String FILE = "split-driver-latency.svg";

    private static final int PANEL_WIDTH = 300;
    private static final int PANEL_HEIGHT = 220;
    private static final int MARGIN = 55;
    private static final int BAR_WIDTH = 30;
    private static final int TICKS = 5;
    private static final List<String> COLOURS = List.of("#1b6ca8", "#d95f02", "#999999");

    private final List<SplitDriverFigures.Latency> latencies;
    private final Samples samples;

    SplitDriverPlot(List<SplitDriverFigures.Latency> latencies, Samples samples) {
        this.latencies = latencies;
        this.samples = samples;
    }

    /** Whether nothing was measured. */
    boolean isEmpty() {
        return latencies.stream()
                .flatMap(latency -> latency.subjects().stream())
                .allMatch(subject -> samples.count(subject) == 0);
    }

    /** The lines of the whole file. */
    List<String> lines() {
        FabricLink.Kind[] kinds = FabricLink.Kind.values();
        int width = kinds.length * (PANEL_WIDTH + MARGIN) + MARGIN;
        int height = PANEL_HEIGHT + 3 * MARGIN;
        List<String> svg = new ArrayList<>();
        svg.add(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
                width, height));
        svg.add(format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height));
        for (FabricLink.Kind kind : kinds) {
            panel(svg, kind, MARGIN + kind.ordinal() * (PANEL_WIDTH + MARGIN));
        }
        legend(svg, height - MARGIN / 2);
        svg.add("</svg>");
        return svg;
    }

    private void panel(List<String> svg, FabricLink.Kind kind, int x) {
        double most = axisEnd(kind);
        svg.add(format("<g transform=\"translate(%d %d)\">", x, MARGIN));
        svg.add(format(
                "<text x=\"%d\" y=\"-12\" text-anchor=\"middle\">%s: half a round trip, µs</text>",
                PANEL_WIDTH / 2, kind.label()));
        for (int tick = 0; tick <= TICKS; tick++) {
            double value = most * tick / TICKS;
            svg.add(format(
                    "<line x1=\"0\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#e5e5e5\"/>",
                    y(value, most), PANEL_WIDTH, y(value, most)));
            svg.add(format(
                    "<text x=\"-6\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    y(value, most) + 4, FiguresReport.value(value)));
        }
        for (int size = 0; size < TransferLatency.SIZES.length; size++) {
            group(svg, kind, size, most);
        }
        svg.add("</g>");
    }

    private void group(List<String> svg, FabricLink.Kind kind, int size, double most) {
        int bytes = TransferLatency.SIZES[size];
        int groupWidth = PANEL_WIDTH / TransferLatency.SIZES.length;
        int middle = size * groupWidth + groupWidth / 2;
        svg.add(format(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%,d B</text>", middle, PANEL_HEIGHT + 16, bytes));
        int models = TransferModel.values().length;
        for (int model = 0; model < models; model++) {
            int x = middle + (int) ((model - models / 2.0) * (BAR_WIDTH + 6)) + 3;
            OptionalDouble median = value(kind, bytes, "p50", model);
            OptionalDouble high = value(kind, bytes, "p99", model);
            if (median.isPresent() && high.isPresent()) {
                bar(svg, x, median.getAsDouble(), high.getAsDouble(), most, COLOURS.get(model));
            }
        }
    }

    private static void bar(List<String> svg, int x, double median, double high, double most, String colour) {
        svg.add(format(
                "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"/>",
                x, y(median, most), BAR_WIDTH, PANEL_HEIGHT - y(median, most), colour));
        int middle = x + BAR_WIDTH / 2;
        svg.add(format(
                "<path d=\"M%d %.1f V%.1f M%d %.1f H%d\" stroke=\"%s\" fill=\"none\"/>",
                middle, y(median, most), y(high, most), x + 8, y(high, most), x + BAR_WIDTH - 8, colour));
        svg.add(format(
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                middle, y(high, most) - 4, FiguresReport.value(median)));
    }

    private OptionalDouble value(FabricLink.Kind kind, int bytes, String percentile, int model) {
        return latencies.stream()
                .filter(one -> one.kind() == kind
                        && one.bytes() == bytes
                        && one.percentile().equals(percentile))
                .findFirst()
                .map(one -> samples.median(one.subjects().get(model)))
                .orElse(OptionalDouble.empty());
    }

    /** A round number that is not below any value of the panel. */
    private double axisEnd(FabricLink.Kind kind) {
        double most = latencies.stream()
                .filter(one -> one.kind() == kind)
                .flatMap(one -> one.subjects().stream())
                .mapToDouble(subject -> samples.median(subject).orElse(0))
                .max()
                .orElse(1);
        double step = Math.pow(10, Math.floor(Math.log10(Math.max(most, 0.01))));
        return Math.ceil(most / step) * step;
    }

    private static void legend(List<String> svg, int y) {
        int x = MARGIN;
        for (TransferModel model : TransferModel.values()) {
            svg.add(format(
                    "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>",
                    x, y - 11, COLOURS.get(model.ordinal())));
            svg.add(format("<text x=\"%d\" y=\"%d\">%s</text>", x + 20, y, SplitDriverFigures.label(model)));
            x += 110;
        }
        svg.add(format("<text x=\"%d\" y=\"%d\">bar and number: median; line: 99th percentile</text>", x, y));
    }

    private static double y(double value, double most) {
        return PANEL_HEIGHT * (1 - value / most);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
