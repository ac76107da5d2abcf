package org.verbena.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One run of the command line in the test's process: its output and exit code. */
public final class CommandRun {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

    private CommandRun() {}

    /** Runs to the end. */
    public static CommandRun of(String... arguments) {
        CommandRun run = new CommandRun();
        run.execute(arguments);
        return run;
    }

    /** Begins on a thread of its own. */
    public static CommandRun start(String... arguments) {
        CommandRun run = new CommandRun();
        Thread.ofPlatform().daemon(true).name("command run").start(() -> run.execute(arguments));
        return run;
    }

    private void execute(String... arguments) {
        try {
            exitCode.complete(Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments));
        } catch (RuntimeException | Error e) {
            exitCode.completeExceptionally(e);
        }
    }

    /** Waits for the end. */
    public int exitCode() {
        return exitCode.orTimeout(60, TimeUnit.SECONDS).join();
    }

    public String out() {
        return out.toString();
    }

    public String err() {
        return err.toString();
    }

    /** Waits until standard error has this. */
    public String awaitError(String part) throws InterruptedException {
        for (int i = 0; i < 3000; i++) {
            if (err().contains(part)) {
                return err();
            }
            if (exitCode.isDone()) {
                break;
            }
            Thread.sleep(10);
        }
        throw new AssertionError("expected \"" + part + "\" in: " + err());
    }

    @Override
    public String toString() {
        return "out: " + out + "\nerr: " + err;
    }
}
