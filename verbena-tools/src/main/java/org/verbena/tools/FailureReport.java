package org.verbena.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import org.verbena.connect.ConnectFailedException;
import org.verbena.link.LinkException;
import org.verbena.tools.console.ToolException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * A command that was understood and then failed. A failure of the environment (files, sockets, links) is one line; any other is
 * a bug and keeps its stack trace. Exit code 1.
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
        return failure instanceof IOException || failure instanceof UncheckedIOException || tellsAll(failure);
    }

    /** Whether the message alone names the value found and the value expected. */
    private static boolean tellsAll(Exception failure) {
        return failure instanceof ToolException
                || failure instanceof LinkException
                || failure instanceof ConnectFailedException;
    }

    /** Messages of file-system exceptions are often only a path: the class of the exception has the reason. */
    private static String sentence(Exception failure) {
        if (tellsAll(failure)) {
            return String.valueOf(failure.getMessage());
        }
        Throwable cause = failure instanceof UncheckedIOException unchecked && unchecked.getCause() != null
                ? unchecked.getCause()
                : failure;
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }
}
