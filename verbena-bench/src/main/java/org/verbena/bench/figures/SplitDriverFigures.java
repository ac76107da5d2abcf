package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.TransferModel;

/** The figures of the split driver. They have a page of their own. */
final class SplitDriverFigures {
    /** How the names of these figures begin. */
    static final String NAME = "split driver ";

    /** Millions of frames a second from a host to its unit. */
    private static final double FRAMES_IN_PROCESS = 1;

    private static final double FRAMES_UDP = 0.5;
    /** Share of what a pair of the kernel's interfaces reaches. */
    private static final double TCP_SHARE = 0.5;
    /** Times what a pair of the kernel's interfaces needs. */
    private static final double PING_TIMES = 3;

    private static final int IDLE_HOSTS = 64;
    private static final double IDLE_KIB_MAX = 1024;
    private static final List<String> PERCENTILES = List.of("p50", "p99");

    private final int seconds;
    private final Map<FabricLink.Kind, Map<TransferModel, ProgramNumbers>> transfers =
            new EnumMap<>(FabricLink.Kind.class);
    private final List<Latency> latencies = new ArrayList<>();

    SplitDriverFigures(int seconds) {
        this.seconds = seconds;
    }

    /**
     * A latency of the three models.
     *
     * @param kind the link
     * @param bytes of the frames
     * @param percentile one of {@link #PERCENTILES}
     * @param subjects one for each model, in their order
     */
    record Latency(FabricLink.Kind kind, int bytes, String percentile, List<Subject> subjects) {}

    List<Figure> figures() {
        List<Figure> all = new ArrayList<>();
        for (FabricLink.Kind kind : FabricLink.Kind.values()) {
            for (int size = 0; size < TransferLatency.SIZES.length; size++) {
                for (int percentile = 0; percentile < PERCENTILES.size(); percentile++) {
                    all.add(latency(kind, size, percentile));
                }
            }
        }
        all.add(frames(FabricLink.Kind.IN_PROCESS, FRAMES_IN_PROCESS));
        all.add(frames(FabricLink.Kind.UDP, FRAMES_UDP));
        all.addAll(programs());
        all.add(idle());
        return all;
    }

    /** The latencies among the figures, for the plot. */
    List<Latency> latencies() {
        return latencies;
    }

    private static String command(String only) {
        return "./verbena bench figures --only '" + NAME + only + "'";
    }

    // --- latency

    private Figure latency(FabricLink.Kind kind, int size, int percentile) {
        List<Subject> subjects = new ArrayList<>();
        for (TransferModel model : TransferModel.values()) {
            subjects.add(transfers(kind, model).number(size * PERCENTILES.size() + percentile));
        }
        int bytes = TransferLatency.SIZES[size];
        latencies.add(new Latency(kind, bytes, PERCENTILES.get(percentile), List.copyOf(subjects)));
        return new Figure(
                String.format(
                        Locale.ROOT, "%slatency %s, %,d B, %s", NAME, PERCENTILES.get(percentile), bytes, kind.label()),
                "µs",
                List.of(subjects.getFirst()),
                subjects.stream()
                        .skip(1)
                        .<Requirement>map(Requirement.AtMostPeer::new)
                        .toList());
    }

    private ProgramNumbers transfers(FabricLink.Kind kind, TransferModel model) {
        return transfers
                .computeIfAbsent(kind, _ -> new EnumMap<>(TransferModel.class))
                .computeIfAbsent(
                        model,
                        _ -> new ProgramNumbers(
                                label(model),
                                command("latency"),
                                OwnProcess.program(
                                        TransferLatency.class, kind.name(), model.name(), Integer.toString(seconds)),
                                null));
    }

    /** The name of a model in the tables. */
    static String label(TransferModel model) {
        return model.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    // --- frames a second

    private Figure frames(FabricLink.Kind kind, double least) {
        ProgramNumbers rate = new ProgramNumbers(
                "64 B, both drivers",
                command("frames"),
                OwnProcess.program(LanFrameRate.class, kind.name(), Integer.toString(seconds)),
                null);
        return new Figure(
                NAME + "frames host to unit, 64 B, " + kind.label(),
                "M frames/s",
                List.of(rate.number(0)),
                List.of(new Requirement.AtLeast(least)));
    }

    // --- programs

    private List<Figure> programs() {
        String missing = LanPrograms.missing();
        ProgramNumbers udp = programs(FabricLink.Kind.UDP.name(), "TAP, RoCEv2 over UDP, TAP", missing);
        ProgramNumbers inProcess = programs(FabricLink.Kind.IN_PROCESS.name(), "TAP, in process, TAP", missing);
        ProgramNumbers veth = programs(LanPrograms.VETH, "veth", missing);
        List<Figure> all = new ArrayList<>();
        all.add(tcp("to the unit, " + FabricLink.Kind.UDP.label(), udp, veth, LanPrograms.TO_UNIT));
        all.add(tcp("to the unit, " + FabricLink.Kind.IN_PROCESS.label(), inProcess, veth, LanPrograms.TO_UNIT));
        all.add(tcp("to the host, " + FabricLink.Kind.UDP.label(), udp, veth, LanPrograms.TO_HOST));
        all.add(tcp("to the host, " + FabricLink.Kind.IN_PROCESS.label(), inProcess, veth, LanPrograms.TO_HOST));
        all.add(ping(FabricLink.Kind.UDP, udp, veth));
        all.add(ping(FabricLink.Kind.IN_PROCESS, inProcess, veth));
        return all;
    }

    private ProgramNumbers programs(String between, String name, @Nullable String missing) {
        return new ProgramNumbers(
                name,
                command("programs"),
                OwnProcess.program(LanPrograms.class, between, Integer.toString(seconds)),
                missing);
    }

    private static Figure tcp(String name, ProgramNumbers ours, ProgramNumbers veth, int index) {
        return new Figure(
                NAME + "programs: iperf3 TCP, " + name,
                "Gbit/s",
                List.of(ours.number(index)),
                List.of(new Requirement.AtLeastPeer(TCP_SHARE, veth.number(index))));
    }

    private static Figure ping(FabricLink.Kind kind, ProgramNumbers ours, ProgramNumbers veth) {
        return new Figure(
                NAME + "programs: ping p50, " + kind.label(),
                "µs",
                List.of(ours.number(LanPrograms.PING)),
                List.of(new Requirement.AtMostPeer(PING_TIMES, veth.number(LanPrograms.PING))));
    }

    // --- memory

    private static Figure idle() {
        ProgramNumbers memory = new ProgramNumbers(
                IDLE_HOSTS + " hosts",
                command("memory"),
                OwnProcess.program(ProcessMemory.OPTIONS, IdleHosts.class, Integer.toString(IDLE_HOSTS)),
                null);
        return new Figure(
                NAME + "memory of an idle host at the unit, beside its pools",
                "KiB",
                List.of(memory.number(0)),
                List.of(new Requirement.AtMost(IDLE_KIB_MAX)));
    }
}
