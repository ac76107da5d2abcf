package org.verbena.tools.demo;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.verbena.IdleStrategy;
import org.verbena.tools.console.Figures;
import org.verbena.tools.console.HelpOption;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.LiveLine;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.Terminal;
import org.verbena.tools.link.LinkSetting;
import org.verbena.tools.memory.LiveMemory;
import org.verbena.tools.memory.MemoryPlan;
import org.verbena.tools.memory.MemoryReport;
import org.verbena.tools.memory.MemoryRun;
import org.verbena.tools.perf.Extent;
import org.verbena.tools.perf.LinkKind;
import org.verbena.tools.perf.LocalSetting;
import org.verbena.tools.perf.LoopbackRun;
import org.verbena.tools.perf.PerfMode;
import org.verbena.tools.perf.PerfOperation;
import org.verbena.tools.perf.PerfPlan;
import org.verbena.tools.perf.PerfReport;
import org.verbena.tools.perf.Progress;
import org.verbena.tools.perf.WarmUp;
import org.verbena.verbs.AdapterOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verbena demo}: the main job of the library, done and checked in about fifteen seconds. */
@Command(
        name = "demo",
        description = {
            "Connect two adapters over UDP and TCP sockets of this machine, do every operation, check every byte.",
            "",
            "Takes about fifteen seconds. Exit codes: 0 everything is as it should be, 1 something is not."
        })
public final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    @Option(
            names = "--capture",
            paramLabel = "FILE",
            description = "Write the packets of every operation to a pcapng file.")
    private @Nullable Path capture;

    /** Of the part that has four times as much registered. */
    private static final long MACHINE = 64 << 20;

    private final StopSign stop = new StopSign();
    private int wrong;

    @Override
    public Integer call() {
        long beganNs = System.nanoTime();
        try (Interruption _ = new Interruption(stop)) {
            operations(new LinkSetting(capture, 0, 1));
            underLoad("Many at once, each engine on its own thread, every byte checked", LinkKind.UDP);
            underLoad("The same over TCP: iWARP", LinkKind.TCP);
            overcommitted();
            figures();
            say("");
            double seconds = (System.nanoTime() - beganNs) / 1e9;
            say(verdict() + Figures.format(" (%.1f s)", seconds));
            return wrong == 0 ? 0 : 1;
        }
    }

    private String verdict() {
        if (wrong > 0) {
            return "WRONG: " + wrong + (wrong == 1 ? " check failed." : " checks failed.");
        }
        return stop.isRaised()
                ? "Interrupted; all that was done is right."
                : "All operations work, every byte is right.";
    }

    private void operations(LinkSetting setting) {
        LinkSetting.Pair links = setting.loopback();
        try (DemoEnd left = new DemoEnd("left", links.near());
                DemoEnd right = new DemoEnd("right", links.far())) {
            say("Two adapters, connected: " + left.adapter().endpoint() + " and "
                    + right.adapter().endpoint() + " over " + left.adapter().linkName());
            left.connect(right);
            right.connect(left);
            say("");
            say("Every operation, once");
            for (OperationSteps.Step step : new OperationSteps(left, right).all()) {
                if (!stop.isRaised() && !succeeds(step)) {
                    return;
                }
            }
        }
    }

    /** After a failure the ends are in no known state: the steps that would follow are not tried. */
    private boolean succeeds(OperationSteps.Step step) {
        try {
            step.action().run();
            row(step.name(), "right");
            return true;
        } catch (Wrong | IllegalStateException e) {
            wrong++;
            row(step.name(), "WRONG: " + e.getMessage());
            return false;
        }
    }

    private void underLoad(String title, LinkKind link) {
        say("");
        say(title);
        LocalSetting threads = LocalSetting.of(link, PerfMode.BANDWIDTH)
                .withRun(AdapterOptions.Run.THREAD)
                .withIdle(IdleStrategy.BACK_OFF);
        for (PerfOperation operation : PerfOperation.values()) {
            PerfPlan plan = PerfPlan.of(operation, PerfMode.BANDWIDTH)
                    .withVerify(true)
                    .withDepth(16, 1)
                    .withExtents(WarmUp.ofSeconds(0), Extent.ofSeconds(0.6));
            PerfReport report = measure(plan, threads);
            row(
                    operation + ", " + Figures.size(report.size()),
                    Figures.format("%,d messages, ", report.messages()) + faults(report));
        }
    }

    private void overcommitted() {
        say("");
        say("More memory than there is, pages come and go under the packets, every byte checked");
        MemoryPlan plan = MemoryPlan.of(MACHINE).withExtent(Extent.ofSeconds(1));
        LiveMemory live = new LiveMemory();
        String name = Figures.size(plan.registered()) + " registered in " + Figures.size(plan.memory());
        try (LiveLine _ = new LiveLine(spec.commandLine().getErr(), Terminal.showsProgress(), live::text)) {
            MemoryReport report = new MemoryRun(plan, LinkSetting.PLAIN, stop, live).run();
            wrong += report.errors() > 0 ? 1 : 0;
            row(
                    name,
                    Figures.format("%,d messages, %,d page faults, ", report.operations(), report.faults())
                            + verdict(report));
        } catch (UnsupportedOperationException notHere) {
            row(name, "left out: " + notHere.getMessage());
        }
    }

    private static String verdict(MemoryReport report) {
        if (report.errors() > 0) {
            return "WRONG: " + report.firstError();
        }
        return report.isRight() ? "all right" : "stopped before all of it was looked at";
    }

    private void figures() {
        say("");
        say("How fast (verbena perf measures longer)");
        PerfReport write = measure(
                PerfPlan.of(PerfOperation.WRITE, PerfMode.BANDWIDTH)
                        .withExtents(WarmUp.ofSeconds(0.7), Extent.ofSeconds(1)),
                LocalSetting.of(LinkKind.UDP, PerfMode.BANDWIDTH));
        row("write, 64 KiB, bandwidth", Figures.bandwidth(write.bytesPerSecond()));
        PerfReport overTcp = measure(
                PerfPlan.of(PerfOperation.WRITE, PerfMode.BANDWIDTH)
                        .withExtents(WarmUp.ofSeconds(0.7), Extent.ofSeconds(1)),
                LocalSetting.of(LinkKind.TCP, PerfMode.BANDWIDTH));
        row("the same over TCP, with check sums", Figures.bandwidth(overTcp.bytesPerSecond()));
        PerfReport send = measure(
                PerfPlan.of(PerfOperation.SEND, PerfMode.LATENCY)
                        .withExtents(WarmUp.ofSeconds(0.7), Extent.ofSeconds(1)),
                LocalSetting.of(LinkKind.UDP, PerfMode.LATENCY));
        row(
                "send, 8 B, half a round trip",
                Figures.format(
                        "p50 %.2f  p99 %.2f µs",
                        send.timesUs().p50(), send.timesUs().p99()));
    }

    private PerfReport measure(PerfPlan plan, LocalSetting setting) {
        Progress progress = new Progress();
        try (LiveLine _ = new LiveLine(spec.commandLine().getErr(), Terminal.showsProgress(), progress::line)) {
            PerfReport report = new LoopbackRun(plan, setting, stop, progress).run();
            wrong += report.errors() > 0 ? 1 : 0;
            return report;
        }
    }

    private static String faults(PerfReport report) {
        return report.errors() == 0 ? "all right" : "WRONG: " + report.errors() + ", first: " + report.firstError();
    }

    private void row(String what, String result) {
        say(Figures.format("  %-46s %s", what, result));
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
