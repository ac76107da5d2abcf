package org.verbena.tools.fabric;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.topology.Drawing;
import org.verbena.fabric.topology.NetFile;
import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyException;
import org.verbena.tools.console.HelpOption;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbena fabric}: lists and draws the topology of a net file, generates one, or serves it to management tools. */
@Command(
        name = "fabric",
        description = {
            "List ports and cables of a net file of ibsim with states, local identifiers and packets;",
            "generate one, or serve it to management tools.",
            ""
        },
        sortOptions = false,
        footer = {
            "",
            "Shapes, each with its numbers:",
            "  example                             hosts, RAID, I/O chassis, switches and a router",
            "  two-switches:HOSTS,CABLES           two switches, each with hosts, and cables between them",
            "  ring:SWITCHES,HOSTS                 hosts at each switch",
            "  mesh:XxY,HOSTS  torus:XxYxZ,HOSTS   one to eight dimensions, hosts at each switch",
            "  fat-tree2:LEAVES,SPINES,HOSTS,CABLES   two levels; hosts at a leaf, cables from leaf to spine",
            "  fat-tree:PORTS[,PODS]               three levels of switches with these ports",
            "  dragonfly:GROUPS,SWITCHES,HOSTS,GLOBAL   switches of a group; hosts and global cables of a switch",
            "  irregular:SEED,SWITCHES,PORTS,HOSTS,MORE-CABLES   drawn by chance",
            "",
            "Examples:",
            "  verbena fabric two.net                            list as it is without a manager",
            "  verbena fabric two.net --manage                   list as a manager leaves it",
            "  verbena fabric two.net --draw two.svg             list and draw",
            "  verbena fabric --generate fat-tree:16 > tree.net  a net file of 1,024 hosts",
            "  verbena fabric two.net --ibsim 7070               serve it to OpenSM and infiniband-diags",
            "",
            "Exit codes: 0 done, 1 failure, 2 not understood."
        })
public final class FabricCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NETFILE", arity = "0..1", description = "A net file, or saved output of ibnetdiscover.")
    private @Nullable Path file;

    @Option(
            names = "--generate",
            paramLabel = "SHAPE",
            description = "Print a net file of this shape in place of a listing.")
    private @Nullable String shape;

    @Option(names = "--manage", description = "Bring the fabric up by the own subnet manager before it is listed.")
    private boolean managed;

    @Option(names = "--draw", paramLabel = "FILE.svg", description = "Draw the topology.")
    private @Nullable Path drawing;

    @Option(
            names = "--ibsim",
            paramLabel = "PORT",
            description =
                    "Serve the fabric to OpenSM and other tools at ibsim's protocol, on 127.0.0.1 at UDP ports PORT to PORT + 10,"
                            + " until interrupted. 0: the first free ports from 7070 on. Standard input is a console; help shows its words.")
    private @Nullable Integer port;

    @Option(names = "--traffic", description = "With --ibsim: hosts exchange data when their ports are active.")
    private boolean traffic;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    private final StopSign stop = new StopSign();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (traffic && port == null) {
            throw new ParameterException(spec.commandLine(), "--traffic without --ibsim given");
        }
        if (port != null) {
            return serve(port, out);
        }
        Topology topology;
        if (file != null && shape == null) {
            topology = list(readFile(file), out);
        } else if (shape != null && file == null) {
            topology = generate(shape);
            out.print(NetFile.write(topology));
            out.flush();
        } else {
            throw new ParameterException(
                    spec.commandLine(),
                    (file == null ? "Nothing" : "NETFILE and --generate") + " given; expected NETFILE or --generate");
        }
        if (drawing != null) {
            Files.writeString(drawing, Drawing.svg(topology));
        }
        return 0;
    }

    /** What the commands of the file say goes to the other output: the listing is for other programs too. */
    private Topology list(NetFile net, PrintWriter out) {
        try (Fabric fabric = Fabric.of(net.topology())) {
            new FabricConsole(
                            fabric,
                            FabricConsole.Reports.NONE,
                            spec.commandLine().getErr())
                    .follow(net);
            if (managed) {
                OwnSweep.bringUp(fabric);
            }
            new LinkListing(fabric).print(out);
            return net.topology();
        }
    }

    private int serve(int at, PrintWriter out) throws InterruptedException {
        if (file == null || shape != null || drawing != null) {
            throw new ParameterException(spec.commandLine(), "--ibsim expects NETFILE, without --generate and --draw");
        }
        BufferedReader console = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Interruption _ = new Interruption(stop)) {
            new FabricServing(out, stop).run(readFile(file), at, traffic, console);
            return 0;
        }
    }

    private static NetFile readFile(Path from) {
        try {
            return NetFile.read(from);
        } catch (TopologyException e) {
            throw new ToolException(String.valueOf(e.getMessage()), e);
        }
    }

    private Topology generate(String text) {
        try {
            return ShapeText.topology(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
