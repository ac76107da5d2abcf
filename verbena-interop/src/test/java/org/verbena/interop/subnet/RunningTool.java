package org.verbena.interop.subnet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A tool that runs. */
final class RunningTool implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;

    private final String command;
    private final Process process;
    private final Path output;

    RunningTool(String command, Process process, Path output) {
        this.command = command;
        this.process = process;
        this.output = output;
    }

    FinishedTool end() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(command + " did not end:\n" + output());
        }
        return new FinishedTool(command, process.exitValue(), output());
    }

    boolean isRunning() {
        return process.isAlive();
    }

    String output() throws IOException {
        return Files.exists(output) ? Files.readString(output, StandardCharsets.ISO_8859_1) : "";
    }

    /** Waits until something is so. */
    void await(String what, BooleanSupplier condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new AssertionError("waited for " + what + "; " + command + ":\n" + output());
            }
            Thread.sleep(5);
        }
    }

    /** Waits until a file has this text. */
    void awaitText(Path file, String text) throws IOException, InterruptedException {
        await(text + " in " + file, () -> count(file, text) > 0);
    }

    static int count(Path file, String text) {
        try {
            return Files.exists(file)
                    ? Files.readString(file, StandardCharsets.ISO_8859_1).split(text, -1).length - 1
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** Ends it as its user would; a tool that does not end then is killed. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
