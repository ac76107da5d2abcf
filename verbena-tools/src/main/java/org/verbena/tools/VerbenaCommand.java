package org.verbena.tools;

import org.verbena.tools.demo.DemoCommand;
import org.verbena.tools.fabric.FabricCommand;
import org.verbena.tools.lan.LanCommand;
import org.verbena.tools.memory.MemoryCommand;
import org.verbena.tools.perf.PerfCommand;
import org.verbena.tools.pingpong.PingpongCommand;
import org.verbena.tools.rping.RpingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command tree: every command of {@code verbena} is listed here, in the order the help shows them. */
@Command(
        name = "verbena",
        description = "RDMA in software, for the JVM.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            DemoCommand.class,
            PerfCommand.class,
            MemoryCommand.class,
            RegistrationsCommand.class,
            PingpongCommand.class,
            RpingCommand.class,
            LanCommand.class,
            FabricCommand.class,
            DevinfoCommand.class,
            VersionCommand.class,
            HelpCommand.class
        },
        footer = {
            "",
            "In a checkout, ./verbena also knows:",
            "  test     Build everything, run all tests; further arguments go to Maven.",
            "  interop  Run the tests against a Linux kernel in a virtual machine.",
            "  bench    Run the JMH benchmarks; further arguments go to JMH.",
            "",
            "Exit codes: 0 done, 1 failed while running, 2 not understood."
        })
final class VerbenaCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "No command given");
    }
}
