package org.verbena.bench.figures;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "3",
            description = "Seconds of one measurement. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description = "Measure only figures whose names have this in them, and write no file unless told where.")
    private @Nullable Pattern only;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where the table goes. Default: docs/reference/figures.md of this checkout.")
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
        List<Figure> figures = new Plan(launcher, seconds)
                .figures().stream()
                        .filter(figure ->
                                only == null || only.matcher(figure.name()).find())
                        .toList();
        OtherLoad others = new OtherLoad();
        Samples samples = new Rounds(rounds, this::say).measure(figures);
        var origin =
                new Report.Origin(command(), rounds, LocalDate.now(ZoneOffset.UTC), Machine.here(), others.percent());
        write(new Report(figures, samples, origin).lines());
        return allReached(figures, samples) ? 0 : 1;
    }

    private void requirePositive(String option, int found) {
        if (found < 1) {
            throw new ParameterException(spec.commandLine(), option + " " + found + " found, 1 or more expected");
        }
    }

    private String command() {
        return "./verbena bench figures --rounds " + rounds + " --seconds " + seconds
                + (only == null ? "" : " --only '" + only + "'");
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    private void write(List<String> lines) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        out.flush();
        Path file = output != null || only != null ? output : launcher.resolveSibling("docs/reference/figures.md");
        if (file != null) {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.write(file, lines);
            say("written to " + file);
        }
    }

    private static boolean allReached(List<Figure> figures, Samples samples) {
        return figures.stream()
                .flatMap(figure -> figure.targets().stream().map(target -> Result.of(figure, target, samples)))
                .allMatch(Result::reached);
    }
}
