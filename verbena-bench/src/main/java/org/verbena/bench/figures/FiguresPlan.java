package org.verbena.bench.figures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every promised figure with its requirements. */
final class FiguresPlan {
    private static final int LARGE = 64 << 10;
    private static final int SMALL = 8;
    private static final int UCX_LARGE_MESSAGES = 20_000;
    private static final int UCX_ROUND_TRIPS = 20_000;
    /** Bytes per message that the virtual machine itself allocates; more is an allocation of the data path. */
    private static final double RESIDUE = 0.05;

    private final Path launcher;
    private final int seconds;
    private final long fileBytes;
    private final int runs;
    private final SplitDriverFigures splitDriver;

    /**
     * With the launcher of this checkout; each timed measurement takes this number of seconds.
     *
     * @param fileBytes size of the file that a first program copies
     * @param runs of a first program that has to reach its targets in each run
     */
    FiguresPlan(Path launcher, int seconds, long fileBytes, int runs) {
        this.runs = runs;
        this.fileBytes = fileBytes;
        this.launcher = launcher;
        this.seconds = seconds;
        this.splitDriver = new SplitDriverFigures(seconds);
    }

    /** The figures of the split driver, which are among {@link #figures}. */
    SplitDriverFigures splitDriver() {
        return splitDriver;
    }

    List<Figure> figures() {
        List<Figure> all = new ArrayList<>();
        Stream.of("send", "write", "read").map(this::allocation).forEach(all::add);
        all.add(bandwidth());
        Stream.of("send", "write").map(this::latency).forEach(all::add);
        reliableAgainstLibfabric(4 << 10, 20_000).forEach(all::add);
        reliableAgainstLibfabric(64 << 10, 5_000).forEach(all::add);
        all.add(againstAeron());
        datagrams().forEach(all::add);
        all.add(connections());
        all.add(inProcessLatency());
        all.add(inProcessRate());
        all.add(new Figure(
                "post + poll without the engine's work",
                "ns",
                List.of(OwnProcess.benchmark("one post, one poll", "PostPollBenchmark.postAndPoll")),
                List.of(new Requirement.AtMost(50))));
        all.add(new Figure(
                "idle, default idle strategy",
                "% of a core",
                List.of(OwnProcess.idleAdapters()),
                List.of(new Requirement.AtMost(2))));
        all.addAll(new IwarpFigures(launcher, seconds).figures());
        all.addAll(new RegistrationFigures(seconds).figures());
        all.addAll(splitDriver.figures());
        all.addAll(new FabricFigures(seconds).figures());
        new FirstFigures(seconds, fileBytes, runs).figures().forEach(all::add);
        return all;
    }

    /** Ping-pong against libfabric's ping-pong, the only mode of its program; and a stream, the mode of real use. */
    private Stream<Figure> reliableAgainstLibfabric(int size, int transfers) {
        String bytes = Integer.toString(size);
        String label = size / 1024 + " KiB, UDP loopback";
        return Stream.of(
                new Figure(
                        "RC send, there and back, " + label,
                        "MB/s",
                        List.of(VerbenaPerf.pingpongBandwidth(
                                launcher, "RC send", perf("send", "--loopback", "--lat", "--size", bytes))),
                        List.of(new Requirement.AtLeastPeer(3, FiPingpong.reliableBandwidth(size, transfers)))),
                new Figure(
                        "RC send, one way, " + label,
                        "MB/s",
                        List.of(VerbenaPerf.bandwidth(
                                launcher, "RC send", perf("send", "--loopback", "--size", bytes))),
                        List.of(new Requirement.AtLeastPeer(3, FiPingpong.reliableBandwidth(size, transfers)))));
    }

    private Stream<Figure> datagrams() {
        return Stream.of(
                new Figure(
                        "UD 64 B, rate, UDP loopback",
                        "M messages/s",
                        List.of(OwnProcess.datagrams("UD send, 128 on their way", 64, 128, seconds)),
                        List.of(new Requirement.AtLeastPeer(1, FiPingpong.datagramRate(64, 100_000)))),
                new Figure(
                        "UD 64 B, rate there and back, UDP loopback",
                        "M messages/s",
                        List.of(OwnProcess.datagrams("UD send, one on its way", 64, 1, seconds)),
                        List.of(new Requirement.AtLeastPeer(1, FiPingpong.datagramRate(64, 100_000)))));
    }

