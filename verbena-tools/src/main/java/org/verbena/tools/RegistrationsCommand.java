package org.verbena.tools;

import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.verbena.Right;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.Region;
import org.verbena.memory.Registration;
import org.verbena.memory.RegistrationCounts;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.RegistrationTable;
import org.verbena.tools.console.ByteSize;
import org.verbena.tools.console.Figures;
import org.verbena.tools.console.HelpOption;
import org.verbena.tools.console.Interruption;
import org.verbena.tools.console.LiveLine;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.Terminal;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code verbena registrations}: writes from buffers that the program has not registered, frees some of them and makes new ones, and shows the registration table
 * meanwhile.
 */
@Command(
        name = "registrations",
        description = "Write from buffers that need no registration, and show the registration table meanwhile.",
        versionProvider = Version.class)
final class RegistrationsCommand implements Runnable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Writes after which an arena is closed and another one takes its place. */
    private static final int WRITES_PER_ARENA = 50;
    /** Writes that are made in any case: enough to merge, to evict and to meet arenas that were closed. */
    private static final int WRITES_MIN = 2000;
    /** Buffers of an arena, one after the other. */
    private static final int BUFFERS_PER_ARENA = 4;

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private HelpOption help;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            defaultValue = "3",
            description = "Time of the load (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            defaultValue = "16K",
            converter = ByteSize.class,
            description = "Bytes of a buffer, at most 16M (default: ${DEFAULT-VALUE}).")
    private long bytes;

    @Option(
            names = {"-n", "--arenas"},
            paramLabel = "COUNT",
            defaultValue = "64",
            description = "Arenas, each with four buffers (default: ${DEFAULT-VALUE}).")
    private int arenas;

    @Option(
            names = "--entries",
            paramLabel = "COUNT",
            defaultValue = "48",
            description = "Entries that the table may have (default: ${DEFAULT-VALUE}).")
    private int entries;

    @Option(
            names = "--rows",
            paramLabel = "COUNT",
            defaultValue = "12",
            description = "Entries that are shown (default: ${DEFAULT-VALUE}).")
    private int rows;

    @Override
    public void run() {
        require("--duration", seconds, 1, 3600);
        require("--size", bytes, 8, 16L << 20);
        require("--arenas", arenas, 1, 10_000);
        require("--entries", entries, 1, 1 << 20);
        require("--rows", rows, 0, 1000);
        StopSign stop = new StopSign();
        try (Interruption _ = new Interruption(stop)) {
            load(spec.commandLine().getOut(), spec.commandLine().getErr(), stop);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void require(String option, long found, long least, long most) {
        if (found < least || found > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be " + least + " … " + most + "; found " + found);
        }
    }

    private void load(PrintWriter out, PrintWriter err, StopSign stop) throws InterruptedException {
        InProcessNetwork network = new InProcessNetwork();
        AdapterOptions options = AdapterOptions.DEFAULT
                .withName("registrations")
                .withRegistrations(RegistrationOptions.DEFAULT.withBudget(entries, 1L << 40));
        try (Adapter here = Adapter.open(network.open(), options);
                Adapter there = Adapter.open(network.open(), AdapterOptions.DEFAULT);
                Arena memory = Arena.ofShared()) {
            CompletionQueue completions = here.createCompletionQueue(16);
            QueuePair queuePair = here.createQueuePair(QueuePairOptions.of(completions));
            QueuePair other = there.createQueuePair(QueuePairOptions.of(there.createCompletionQueue(16)));
            queuePair.connect(other.address(), ConnectionOptions.DEFAULT);
            other.connect(queuePair.address(), ConnectionOptions.DEFAULT);
            Region target = there.register(memory.allocate(bytes), Right.LOCAL_WRITE, Right.REMOTE_WRITE);
            RegistrationTable table = here.registrations();
            try (LiveLine _ = new LiveLine(err, Terminal.showsProgress(), () -> text(table))) {
                write(here, queuePair, completions, RemoteMemory.of(target), stop);
            }
            out.println(text(table));
        }
    }

    /** Writes from buffers of many arenas in turn. From time to time an arena is closed and another one takes its place. */
    private void write(
            Adapter adapter, QueuePair queuePair, CompletionQueue completions, RemoteMemory target, StopSign stop)
            throws InterruptedException {
        List<Arena> homes = new ArrayList<>();
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < arenas; i++) {
            homes.add(Arena.global());
            buffers.add(MemorySegment.NULL);
            renew(adapter, homes, buffers, i);
        }
        SplittableRandom chance = new SplittableRandom(1);
        long endNs = System.nanoTime() + seconds * 1_000_000_000L;
        for (long i = 0; (i < WRITES_MIN || System.nanoTime() - endNs < 0) && !stop.isRaised(); i++) {
            double at = chance.nextDouble();
            int place = (int) (at * at * arenas); // some more often than others
            MemorySegment buffer = buffers.get(place).asSlice(chance.nextInt(BUFFERS_PER_ARENA) * bytes, bytes);
            boolean posted = queuePair.post(new WorkRequest.Write(i, buffer, target));
            Completion completion = posted ? completions.poll(PATIENCE) : null;
            if (completion == null || !completion.status().success()) {
                throw new ToolException("write " + i + " has failed: " + completion);
            }
            if (i % WRITES_PER_ARENA == 0) {
                renew(adapter, homes, buffers, (int) (i / WRITES_PER_ARENA % arenas));
            }
        }
    }

    private void renew(Adapter adapter, List<Arena> homes, List<MemorySegment> buffers, int place) {
        boolean own = place % 2 == 0;
        Arena arena = own ? adapter.arena() : Arena.ofShared();
        MemorySegment memory = arena.allocate(BUFFERS_PER_ARENA * bytes, 4096);
        Arena old = homes.set(place, arena);
        buffers.set(place, memory);
        if (!old.equals(Arena.global())) {
            old.close();
        }
    }

    private String text(RegistrationTable table) {
        RegistrationCounts counts = table.counts();
        String found = Figures.format(
                "%,d hits, %,d misses, %,d merges, %,d evictions, %,d stale",
                counts.hits(), counts.misses(), counts.merges(), counts.evictions(), counts.stale());
        String held = Figures.format(
                "%s: %,d of %,d entries, %s; %s pinned, limit %s",
                table.owner(),
                counts.entries(),
                table.options().entriesMax(),
                Figures.size(counts.bytes()),
                Figures.size(counts.pinnedBytes()),
                counts.pinnedLimit() == Long.MAX_VALUE ? "none" : Figures.size(counts.pinnedLimit()));
        String columns = row("address", "length", "rights", "status", "pinned", "uses", "busy", "age", "idle", "owner");
        String listed = table.list().stream()
                .sorted(Comparator.comparingLong(Registration::uses).reversed())
                .limit(rows)
                .map(entry -> row(table, entry))
                .collect(Collectors.joining("\n"));
        return String.join("\n", found, held, columns, listed);
    }

    private static String row(RegistrationTable table, Registration entry) {
        return row(
                "0x" + Long.toHexString(entry.address()),
                Figures.size(entry.length()),
                entry.rights().contains(Right.LOCAL_WRITE) ? "r w" : "r",
                entry.status().name().toLowerCase(Locale.ROOT),
                entry.pinned() ? "yes" : "no",
                Figures.format("%,d", entry.uses()),
                Integer.toString(entry.operations()),
                time(entry.age()),
                time(entry.idle()),
                entry.owner().replace(table.owner() + ", ", ""));
    }

    /** A line that fits a terminal of 80 columns. */
    private static String row(
            String address,
            String length,
            String rights,
            String status,
            String pinned,
            String uses,
            String busy,
            String age,
            String idle,
            String owner) {
        return Figures.format(
                "%-14s %8s %-6s %-10s %-6s %6s %4s %6s %6s %s",
                address, length, rights, status, pinned, uses, busy, age, idle, owner);
    }

    private static String time(Duration time) {
        long ms = time.toMillis();
        return ms < 1000 ? ms + " ms" : Figures.format(ms < 100_000 ? "%.1f s" : "%.0f s", ms / 1e3);
    }
}
