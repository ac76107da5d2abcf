package org.verbena.tools;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;

/** Runs the command line. Exit codes: 0 done, 1 failed while running, 2 not understood. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String... arguments) {
        PrintWriter out = new PrintWriter(System.out, true, charset("stdout.encoding"));
        PrintWriter err = new PrintWriter(System.err, true, charset("stderr.encoding"));
        System.exit(run(out, err, arguments));
    }

    /** Runs one command with the given outputs, both flushed on return, and answers its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        int exitCode = commandLine(new VerbenaCommand()).setOut(out).setErr(err).execute(arguments);
        out.flush();
        err.flush();
        return exitCode;
    }

    /** The conventions every command shares: how misuse and failure are told. */
    static CommandLine commandLine(Object root) {
        return new CommandLine(root)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOverwrittenOptionsAllowed(false)
                .setParameterExceptionHandler(new MisuseReport())
                .setExecutionExceptionHandler(new FailureReport());
    }

    private static Charset charset(String property) {
        return Charset.forName(
                System.getProperty(property, Charset.defaultCharset().name()));
    }
}
