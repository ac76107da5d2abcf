package org.verbena.bench.memory;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.verbena.bench.figures.Machine;
import org.verbena.bench.figures.MeasurementException;
import org.verbena.bench.figures.OtherLoad;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./verbena bench memory}. */
@Command(
        name = "verbena bench memory",
        sortOptions = false,
        description = {
            "Measure what memory that is not pinned costs, and write the tables and the plot.",
            "",
            "Nothing else should run meanwhile. Page files are made in the directory for temporary files, or where",
            "VERBENA_JAVA_OPTS=-Dverbena.bench.store=DIRECTORY says; a file in memory (tmpfs) is no disk."
        })
public final class Main implements Callable<Integer> {
    private static final String PAGE = "docs/reference/memory-figures.md";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "2",
            description = "Seconds of one measurement. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description = "Run only experiments whose names have this in them, and write no file unless told where.")
    private @Nullable Pattern only;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where the tables go, and the plot beside them. Default: " + PAGE + " of this checkout.")
    private @Nullable Path output;

    @Option(
            names = "--launcher",
            paramLabel = "FILE",
            required = true,
            hidden = true,
            description = "The launcher that started this.")
    private Path launcher = Path.of("verbena");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    private Main() {}

    /** Measures and ends the process: 0 when all was measured and reached, 1 when not, 2 when not understood. */
    public static void main(String... arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        requirePositive("--rounds", rounds);
        requirePositive("--seconds", seconds);
        OtherLoad others = new OtherLoad();
        Numbers numbers = new Numbers();
        Map<String, String> failures = measure(numbers);
        List<Row> rows = Plan.rows().stream()
                .filter(row -> only == null || numbers.count(row.key()) > 0)
                .toList();
        var origin = new Report.Origin(
                command(), rounds, LocalDate.now(ZoneOffset.UTC), Machine.here(), others.percent(), failures);
        write(new Report(rows, numbers, origin).lines(), new OvercommitPlot(numbers).lines());
        boolean reached = rows.stream()
                .allMatch(row -> row.limit() instanceof Row.Limit.None || Boolean.TRUE.equals(row.reached(numbers)));
        return reached && failures.isEmpty() ? 0 : 1;
    }

    /** Round after round, so that a bad minute of the machine harms one value of each number at most. */
    private Map<String, String> measure(Numbers numbers) throws InterruptedException {
        Map<String, String> failures = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (Experiment experiment : Plan.experiments(seconds)) {
                boolean wanted = only == null || only.matcher(experiment.name()).find();
                if (!wanted || (round > 1 && !experiment.repeatable())) {
                    continue;
                }
                say(round + "  " + experiment.name());
                try {
                    numbers.addAll(experiment.run());
                } catch (MeasurementException e) {
                    failures.put(experiment.name(), String.valueOf(e.getMessage()));
                    say("   failed: " + e.getMessage());
                }
            }
        }
        return failures;
    }

    private void requirePositive(String option, int found) {
        if (found < 1) {
            throw new ParameterException(spec.commandLine(), option + " " + found + " found, 1 or more expected");
        }
    }

    private String command() {
        return "./verbena bench memory --rounds " + rounds + " --seconds " + seconds
                + (only == null ? "" : " --only '" + only + "'");
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    private void write(List<String> page, List<String> plot) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        page.forEach(out::println);
        out.flush();
        Path file = output != null || only != null ? output : launcher.resolveSibling(PAGE);
        if (file != null) {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.write(file, page);
            Files.write(file.resolveSibling(OvercommitPlot.FILE), plot);
            say("written to " + file);
        }
    }
}
