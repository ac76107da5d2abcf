package org.verbena.bench.figures;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program with its arguments, run as a process. The process has ended when {@link #output} or {@link Running#close}
 * returns.
 */
public record Program(List<String> arguments, Map<String, String> environment, long limitSeconds) {
    private static final long LIMIT_SECONDS = 90;
    private static final int OUTPUT_SHOWN = 400;

    public Program {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    Program(List<String> arguments, Map<String, String> environment) {
        this(arguments, environment, LIMIT_SECONDS);
    }

    public static Program of(String... arguments) {
        return new Program(List.of(arguments), Map.of());
    }

    Program with(Map<String, String> variables) {
        return new Program(arguments, variables, limitSeconds);
    }

    /** The same program with another time limit. */
    public Program within(long seconds) {
        return new Program(arguments, environment, seconds);
    }

    /** Whether a program of this name can be started. */
    static boolean installed(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
    }

    /** Runs it to its end; its standard output. A failure or an overlong run is an exception. */
    public String output() throws InterruptedException {
        try (Running running = start()) {
            return running.output();
        }
    }

    /** Starts it; its output is kept in a file that is deleted with it. */
    Running start() {
        try {
            Path out = Files.createTempFile("verbena-figures", ".out");
            Path err = Files.createTempFile("verbena-figures", ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(arguments).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().putAll(environment);
            return new Running(this, builder.start(), out, err);
        } catch (IOException e) {
            throw new MeasurementException("cannot start " + this + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return String.join(" ", arguments);
    }

    /** A program that was started. */
    static final class Running implements AutoCloseable {
        private final Program program;
        private final Process process;
        private final Path out;
        private final Path err;

        private Running(Program program, Process process, Path out, Path err) {
            this.program = program;
            this.process = process;
            this.out = out;
            this.err = err;
        }

        boolean isAlive() {
            return process.isAlive();
        }

        /** Waits for its end. */
        String output() throws InterruptedException {
            if (!process.waitFor(program.limitSeconds, TimeUnit.SECONDS)) {
                throw new MeasurementException("not done after " + program.limitSeconds + " s: " + program);
            }
            if (process.exitValue() != 0) {
                throw new MeasurementException("exit code " + process.exitValue() + " of " + program + ": "
                        + shortened(read(err) + read(out)));
            }
            return read(out);
        }

        private static String read(Path file) {
            try {
                return Files.readString(file, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new MeasurementException("cannot read " + file + ": " + e.getMessage(), e);
            }
        }

        static String shortened(String text) {
            String line = text.strip().replaceAll("\\s+", " ");
            return line.length() <= OUTPUT_SHOWN ? line : line.substring(0, OUTPUT_SHOWN) + " …";
        }

        /** Ends it if it runs. */
        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().join();
            try {
                Files.deleteIfExists(out);
                Files.deleteIfExists(err);
            } catch (IOException e) {
                throw new MeasurementException("cannot delete what " + program + " wrote: " + e.getMessage(), e);
            }
        }
    }
}
