package org.verbena.tools;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** A command line that is not understood: names the value found, the value expected and the help to read. Exit code 2. */
final class MisuseReport implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException misuse, String[] arguments) {
        CommandLine command = misuse.getCommandLine();
        CommandSpec spec = command.getCommandSpec();
        PrintWriter err = command.getErr();
        err.println(spec.root().name() + ": " + misuse.getMessage());
        if (misuse instanceof UnmatchedArgumentException
                || !command.getSubcommands().isEmpty()) {
            err.println("Expected: " + String.join(", ", expected(spec)));
        }
        err.println("Try '" + spec.qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    /** Commands first, then options, each under its longest name. */
    private static List<String> expected(CommandSpec spec) {
        List<String> names = new ArrayList<>();
        spec.subcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .forEach(names::add);
        spec.options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::longestName)
                .forEach(names::add);
        return names;
    }
}
