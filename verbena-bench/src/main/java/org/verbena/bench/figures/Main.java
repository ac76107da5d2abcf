package org.verbena.bench.figures;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./verbena bench figures}. */
@Command(
        name = "verbena bench figures",
        sortOptions = false,
        description = {
            "Measure what is promised, ours and peers in turn, and write the table.",
            "",
            "Peers that are not installed are skipped with a reason. Nothing else should run meanwhile."
        })
public final class Main implements Callable<Integer> {
    private static final int FILE_MIB = 1024;
    private static final int RUNS = 20;
    /** How the names of figures begin that have a page of their own, and the page. */
    private static final Map<String, String> PAGES = new TreeMap<>(Map.of(
            IwarpFigures.NAME, "docs/reference/iwarp-figures.md",
            SplitDriverFigures.NAME, "docs/reference/split-driver-figures.md",
            FabricFigures.NAME, "docs/reference/fabric-figures.md"));

    private static final String SPLIT_DRIVER_PLOT = "docs/reference/" + SplitDriverPlot.FILE;

    @Mixin
    private final MeasureOptions options = new MeasureOptions("docs/reference/figures.md", 5, 3);

    @Option(
            names = "--file-mib",
            paramLabel = "N",
            description = "Mebibytes of the file that a first program copies. Default: ${DEFAULT-VALUE}.")
    private int fileMib = FILE_MIB;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = {
                "Runs, each with new processes, of the figures that have to be reached in each run: those of the blocking",
                "ping-pong. Default: ${DEFAULT-VALUE}."
            })
    private int runs = RUNS;

    private Main() {}

    /** Measures and ends the process: 0 when all was measured and reached, 1 when not, 2 when not understood. */
    public static void main(String... arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.requireValid();
        options.requirePositive("--file-mib", fileMib);
        options.requirePositive("--runs", runs);
        FiguresPlan plan = new FiguresPlan(options.launcher(), options.seconds(), (long) fileMib << 20, runs);
        List<Figure> all = plan.figures();
        List<Figure> figures =
                all.stream().filter(figure -> options.selects(figure.name())).toList();
        OtherLoad others = new OtherLoad();
        Samples samples = new Rounds(options.rounds(), options::say).measure(figures);
        write(figures, samples, options.origin(others, ownOptions()), pageOf(figures, all));
        writePlot(new SplitDriverPlot(plan.splitDriver().latencies(), samples));
        return allReached(figures, samples) ? 0 : 1;
    }

    /**
     * A part goes to one page: its own, if the part is all that this page has. Of the whole, the figures of iWARP, of the split driver and of the fabric have
     * pages of their own.
     */
    private void write(List<Figure> figures, Samples samples, Origin origin, @Nullable String page) throws IOException {
        if (options.isPart()) {
            options.write(new FiguresReport(figures, samples, origin).lines(), page);
            return;
        }
        List<Figure> others = figures.stream()
                .filter(figure -> PAGES.keySet().stream().noneMatch(figure.name()::startsWith))
                .toList();
        options.write(new FiguresReport(others, samples, origin).lines());
        for (Map.Entry<String, String> own : PAGES.entrySet()) {
            options.writeTo(own.getValue(), new FiguresReport(named(own.getKey(), figures), samples, origin).lines());
        }
    }

    /** The page that has exactly these figures; null if there is none. */
    private static @Nullable String pageOf(List<Figure> figures, List<Figure> all) {
        for (Map.Entry<String, String> page : PAGES.entrySet()) {
            if (figures.equals(named(page.getKey(), all))) {
                return page.getValue();
            }
        }
        return null;
    }

    private static List<Figure> named(String begin, List<Figure> figures) {
        return figures.stream()
                .filter(figure -> figure.name().startsWith(begin))
                .toList();
    }

    /** The plot is beside the page, if it has something to show. */
    private void writePlot(SplitDriverPlot plot) throws IOException {
        if (!plot.isEmpty() && options.writesFiles()) {
            options.writeTo(SPLIT_DRIVER_PLOT, plot.lines());
        }
    }

    private String ownOptions() {
        return (runs == RUNS ? "" : " --runs " + runs) + (fileMib == FILE_MIB ? "" : " --file-mib " + fileMib);
    }

    private static boolean allReached(List<Figure> figures, Samples samples) {
        return figures.stream()
                .flatMap(figure -> figure.targets().stream().map(target -> Result.of(figure, target, samples)))
                .allMatch(Result::reached);
    }
}
