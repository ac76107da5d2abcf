package org.verbena.bench.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.verbena.bench.figures.MeasureOptions;
import org.verbena.bench.figures.MeasurementException;
import org.verbena.bench.figures.OtherLoad;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./verbena bench memory}. */
@Command(
        name = "verbena bench memory",
        sortOptions = false,
        description = {
            "Measure what memory that is not pinned costs, and write the tables and, beside them, the plot.",
            "",
            "Nothing else should run meanwhile. Page files are made in the directory for temporary files, or where",
            "VERBENA_JAVA_OPTS=-Dverbena.bench.store=DIRECTORY says; a file in memory (tmpfs) is no disk."
        })
public final class Main implements Callable<Integer> {
    @Mixin
    private final MeasureOptions options = new MeasureOptions("docs/reference/memory-figures.md", 3, 2);

    private Main() {}

    /** Measures and ends the process: 0 when all was measured and reached, 1 when not, 2 when not understood. */
    public static void main(String... arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.requireValid();
        OtherLoad others = new OtherLoad();
        Numbers numbers = new Numbers();
        Map<String, String> failures = measure(numbers);
        List<Row> rows = MemoryFiguresPlan.rows().stream()
                .filter(row -> !options.isPart() || numbers.count(row.key()) > 0)
                .toList();
        Path page = options.write(new MemoryFiguresReport(rows, numbers, options.origin(others), failures).lines());
        if (page != null) {
            Files.write(page.resolveSibling(OvercommitPlot.FILE), new OvercommitPlot(numbers).lines());
        }
        boolean reached = rows.stream()
                .allMatch(row -> row.limit() instanceof Row.Limit.None || Boolean.TRUE.equals(row.reached(numbers)));
        return reached && failures.isEmpty() ? 0 : 1;
    }

    /** Runs round after round, so that a bad minute of the machine harms one value of each number at most. */
    private Map<String, String> measure(Numbers numbers) throws InterruptedException {
        Map<String, String> failures = new LinkedHashMap<>();
        for (int round = 1; round <= options.rounds(); round++) {
            for (Experiment experiment : MemoryFiguresPlan.experiments(options.seconds())) {
                if (!options.selects(experiment.name()) || (round > 1 && !experiment.repeatable())) {
                    continue;
                }
                options.say(round + "  " + experiment.name());
                try {
                    numbers.addAll(experiment.run());
                } catch (MeasurementException e) {
                    failures.put(experiment.name(), String.valueOf(e.getMessage()));
                    options.say("   failed: " + e.getMessage());
                }
            }
        }
        return failures;
    }
}
