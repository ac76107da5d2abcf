package org.verbena.bench.figures;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.verbena.bench.figures.Requirement.AtLeast;
import org.verbena.bench.figures.Requirement.AtLeastPeer;
import org.verbena.bench.figures.Requirement.AtMost;
import org.verbena.bench.figures.Requirement.AtMostPeer;
import org.verbena.bench.figures.Requirement.Beside;
import org.verbena.bench.first.FileCopy;
import org.verbena.bench.first.KeyValue;
import org.verbena.bench.first.MissingReceive;
import org.verbena.bench.first.PingPong;
import org.verbena.bench.first.Reading;
import org.verbena.bench.first.Requests;
import org.verbena.bench.first.TcpFileCopy;
import org.verbena.bench.first.TcpKeyValue;
import org.verbena.bench.first.TcpPingPong;
import org.verbena.bench.first.TcpRequests;
import org.verbena.bench.first.WriteStream;

/** The figures of the first programs: Verbena with default options, beside plain blocking sockets. */
final class FirstFigures {
    private static final String TCP = "plain TCP";
    private static final String PER_SECOND = "per second";

    private static final int VIRTUAL_THREADS = 200;

    private final double seconds;
    private final long fileBytes;
    private final int runs;

    /**
     * Each program counts for this number of seconds.
     *
     * @param fileBytes size of the file that is copied
     * @param runs of the blocking ping-pong, which has to reach its targets in each of them
     */
    FirstFigures(double seconds, long fileBytes, int runs) {
        this.seconds = seconds;
        this.fileBytes = fileBytes;
        this.runs = runs;
    }

    Stream<Figure> figures() {
        FirstProgram tcp = FirstProgram.of(TCP, TcpPingPong.class, seconds, "");
        FirstProgram blocking = FirstProgram.of("blocking poll", PingPong.class, seconds, "blocking");
        return Stream.of(
                        pingPong(blocking, tcp),
                        pingPongInFirstSeconds(),
                        pingPongBesideBusyProcess(),
                        spinning(tcp),
                        keyValue(),
                        requests(),
                        fileCopy(),
                        missingReceive(),
                        sentAgain(blocking))
                .flatMap(List::stream);
    }

    private List<Figure> pingPong(FirstProgram ours, FirstProgram tcp) {
        String name = "64 B ping-pong, blocking poll, ";
        Subject rate = tcp.reading(Reading.ROUND_TRIPS_PER_SECOND);
        Subject p99 = tcp.reading(Reading.P99_US);
        return Stream.of(
                        figure(
                                name + "round trips",
                                PER_SECOND,
                                ours.reading(Reading.ROUND_TRIPS_PER_SECOND),
                                new AtLeast(30_000),
                                new Beside(rate, true)),
                        figure(
                                name + "median",
                                "µs",
                                ours.reading(Reading.MEDIAN_US),
                                new Beside(tcp.reading(Reading.MEDIAN_US), false)),
                        figure(
                                name + "p99",
                                "µs",
                                ours.reading(Reading.P99_US),
                                new AtMost(100),
                                new Beside(p99, false)),
                        figure(
                                name + "CPU of both ends",
                                "µs per round trip",
                                ours.reading(Reading.CPU_US_PER_ROUND_TRIP),
                                new AtMostPeer(tcp.reading(Reading.CPU_US_PER_ROUND_TRIP))))
                .map(figure -> figure.inEachOf(runs))
                .toList();
    }

    private List<Figure> pingPongInFirstSeconds() {
        String name = "64 B ping-pong, blocking poll, first seconds, ";
        FirstProgram ours = FirstProgram.of("blocking poll", PingPong.class, seconds, "blocking")
                .inFirstSeconds();
        FirstProgram tcp = FirstProgram.of(TCP, TcpPingPong.class, seconds, "").inFirstSeconds();
        return List.of(
                figure(
                        name + "round trips",
                        PER_SECOND,
                        ours.reading(Reading.ROUND_TRIPS_PER_SECOND),
                        new Beside(tcp.reading(Reading.ROUND_TRIPS_PER_SECOND), true)),
                figure(
                        name + "median",
                        "µs",
                        ours.reading(Reading.MEDIAN_US),
                        new Beside(tcp.reading(Reading.MEDIAN_US), false)),
                figure(
                        name + "p99",
                        "µs",
                        ours.reading(Reading.P99_US),
                        new Beside(tcp.reading(Reading.P99_US), false)));
    }

    private List<Figure> pingPongBesideBusyProcess() {
        String name = "64 B ping-pong, blocking poll, beside a busy process, ";
        FirstProgram ours = FirstProgram.of("blocking poll", PingPong.class, seconds, "blocking")
                .besideBusyProcess();
        FirstProgram tcp = FirstProgram.of(TCP, TcpPingPong.class, seconds, "").besideBusyProcess();
        return List.of(
                figure(
                        name + "round trips",
                        PER_SECOND,
                        ours.reading(Reading.ROUND_TRIPS_PER_SECOND),
                        new AtLeastPeer(1, tcp.reading(Reading.ROUND_TRIPS_PER_SECOND))),
                figure(
                        name + "median",
                        "µs",
                        ours.reading(Reading.MEDIAN_US),
                        new AtMostPeer(tcp.reading(Reading.MEDIAN_US))),
                figure(
                        name + "CPU of both ends",
                        "µs per round trip",
                        ours.reading(Reading.CPU_US_PER_ROUND_TRIP),
                        new Beside(tcp.reading(Reading.CPU_US_PER_ROUND_TRIP), false)));
    }

