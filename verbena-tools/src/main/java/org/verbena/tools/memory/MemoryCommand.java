package org.verbena.tools.memory;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.verbena.tools.console.HelpOption;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.LiveLine;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.Terminal;
import org.verbena.tools.link.LinkOptions;
import org.verbena.tools.link.LinkSetting;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena memory}: more registered memory than there is, used over the wire, and seen. */
@Command(
        name = "memory",
        description = {
            "Register more memory than there is, use it over UDP of this machine, check every byte.",
            "",
            "Two adapters share a machine memory of --memory bytes. One has most of the registered memory, the other"
                    + " writes, reads and sends to it and counts in it, out of buffers that are paged as well. Pages"
                    + " that have no frame are in a file. In the end all of it is read back; then counters and where"
                    + " the pages are get shown.",
            ""
        },
        customSynopsis = "verbena memory [OPTION]...",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  verbena memory",
            "  verbena memory --memory 256MiB --overcommit 8 --pattern scan --policy clock",
            "  verbena memory --operation atomic --loss 1 --iters 10000 --json",
            "",
            "Exit codes: 0 every byte is right, 1 one is not, or not all were looked at, or failure, 2 not understood."
        })
public final class MemoryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @ArgGroup(validate = false, heading = "%nWhat is done:%n")
    private MemoryOptions options = new MemoryOptions();

    @ArgGroup(validate = false, heading = "%nWhat becomes of packets:%n")
    private LinkOptions link = new LinkOptions();

    @Option(
            names = "--json",
            description =
                    "Write one JSON object to standard output and nothing else there: the plan, operations, faults,"
                            + " errors, all counters of both adapters, paging, store and residency.")
    private boolean json;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    private final StopSign stop = new StopSign();

    @Override
    public Integer call() {
        MemoryPlan plan = understood(options::plan);
        LinkSetting wrapping = understood(link::setting);
        PrintWriter out = spec.commandLine().getOut();
        try (Interruption _ = new Interruption(stop)) {
            MemoryReport report = watched(plan, wrapping);
            if (json) {
                out.println(MemoryJson.of(report));
            } else {
                MemoryText.of(report, Terminal.columns()).forEach(out::println);
            }
            out.flush();
            return report.isRight() ? 0 : 1;
        }
    }

    private MemoryReport watched(MemoryPlan plan, LinkSetting wrapping) {
        LiveMemory live = new LiveMemory();
        try (LiveLine _ = new LiveLine(spec.commandLine().getErr(), Terminal.showsProgress(), live::text)) {
            return new MemoryRun(plan, wrapping, stop, live).run();
        }
    }

    private <T> T understood(Supplier<T> wanted) {
        try {
            return wanted.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
