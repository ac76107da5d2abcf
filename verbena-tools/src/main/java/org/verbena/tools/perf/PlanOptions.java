package org.verbena.tools.perf;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.tools.console.ByteSize;
import picocli.CommandLine.Option;

/** Options of the plan. The defaults are those of {@link PerfPlan#of}. */
final class PlanOptions {
    private static final double SECONDS_MAX = 365.0 * 24 * 3600;

    @Option(names = "--bw", description = "Bandwidth: many messages at once (default).")
    private boolean bandwidth;

    @Option(names = "--lat", description = "Latency: one message at a time.")
    private boolean latency;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description =
                    "Bytes of a message, such as 8, 64K or 1G. Default: 64K with --bw, 8 with --lat and for atomics.")
    private @Nullable Long size;

    @Option(names = "--seconds", paramLabel = "S", description = "Seconds to count. Default: 3.")
    private @Nullable Double seconds;

    @Option(names = "--iters", paramLabel = "N", description = "Messages to count, instead.")
    private @Nullable Long iterations;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "Seconds before anything counts. Default: until the compiler has settled, 1 to 8.")
    private @Nullable Double warmUp;

    @Option(names = "--depth", paramLabel = "N", description = "Messages outstanding at once, with --bw. Default: 64.")
    private @Nullable Integer depth;

    @Option(
            names = "--signal",
            paramLabel = "N",
            description = "One message in N gets a completion, with --bw. Default: a quarter of --depth.")
    private @Nullable Integer signalEvery;

    @Option(
            names = "--inline",
            paramLabel = "BYTES",
            description = "Messages up to this size are copied when posted. Default: 256.")
    private @Nullable Integer inlineMax;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description = "256, 512, 1024, 2048 or 4096. Default: the largest that both links carry.")
    private @Nullable Integer mtu;

    @Option(names = "--verify", description = "Check every byte of every message. Slower.")
    private boolean verify;

    /** @throws IllegalArgumentException that names the value found and the value expected */
    PerfPlan plan(PerfOperation operation) {
        requireAtMostOne("--bw", bandwidth, "--lat", latency);
        requireAtMostOne("--seconds", seconds != null, "--iters", iterations != null);
        PerfPlan best = PerfPlan.of(operation, latency ? PerfMode.LATENCY : PerfMode.BANDWIDTH);
        int outstanding = depth == null ? best.depth() : depth;
        int every = signalEvery != null ? signalEvery : Math.max(1, outstanding / 4);
        PerfPlan plan = best.withSize(size == null ? best.size() : size)
                .withExtents(
                        warmUp == null ? best.warmUp() : WarmUp.ofSeconds(requireSeconds("--warmup", warmUp, 0)),
                        extent(best.measured()))
                .withDepth(best.isLatency() ? 1 : outstanding, best.isLatency() ? 1 : every)
                .withInlineMax(inlineMax == null ? best.inlineMax() : inlineMax)
                .withMtu(mtu == null ? null : mtu(mtu))
                .withVerify(verify);
        PerfPlan.require("memory for --size and --depth", new Layout(plan).bytes(), 0, Layout.BYTES_MAX);
        return plan;
    }

    private Extent extent(Extent best) {
        if (iterations != null) {
            PerfPlan.require("--iters", iterations, 1, Long.MAX_VALUE);
            return Extent.ofMessages(iterations);
        }
        return seconds == null ? best : Extent.ofSeconds(requireSeconds("--seconds", seconds, 0.001));
    }

    private static Mtu mtu(int bytes) {
        Mtu found = Mtu.atMost(bytes);
        if (found == null || found.bytes() != bytes) {
            throw new IllegalArgumentException("--mtu " + bytes + " found, 256, 512, 1024, 2048 or 4096 expected");
        }
        return found;
    }

    private static void requireAtMostOne(String one, boolean hasOne, String other, boolean hasOther) {
        if (hasOne && hasOther) {
            throw new IllegalArgumentException(one + " and " + other + " found, one of them expected");
        }
    }

    private static double requireSeconds(String option, double found, double least) {
        if (!(found >= least && found <= SECONDS_MAX)) {
            throw new IllegalArgumentException(option + " " + found + " found, " + least + " to a year expected");
        }
        return found;
    }

    /** The options given to the server, which the client's plan must match: names as in {@link ControlCodec#plan}. */
    Set<String> insisted() {
        Set<String> fields = new LinkedHashSet<>();
        fields.add("op");
        insist(fields, "mode", bandwidth || latency);
        insist(fields, "size", size != null);
        insist(fields, "iters", iterations != null);
        insist(fields, "duration", seconds != null);
        insist(fields, "warmup", warmUp != null);
        insist(fields, "depth", depth != null);
        insist(fields, "signal", signalEvery != null);
        insist(fields, "inline", inlineMax != null);
        insist(fields, "mtu", mtu != null);
        insist(fields, "verify", verify);
        return fields;
    }

    private static void insist(Set<String> fields, String field, boolean given) {
        if (given) {
            fields.add(field);
        }
    }
}
