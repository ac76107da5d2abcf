package org.verbena.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * A command that was understood and then failed. Trouble with the world (files, sockets) is one line; anything else is
 * ours and keeps its stack trace. Exit code 1.
 */
final class FailureReport implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult arguments) {
        PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().root().name() + ": " + sentence(failure));
        if (!ofTheWorld(failure)) {
            failure.printStackTrace(err);
        }
        return ExitCode.SOFTWARE;
    }

    private static boolean ofTheWorld(Exception failure) {
        return failure instanceof IOException || failure instanceof UncheckedIOException;
    }

    /** Messages of file-system exceptions are often a bare path: their class says what happened to it. */
    private static String sentence(Exception failure) {
        Throwable cause = failure instanceof UncheckedIOException unchecked && unchecked.getCause() != null
                ? unchecked.getCause()
                : failure;
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }
}
