package org.verbena.tools.memory;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.tools.console.ByteSize;
import org.verbena.tools.perf.Extent;
import picocli.CommandLine.Option;

/** Options of the amounts of memory and of the load. */
final class MemoryOptions {
    private static final double SECONDS_MAX = 365.0 * 24 * 3600;
    private static final long MEMORY_MAX = 1L << 40;
    private static final int OVERCOMMIT_MAX = 64;
    private static final int QUEUE_PAIRS_MAX = 256;
    private static final int DEPTH_MAX = 128;
    private static final int GUESTS_MAX = 64;

    @Option(
            names = "--memory",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            defaultValue = "64MiB",
            description = "Machine memory, such as 64MiB or 1G. Default: ${DEFAULT-VALUE}.")
    private long memory;

    @Option(
            names = "--overcommit",
            paramLabel = "FACTOR",
            defaultValue = "4",
            description = "Registered memory for each byte of it, from 1 to 64. Default: ${DEFAULT-VALUE}.")
    private double overcommit;

    @Option(
            names = "--store",
            paramLabel = "PLACE",
            description = "Where pages go: a directory, or the name of a new file. Default: the directory of temporary"
                    + " files. The file is gone when the command ends, however it ends.")
    private @Nullable Path store;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "s3-fifo",
            description = "Which pages go: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Policy policy = Policy.S3_FIFO;

    @Option(
            names = "--operation",
            paramLabel = "OP",
            defaultValue = "mix",
            description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, all others by turns.")
    private MemoryOperation operation = MemoryOperation.MIX;

    @Option(
            names = "--pattern",
            paramLabel = "NAME",
            defaultValue = "zipf",
            description = "Where: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private AccessPattern pattern = AccessPattern.ZIPF;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            defaultValue = "10000",
            description = "Bytes of a message. Default: ${DEFAULT-VALUE}: not a whole number of pages, so that writes,"
                    + " too, need what is in the store.")
    private long size;

    @Option(
            names = "--queue-pairs",
            paramLabel = "N",
            defaultValue = "4",
            description = "Connections. Default: ${DEFAULT-VALUE}.")
    private int queuePairs;

    @Option(
            names = "--depth",
            paramLabel = "N",
            defaultValue = "8",
            description = "Messages under way on each. Default: ${DEFAULT-VALUE}.")
    private int depth;

    @Option(
            names = "--guests",
            paramLabel = "N",
            defaultValue = "0",
            description = "Guest domains that have the target's memory, each with half as much guest physical memory."
                    + " Default: ${DEFAULT-VALUE}, the host has it.")
    private int guests;

    @Option(names = "--seconds", paramLabel = "S", description = "How long to load it. Default: 5.")
    private @Nullable Double seconds;

    @Option(names = "--iters", paramLabel = "N", description = "How many operations, instead.")
    private @Nullable Long iterations;

    /** Names of the command line for {@link Hypervisor.Policy}. */
    enum Policy {
        CLOCK(Hypervisor.Policy.CLOCK),
        S3_FIFO(Hypervisor.Policy.S3_FIFO);

        private final Hypervisor.Policy policy;

        Policy(Hypervisor.Policy policy) {
            this.policy = policy;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** @throws IllegalArgumentException that names the value found and the value expected */
    MemoryPlan plan() {
        require("--memory", memory, HypervisorOptions.MEMORY_MIN, MEMORY_MAX);
        if (!(overcommit >= 1 && overcommit <= OVERCOMMIT_MAX)) {
            throw new IllegalArgumentException(
                    "--overcommit " + overcommit + " found, 1 to " + OVERCOMMIT_MAX + " expected");
        }
        require("--size", size, Long.BYTES, memory / 16);
        require("--queue-pairs", queuePairs, 1, QUEUE_PAIRS_MAX);
        require("--depth", depth, 1, DEPTH_MAX);
        require("--guests", guests, 0, GUESTS_MAX);
        MemoryPlan plan = new MemoryPlan(
                memory,
                overcommit,
                store,
                policy.policy,
                pattern,
                operation,
                (int) size,
                queuePairs,
                depth,
                guests,
                extent());
        // Each message needs pages at both ends at once.
        long busy = 2L * plan.underWay() * Buffers.slot((int) size);
        require("--size, --queue-pairs and --depth together keep pages busy:", busy, 0, memory / 2);
        if (guests > 0) {
            // Messages of all queue pairs may meet in one guest.
            require(
                    "--guests leaves each physical memory of",
                    TargetDomains.physical(plan),
                    Math.max(busy, GuestOptions.PHYSICAL_MIN),
                    MEMORY_MAX);
        }
        return plan;
    }

    private Extent extent() {
        if (seconds != null && iterations != null) {
            throw new IllegalArgumentException("--seconds and --iters found, one of them expected");
        }
        if (iterations != null) {
            require("--iters", iterations, 1, Long.MAX_VALUE);
            return Extent.ofMessages(iterations);
        }
        double wanted = seconds == null ? 5 : seconds;
        if (!(wanted >= 0.001 && wanted <= SECONDS_MAX)) {
            throw new IllegalArgumentException("--seconds " + wanted + " found, 0.001 to a year expected");
        }
        return Extent.ofSeconds(wanted);
    }

    private static void require(String what, long found, long least, long most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(what + " " + found + " found, " + least + " to " + most + " expected");
        }
    }
}
