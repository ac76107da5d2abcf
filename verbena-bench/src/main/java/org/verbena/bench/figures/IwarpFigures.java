package org.verbena.bench.figures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The figures of iWARP over TCP loopback. They have a page of their own. */
final class IwarpFigures {
    /** How the names of these figures begin. */
    static final String NAME = "iWARP ";

    private static final int LARGE = 64 << 10;
    private static final int LARGEST = 1 << 20;
    private static final int SMALL = 8;
    private static final long UCX_BYTES = 20_000L * LARGE;
    private static final int UCX_ROUND_TRIPS = 20_000;
    /** Bytes that the virtual machine itself allocates; more is an allocation of Verbena. */
    private static final double RESIDUE = 0.05;
    /** Share of the speed without check sums. */
    private static final double CRC_SHARE = 0.8;

    private static final int IDLE_CONNECTIONS = 10_000;
    private static final int IDLE_BYTES_MAX = 8 << 10;
    /** Percent of a core that two idle virtual machines use by themselves. */
    private static final double IDLE_PERCENT = 0.5;

    private static final int CONNECTIONS_PER_SECOND = 1_000;
    private static final int CONNECTING_THREADS = 4;
    /** Memory that a virtual machine may take meanwhile for its own use. */
    private static final int GROWTH_MIB_MAX = 8;

    private static final int LOCAL_WORK_NS_MAX = 300;

    private final Path launcher;
    private final int seconds;

    IwarpFigures(Path launcher, int seconds) {
        this.launcher = launcher;
        this.seconds = seconds;
    }

    List<Figure> figures() {
        List<Figure> all = new ArrayList<>();
        Stream.of(LARGE, LARGEST).map(this::bandwidth).forEach(all::addAll);
        all.add(latency());
        all.add(allocation());
        all.addAll(idle());
        all.addAll(connections());
        all.addAll(localWork("registration", "registration of 64 pages through the send queue", "register"));
        all.addAll(localWork("window", "window bind + invalidate", "bind"));
        return all;
    }

    private List<Figure> bandwidth(int size) {
        Subject plain = VerbenaPerf.bandwidth(
                launcher,
                "write, CRC off",
                perf("write", "--loopback", "--link", "tcp", "--no-crc", "--size", "" + size));
        Subject checked = VerbenaPerf.bandwidth(
                launcher, "write, CRC32C", perf("write", "--loopback", "--link", "tcp", "--size", "" + size));
        String label = NAME + "write " + size / 1024 + " KiB, TCP loopback";
        return List.of(
                new Figure(
                        label,
                        "MB/s",
                        List.of(plain),
                        List.of(
                                new Requirement.AtLeastPeer(1.3, UcxPerftest.bandwidth(size, (int) (UCX_BYTES / size))),
                                new Requirement.AtLeastPeer(1, new Iperf3(size, seconds)))),
                new Figure(
                        label + ", CRC32C",
                        "MB/s",
                        List.of(checked),
                        List.of(new Requirement.AtLeastPeer(CRC_SHARE, plain))));
    }

    private Figure latency() {
        return new Figure(
                NAME + "send 8 B, half round trip, TCP loopback",
                "µs",
                List.of(latency("shared"), latency("inline"), latency("thread")),
                List.of(new Requirement.AtMostPeer(UcxPerftest.latency(SMALL, UCX_ROUND_TRIPS))));
    }

    private Subject latency(String run) {
        return VerbenaPerf.latency(
                launcher,
                "send, " + run,
                perf("send", "--loopback", "--link", "tcp", "--lat", "--size", "" + SMALL, "--run", run));
    }

    private Figure allocation() {
        return new Figure(
                NAME + "data path allocation, write 4 KiB",
                "B per message",
                List.of(VerbenaPerf.allocation(
                        launcher, "write", perf("write", "--loopback", "--link", "tcp", "--size", "4096"))),
                List.of(new Requirement.Nothing(RESIDUE)));
    }

    private static List<Figure> idle() {
        String label = NAME + "10,000 idle connections, ";
        return List.of(
                new Figure(
                        label + "memory of one end of each, beside its queues",
                        "B",
                        List.of(idle("heap and resident memory outside it", "memory")),
                        List.of(
                                new Requirement.AtMost(IDLE_BYTES_MAX),
                                new Requirement.Beside(idle("its heap", "heap"), false),
                                new Requirement.Beside(idle("its queues, 8 requests each", "queues"), false),
                                new Requirement.Beside(idle("the kernel's, for both ends", "kernel"), false))),
                new Figure(
                        label + "CPU time of both processes",
                        "% of a core",
                        List.of(idle("10 s", "cpu")),
                        List.of(new Requirement.Nothing(IDLE_PERCENT))));
    }

    private static Subject idle(String name, String what) {
        return OwnProcess.streams(name, "idle", IdleStreams.class, what, "" + IDLE_CONNECTIONS);
    }

    private List<Figure> connections() {
        return List.of(
                new Figure(
                        NAME + "connections opened and closed, TCP loopback",
                        "per second",
                        List.of(connections(CONNECTING_THREADS + " threads", "rate")),
                        List.of(new Requirement.AtLeast(CONNECTIONS_PER_SECOND))),
                new Figure(
                        NAME + "connections opened and closed, growth of memory meanwhile",
                        "MiB",
                        List.of(connections("live heap and memory outside it", "growth")),
                        List.of(new Requirement.AtMost(GROWTH_MIB_MAX))));
    }

    private Subject connections(String name, String what) {
        return OwnProcess.streams(
                name, "connections", StreamConnections.class, what, "" + CONNECTING_THREADS, "" + seconds);
    }

    private static List<Figure> localWork(String only, String name, String what) {
        return List.of(
                new Figure(
                        NAME + name + ", engine time",
                        "ns",
                        List.of(localWork(only, what, "ns", "best of 20,000 rounds")),
                        List.of(new Requirement.AtMost(LOCAL_WORK_NS_MAX))),
                new Figure(
                        NAME + name + ", allocation of the engine",
                        "B",
                        List.of(localWork(only, what, "bytes", "10,000 rounds")),
                        List.of(new Requirement.Nothing(RESIDUE))));
    }

    private static Subject localWork(String only, String what, String unit, String rounds) {
        return OwnProcess.streams(rounds, only, LocalWorkCost.class, what, unit);
    }

    private List<String> perf(String... arguments) {
        return Stream.concat(Stream.of(arguments), Stream.of("--seconds", Integer.toString(seconds)))
                .toList();
    }
}