    private Figure connections() {
        return new Figure(
                "connections opened and closed through the connection manager, UDP loopback",
                "per second",
                List.of(OwnProcess.connections(1, seconds), OwnProcess.connections(8, seconds)),
                List.of(new Requirement.AtLeast(2_000)));
    }

    private Figure againstAeron() {
        List<String> arguments = perf("send", "--loopback", "--size", "64", "--depth", "256");
        return new Figure(
                "RC send 64 B, rate, UDP loopback, against Aeron",
                "M messages/s",
                List.of(VerbenaPerf.rate(launcher, "RC send, 256 deep", arguments)),
                List.of(
                        new Requirement.AtLeastPeer(1, OwnProcess.aeron(64, "SHARED", seconds)),
                        new Requirement.AtLeastPeer(1, OwnProcess.aeron(64, "DEDICATED", seconds))));
    }

    private Figure allocation(String operation) {
        return new Figure(
                "data path allocation, RC " + operation + " 4 KiB",
                "B per message",
                List.of(VerbenaPerf.allocation(
                        launcher, "RC " + operation, perf(operation, "--loopback", "--size", "4096"))),
                List.of(new Requirement.Nothing(RESIDUE)));
    }

    private Figure bandwidth() {
        String size = Integer.toString(LARGE);
        return new Figure(
                "RC write 64 KiB, UDP loopback, CRC on",
                "MB/s",
                List.of(
                        VerbenaPerf.bandwidth(
                                launcher, "RC write, defaults", perf("write", "--loopback", "--size", size)),
                        VerbenaPerf.bandwidth(
                                launcher,
                                "RC write, engine threads",
                                perf("write", "--loopback", "--size", size, "--run", "thread"))),
                List.of(
                        new Requirement.AtLeastPeer(1.5, UcxPerftest.bandwidth(LARGE, UCX_LARGE_MESSAGES)),
                        new Requirement.AtLeastPeer(1, new Iperf3(LARGE, seconds))));
    }

    private Figure latency(String operation) {
        return new Figure(
                "RC " + operation + " 8 B, half round trip, UDP loopback",
                "µs",
                List.of(latency(operation, "inline"), latency(operation, "thread")),
                List.of(new Requirement.AtMostPeer(UcxPerftest.latency(SMALL, UCX_ROUND_TRIPS))));
    }

    private Subject latency(String operation, String run) {
        List<String> arguments = perf(operation, "--loopback", "--lat", "--size", "" + SMALL, "--run", run);
        return VerbenaPerf.latency(launcher, "RC " + operation + ", " + run, arguments);
    }

    private Figure inProcessLatency() {
        return new Figure(
                "RC send 64 B, half round trip, in-process link",
                "µs",
                List.of(
                        VerbenaPerf.latency(launcher, "RC send, a thread each", inProcess("--lat", "--threads", "2")),
                        VerbenaPerf.latency(launcher, "RC send, one thread", inProcess("--lat", "--threads", "1"))),
                List.of(new Requirement.AtMost(1)));
    }

    private Figure inProcessRate() {
        return new Figure(
                "RC send 64 B, rate, in-process link",
                "M messages/s",
                List.of(
                        VerbenaPerf.rate(launcher, "RC send, a thread each", inProcess("--bw", "--threads", "2")),
                        VerbenaPerf.rate(launcher, "RC send, one thread", inProcess("--bw", "--threads", "1"))),
                List.of(new Requirement.AtLeast(2)));
    }

    private List<String> inProcess(String... more) {
        return perf(Stream.concat(Stream.of("send", "--link", "inprocess", "--size", "64"), Stream.of(more))
                .toArray(String[]::new));
    }

    private List<String> perf(String... arguments) {
        return Stream.concat(Stream.of(arguments), Stream.of("--seconds", Integer.toString(seconds)))
                .toList();
    }
}
