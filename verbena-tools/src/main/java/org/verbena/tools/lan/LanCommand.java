package org.verbena.tools.lan;

import org.verbena.tools.console.HelpOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena lan}: has two commands of its own. */
@Command(
        name = "lan",
        description = {"A network interface in another node: an I/O unit has it, hosts use it over RDMA.", ""},
        synopsisSubcommandLabel = "unit|host",
        subcommands = {LanUnitCommand.class, LanHostCommand.class})
public final class LanCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "No command given; expected unit or host");
    }
}
