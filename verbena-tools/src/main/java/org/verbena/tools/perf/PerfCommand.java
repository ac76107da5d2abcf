package org.verbena.tools.perf;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.LiveLine;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.Terminal;
import org.verbena.tools.console.ToolException;
import org.verbena.tools.link.IwarpSetting;
import org.verbena.tools.link.LinkOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbena perf}: chooses the run that the options ask for, shows its progress, prints the result. */
@Command(
        name = "perf",
        description = {
            "Measure the bandwidth or latency of one operation between two ends.",
            "",
            "Without HOST it serves: it waits for a client, does its part of one measurement and ends. With HOST it is"
                    + " that client. With --loopback both ends are in this process.",
            ""
        },
        customSynopsis = "verbena perf OP [HOST] [OPTION]...",
        sortOptions = false,
        footer = {
            "",
            "Latency is half a round trip, as perftest and UCX report it; the whole one is shown as well. Sends and"
                    + " writes are answered by one of their kind (a write is noticed by its last byte); reads and"
                    + " atomics are a round trip by themselves, of which half is reported. With --bw, times are from"
                    + " post to completion with all of --depth under way.",
            "MB are 1,000,000 bytes; in sizes given, K, M and G are powers of 1024.",
            "The server takes the plan of the client; options given to both must be the same.",
            "",
            "Examples:",
            "  verbena perf write --loopback",
            "  verbena perf send --lat --size 64 --link inprocess",
            "  verbena perf read                               serves; then, somewhere else:",
            "  verbena perf read server.example --seconds 10",
            "",
            "Exit codes: 0 measured without an error, 1 errors or failure, 2 not understood."
        })
public final class PerfCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "OP", description = "One of ${COMPLETION-CANDIDATES}.")
    private PerfOperation operation = PerfOperation.SEND;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "Where a server waits.")
    private @Nullable String host;

    @Option(names = "--loopback", description = "Run both ends in this process.")
    private boolean loopback;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "" + ControlChannel.PORT,
            description =
                    "TCP port where client and server agree. Default: ${DEFAULT-VALUE}; 0 serves at any free one.")
    private int port;

    @ArgGroup(validate = false, heading = "%nWhat is measured:%n")
    private PlanOptions plan = new PlanOptions();

    @ArgGroup(validate = false, heading = "%nHow this process does it:%n")
    private SettingOptions setting = new SettingOptions();

    @ArgGroup(validate = false, heading = "%nHow its streams are opened, with --link tcp:%n")
    private IwarpSetting iwarp = new IwarpSetting();

    @ArgGroup(validate = false, heading = "%nWhat becomes of its packets:%n")
    private LinkOptions link = new LinkOptions();

    @Mixin
    private OutputOptions output;

    private final StopSign stop = new StopSign();
    private final Progress progress = new Progress();

    @Override
    public Integer call() {
        PerfPlan wanted = understood(() -> plan.plan(operation));
        LocalSetting local = understood(() ->
                setting.setting(wanted.mode()).withWrapping(link.setting()).withIwarp(iwarp.options()));
        requireOnePlace(local);
        PrintWriter out = spec.commandLine().getOut();
        try (Interruption _ = new Interruption(stop)) {
            PerfReport report = measure(wanted, local);
            if (report == null) {
                return 0;
            }
            if (output.json()) {
                out.println(JsonReport.of(report));
            } else {
                TextReport.of(report, how(local)).forEach(out::println);
            }
            out.flush();
            return report.errors() == 0 ? 0 : 1;
        }
    }

    private @Nullable PerfReport measure(PerfPlan wanted, LocalSetting local) {
        if (loopback || local.link() == LinkKind.INPROCESS) {
            return watched(() -> {}, new LoopbackRun(wanted, local, stop, progress)::run);
        }
        if (host == null) {
            return new ServerRun(wanted, plan.insisted(), local, stop, this::say).run(port);
        }
        try (ControlChannel channel = ControlChannel.connect(host, port, stop)) {
            ClientRun run = new ClientRun(wanted, local, channel, stop, progress);
            return watched(run::sayAlive, run::run);
        }
    }

    private PerfReport watched(Runnable alive, Callable<PerfReport> run) {
        PrintWriter err = spec.commandLine().getErr();
        try (LiveLine _ = new LiveLine(err, Terminal.showsProgress(), () -> {
            alive.run();
            return progress.line();
        })) {
            return run.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ToolException(String.valueOf(e.getMessage()), e);
        }
    }

    private String how(LocalSetting local) {
        boolean both = loopback || local.link() == LinkKind.INPROCESS;
        return local.describe() + (both ? ", consumer threads for both ends: " + local.threads() : "");
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }

    private void requireOnePlace(LocalSetting local) {
        if (host != null && (loopback || local.link() == LinkKind.INPROCESS)) {
            throw misuse("HOST '" + host + "' found together with " + (loopback ? "--loopback" : "--link inprocess")
                    + ", one of them expected");
        }
        if (port < 0 || port > 0xffff) {
            throw misuse("--port " + port + " found, 0 to 65535 expected");
        }
    }

    private <T> T understood(java.util.function.Supplier<T> options) {
        try {
            return options.get();
        } catch (IllegalArgumentException e) {
            throw misuse(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException misuse(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