    private List<Figure> spinning(FirstProgram tcp) {
        return List.of(figure(
                "64 B ping-pong, consumer spins on poll(), median",
                "µs",
                FirstProgram.of("spinning", PingPong.class, seconds, "spinning").reading(Reading.MEDIAN_US),
                new AtMost(30),
                new Beside(tcp.reading(Reading.MEDIAN_US), false)));
    }

    private List<Figure> keyValue() {
        String name = "key-value GET by one-sided read, 2 clients, 16 outstanding each";
        return List.of(
                figure(
                        name,
                        PER_SECOND,
                        gets().reading(Reading.GETS_PER_SECOND),
                        new AtLeast(600_000),
                        new Beside(tcpGets().reading(Reading.GETS_PER_SECOND), true)),
                figure(
                        name + ", first seconds",
                        PER_SECOND,
                        gets().inFirstSeconds().reading(Reading.GETS_PER_SECOND),
                        new Beside(tcpGets().inFirstSeconds().reading(Reading.GETS_PER_SECOND), true)));
    }

    private FirstProgram gets() {
        return FirstProgram.of("one-sided read", KeyValue.class, seconds, "").clients(2);
    }

    private FirstProgram tcpGets() {
        return FirstProgram.of(TCP + ", pipelined", TcpKeyValue.class, seconds, "")
                .clients(2);
    }

    private List<Figure> requests() {
        String name = "64 B request and response, " + VIRTUAL_THREADS + " virtual threads";
        return List.of(
                figure(
                        name,
                        PER_SECOND,
                        calls().reading(Reading.REQUESTS_PER_SECOND),
                        new AtLeastPeer(1, tcpCalls().reading(Reading.REQUESTS_PER_SECOND))),
                figure(
                        name + ", first seconds",
                        PER_SECOND,
                        calls().inFirstSeconds().reading(Reading.REQUESTS_PER_SECOND),
                        new Beside(tcpCalls().inFirstSeconds().reading(Reading.REQUESTS_PER_SECOND), true)));
    }

    private FirstProgram calls() {
        return FirstProgram.of("request channel", Requests.class, seconds, VIRTUAL_THREADS);
    }

    private FirstProgram tcpCalls() {
        return FirstProgram.of(TCP, TcpRequests.class, seconds, VIRTUAL_THREADS);
    }

    private List<Figure> fileCopy() {
        String name = String.format(Locale.ROOT, "copy of a file of %,d MiB, ", fileBytes >> 20);
        FirstProgram ours = FirstProgram.of("writes with immediate", FileCopy.class, seconds, fileBytes);
        FirstProgram tcp = FirstProgram.of(TCP, TcpFileCopy.class, seconds, fileBytes);
        return List.of(
                figure(
                        name + "first of the process",
                        "MB/s",
                        ours.reading(Reading.FIRST_COPY_MB_PER_SECOND),
                        new AtLeastPeer(1, tcp.reading(Reading.FIRST_COPY_MB_PER_SECOND))),
                figure(
                        name + "third of the process",
                        "MB/s",
                        ours.reading(Reading.THIRD_COPY_MB_PER_SECOND),
                        new AtLeast(2_500),
                        new Beside(tcp.reading(Reading.THIRD_COPY_MB_PER_SECOND), true)));
    }

    private List<Figure> missingReceive() {
        FirstProgram program = FirstProgram.of("send without a receive", MissingReceive.class, seconds, "");
        return List.of(
                figure(
                        "receive missing at the peer, CPU of both ends",
                        "% of a core",
                        program.reading(Reading.CPU_PERCENT),
                        new AtMost(5)),
                figure(
                        "receive missing at the peer, retries",
                        PER_SECOND,
                        program.reading(Reading.RETRIES_PER_SECOND),
                        new AtMost(1_000)),
                figure(
                        "receive missing at the peer, time until the event",
                        "s",
                        program.reading(Reading.EVENT_AFTER_SECONDS),
                        new AtMost(1.1)));
    }

    private List<Figure> sentAgain(FirstProgram pingPong) {
        return List.of(
                figure(
                        "sent again without loss, 64 KiB write stream",
                        "% of packets",
                        FirstProgram.of("write stream", WriteStream.class, seconds, "")
                                .reading(Reading.RESENT_PERCENT),
                        new AtMost(0.1)),
                figure(
                        "sent again without loss, 64 B ping-pong",
                        "% of packets",
                        pingPong.reading(Reading.RESENT_PERCENT),
                        new AtMost(0.1)));
    }

    private static Figure figure(String name, String unit, Subject ours, Requirement... targets) {
        return new Figure(FirstProgram.SELECTED_BY + ": " + name, unit, List.of(ours), List.of(targets));
    }
}
