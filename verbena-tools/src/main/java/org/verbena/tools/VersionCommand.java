package org.verbena.tools;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code verbena version}: the version, the Java and the system. */
@Command(
        name = "version",
        description = "Show the version, and the Java and system it runs on.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class VersionCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (String line : new Version().getVersion()) {
            out.println(line);
        }
    }
}
