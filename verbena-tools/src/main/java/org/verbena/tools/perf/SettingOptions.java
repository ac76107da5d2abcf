package org.verbena.tools.perf;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.verbena.IdleStrategy;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.verbs.AdapterOptions;
import picocli.CommandLine.Option;

/** Options of this process. The defaults are those of {@link LocalSetting#of}. */
final class SettingOptions {
    private static final long MACHINE_MAX = 1L << 40;

    @Option(
            names = "--link",
            paramLabel = "KIND",
            description = "udp (default): RoCEv2; tcp: iWARP; or inprocess, which is always a loopback.")
    private LinkKind link = LinkKind.UDP;

    @Option(
            names = "--run",
            paramLabel = "RUNNER",
            description =
                    "shared: the consumer drives the engine as it polls, the engine's thread while it does not (default); thread: the"
                            + " engine has one of its own; inline: only the consumer drives it.")
    private @Nullable Runner run;

    @Option(
            names = "--idle",
            paramLabel = "HOW",
            description = "Idle strategy of a thread without work: spin, backoff (default) or park.")
    private @Nullable Idle idle;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "Consumer threads of a loopback: 2 (default over udp), or 1 that serves both ends in turn (default in process).")
    private @Nullable Integer threads;

    @Option(
            names = "--memory",
            paramLabel = "KIND",
            converter = MemoryChoice.Converter.class,
            description =
                    "Memory of the messages: foreign (default), the consumer's own; wired, Verbena's; paged, Verbena's"
                            + " with all pages there; or paged:SIZE, in so much machine memory.")
    private MemoryChoice memory = MemoryChoice.FOREIGN;

    /** Names of the command line for {@link AdapterOptions.Run}. */
    enum Runner {
        SHARED(AdapterOptions.Run.SHARED),
        THREAD(AdapterOptions.Run.THREAD),
        INLINE(AdapterOptions.Run.INLINE);

        private final AdapterOptions.Run run;

        Runner(AdapterOptions.Run run) {
            this.run = run;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Names of the command line for {@link IdleStrategy}. */
    enum Idle {
        SPIN(IdleStrategy.SPIN),
        BACKOFF(IdleStrategy.BACK_OFF),
        PARK(IdleStrategy.PARK);

        private final IdleStrategy strategy;

        Idle(IdleStrategy strategy) {
            this.strategy = strategy;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws IllegalArgumentException that names the value found and the value expected */
    LocalSetting setting(PerfMode mode) {
        LocalSetting best = LocalSetting.of(link, mode);
        if (threads != null) {
            PerfPlan.require("--threads", threads, 1, 2);
        }
        if (memory.machine() != 0) {
            PerfPlan.require("--memory paged:SIZE of", memory.machine(), HypervisorOptions.MEMORY_MIN, MACHINE_MAX);
        }
        return best.withMemory(memory)
                .withRun(run == null ? best.run() : run.run)
                .withIdle(idle == null ? best.idle() : idle.strategy)
                .withThreads(threads == null ? best.threads() : threads);
    }
}
