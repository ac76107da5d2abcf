package org.verbena.bench.figures;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a command that measures in rounds and writes a page. One thread. */
public final class MeasureOptions {
    private final String page;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Seconds of one measurement. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description = {
                "Measure only what has this in its name. A part that is a page of its own, such as fabric, is written to that page;",
                "any other part to no file unless told where."
            })
    private @Nullable Pattern only;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "File that the page is written to. Default: the page in docs/reference of this checkout.")
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

    /**
     * The options with their defaults.
     *
     * @param page the page in the checkout, beside the launcher
     */
    public MeasureOptions(String page, int rounds, int seconds) {
        this.page = page;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /**
     * Checks the numbers.
     *
     * @throws ParameterException if one is not positive
     */
    public void requireValid() {
        requirePositive("--rounds", rounds);
        requirePositive("--seconds", seconds);
    }

    /**
     * Checks the number of an option.
     *
     * @throws ParameterException if it is not positive
     */
    void requirePositive(String option, int found) {
        if (found < 1) {
            throw new ParameterException(spec.commandLine(), option + " " + found + " found, 1 or more expected");
        }
    }

    /** Rounds in which all measurements take turns. */
    public int rounds() {
        return rounds;
    }

    /** Seconds of one measurement. */
    public int seconds() {
        return seconds;
    }

    /** The launcher that started this. */
    public Path launcher() {
        return launcher;
    }

    /** Whether only a part is measured. */
    public boolean isPart() {
        return only != null;
    }

    /** Whether pages are written to files: the whole is, a part only if a file is named. */
    boolean writesFiles() {
        return output != null || !isPart();
    }

    /** Whether a measurement of this name belongs to the part that is measured. */
    public boolean selects(String name) {
        return only == null || only.matcher(name).find();
    }

    /** How the numbers were made, today. */
    public Origin origin(OtherLoad others) {
        return origin(others, "");
    }

    /**
     * How the numbers were made, today.
     *
     * @param more options of the command's own that differ from their defaults; empty, or begins with a space
     */
    Origin origin(OtherLoad others, String more) {
        String command = "./" + spec.qualifiedName() + " --rounds " + rounds + " --seconds " + seconds + more
                + (only == null ? "" : " --only '" + only + "'");
        return new Origin(command, rounds, LocalDate.now(ZoneOffset.UTC), Machine.here(), others.percent());
    }

    /** Prints a line on progress. */
    public void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    /**
     * Prints a page and writes it to its file, unless only a part is measured and no file is named.
     *
     * @return the file, or null if nothing was written
     */
    public @Nullable Path write(List<String> lines) throws IOException {
        return write(lines, isPart() ? null : page);
    }

    /**
     * Prints a page and writes it to its file, if there is one.
     *
     * @param own the page in the checkout, beside the launcher; null: only {@code --output} names a file
     */
    @Nullable
    Path write(List<String> lines, @Nullable String own) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        out.flush();
        Path file = output != null || own == null ? output : launcher.resolveSibling(own);
        if (file != null) {
            write(file, lines);
        }
        return file;
    }

    /**
     * Writes another page to its file, beside the one that {@code --output} names.
     *
     * @param other the page in the checkout, beside the launcher
     */
    void writeTo(String other, List<String> lines) throws IOException {
        Path file = launcher.resolveSibling(other);
        write(output == null ? file : output.resolveSibling(file.getFileName()), lines);
    }

    private void write(Path file, List<String> lines) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Files.write(file, lines);
        say("written to " + file);
    }
}
