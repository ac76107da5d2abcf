package org.verbena.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.bench.first.PingPong;
import org.verbena.bench.first.Reading;
import org.verbena.bench.first.TcpPingPong;

final class FirstProgramTest {
    private static FirstProgram tiny(Class<?> program, String more) {
        return FirstProgram.of("tiny", program, 0.02, more).warmUp(0.02);
    }

    @Test
    void serverAndClientAreProcessesBesideABusyOne() throws InterruptedException {
        Subject trips = tiny(TcpPingPong.class, "").besideBusyProcess().reading(Reading.ROUND_TRIPS_PER_SECOND);
        assertTrue(trips.measure() > 0);
    }

    @Test
    void oneRunGivesAllItsReadings() throws InterruptedException {
        FirstProgram program = tiny(PingPong.class, "blocking");
        assertSame(program.reading(Reading.P99_US), program.reading(Reading.P99_US));
        double before = program.reading(Reading.RAN_BEFORE_SECONDS).measure();
        double trips = program.reading(Reading.ROUND_TRIPS_PER_SECOND).measure();
        assertTrue(before > 0 && trips > 0);
        assertEquals(1, program.runCount());
        program.reading(Reading.P99_US).measure();
        program.reading(Reading.P99_US).measure();
        assertEquals(2, program.runCount());
    }

    @Test
    void aReadingThatTheProgramDoesNotHaveIsAFailure() {
        Subject gets = tiny(TcpPingPong.class, "").reading(Reading.GETS_PER_SECOND);
        MeasurementException e = assertThrows(MeasurementException.class, gets::measure);
        assertTrue(String.valueOf(e.getMessage()).contains("gets_per_second"), e.getMessage());
    }

    @Test
    void aFailureTellsItsReasonWithoutPathsOfTheMachine() {
        Subject trips = tiny(PingPong.class, "sleeping").reading(Reading.MEDIAN_US);
        MeasurementException e = assertThrows(MeasurementException.class, trips::measure);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("blocking or spinning expected; found sleeping"), message);
        assertFalse(message.contains(System.getProperty("java.home")), message);
        assertThrows(MeasurementException.class, trips::measure);
    }

    @Test
    void everyRowOfTheIssueIsPlanned() {
        List<String> names = new FiguresPlan(Path.of("verbena"), 1, 64 << 20, 20)
                .figures().stream()
                        .map(Figure::name)
                        .filter(name -> name.startsWith(FirstProgram.SELECTED_BY))
                        .toList();
        for (String row : List.of(
                "blocking poll, round trips",
                "blocking poll, p99",
                "blocking poll, CPU of both ends",
                "blocking poll, first seconds, round trips",
                "blocking poll, beside a busy process, round trips",
                "blocking poll, beside a busy process, median",
                "spins on poll()",
                "16 outstanding each",
                "16 outstanding each, first seconds",
                "200 virtual threads",
                "200 virtual threads, first seconds",
                "64 MiB, first of the process",
                "64 MiB, third of the process",
                "receive missing at the peer, CPU",
                "receive missing at the peer, time until the event",
                "sent again without loss, 64 KiB",
                "sent again without loss, 64 B")) {
            assertTrue(names.stream().anyMatch(name -> name.contains(row)), row);
        }
    }

    @Test
    void theBlockingPingPongHasToReachItsTargetsInEachRun() {
        List<String> judgedByRuns = new FiguresPlan(Path.of("verbena"), 1, 64 << 20, 17)
                .figures().stream()
                        .filter(figure -> figure.runs() == 17)
                        .map(Figure::name)
                        .toList();
        String name = "first program: 64 B ping-pong, blocking poll, ";
        assertEquals(
                List.of(name + "round trips", name + "median", name + "p99", name + "CPU of both ends"), judgedByRuns);
    }
}
