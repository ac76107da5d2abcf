package org.verbena.tools.console;

import picocli.CommandLine.Option;

/** The option of every command that prints its usage. */
public final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    /** Not given. */
    public HelpOption() {}
}
