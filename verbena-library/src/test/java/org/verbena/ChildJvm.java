package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.verbena.verbs.Adapter;

/** A program of the JDK that runs these tests, in a process of its own, and the text that it printed. */
public record ChildJvm(List<String> command, int exitCode, String output, String errors) {
    private static final int SECONDS_MAX = 180;

    /** Runs a program of the JDK to its end. Skips the test if the JDK does not have it. */
    public static ChildJvm run(Path directory, String program, List<String> arguments)
            throws IOException, InterruptedException {
        Path file = Path.of(System.getProperty("java.home"), "bin", program);
        assumeTrue(Files.isExecutable(file), "the JVM has no " + program + ": it is not a JDK");
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(arguments);
        Path output = directory.resolve("stdout.txt");
        Path errors = directory.resolve("stderr.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS")); // JAVA_TOOL_OPTIONS and the like
        Process process = builder.start();
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            fail(command + " did not end in " + SECONDS_MAX + " s:\n" + Files.readString(output)
                    + Files.readString(errors));
        }
        return new ChildJvm(command, process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    /** The classes of the library, with its module descriptor: as good as its jar, and there before it. */
    static Path library() {
        try {
            return Path.of(Adapter.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The same, if it ended well and reported nothing. */
    public ChildJvm assertQuietSuccess() {
        assertEquals("exit code 0", "exit code " + exitCode + (exitCode == 0 ? "" : ": " + this));
        assertEquals("", errors, () -> "it printed to standard error: " + command);
        return this;
    }
}
