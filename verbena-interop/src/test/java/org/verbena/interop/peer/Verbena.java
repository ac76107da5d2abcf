package org.verbena.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The {@code verbena} command in a process of its own, in the namespace of the thread that starts it. */
public final class Verbena implements AutoCloseable {
    private static final int LIMIT_SECONDS = 120;

    private final String command;
    private final Process process;
    private final Path said;

    private Verbena(String command, Process process, Path said) {
        this.command = command;
        this.process = process;
        this.said = said;
    }

    /** Begins a command, given as it is typed after {@code verbena}. */
    public static Verbena start(String command) {
        try {
            Path said = Files.createTempFile("verbena", ".out");
            List<String> line = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-ea",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "org.verbena.tools.Main"));
            line.addAll(List.of(command.split(" +")));
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            return new Verbena("verbena " + command, process, said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it has said this. */
    public Verbena says(String part) {
        long deadlineNs = System.nanoTime() + LIMIT_SECONDS * 1_000_000_000L;
        while (!said().contains(part)) {
            if (!process.isAlive() || System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(command + " did not say \"" + part + "\" but: " + said());
            }
            PeerVm.pause();
        }
        return this;
    }

    /** Types a line at its console. */
    public Verbena type(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for its end. */
    public Outcome end() {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(command + " did not end; it said: " + said());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return new Outcome(command, process.exitValue(), said());
    }

    /** All it has said so far. */
    public String said() {
        try {
            return Files.readString(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Files.deleteIfExists(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
