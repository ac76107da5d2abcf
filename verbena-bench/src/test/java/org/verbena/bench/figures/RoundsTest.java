package org.verbena.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
    private final List<String> said = new ArrayList<>();

    private Samples measure(int rounds, Figure... figures) throws InterruptedException {
        return new Rounds(rounds, said::add).measure(List.of(figures));
    }

    @Test
    void oursAndPeersTakeTurns() throws InterruptedException {
        Subject ours = new Measured("ours", 1, 2);
        Subject peer = new Measured("peer", 3, 4);
        measure(2, new Figure("speed", "MB/s", List.of(ours), List.of(new Requirement.AtLeastPeer(1, peer))));
        assertEquals(
                List.of("ours", "peer", "ours", "peer"),
                said.stream()
                        .skip(1)
                        .map(line -> line.strip().split("\\s+", -1)[1])
                        .toList());
    }

    @Test
    void aFigureOfRunsMeasuresOursInEachRunAndPeersInEachRound() throws InterruptedException {
        Subject ours = new Measured("ours", 1, 2, 3, 4, 5);
        Subject peer = new Measured("peer", 6, 7);
        measure(
                2,
                new Figure("speed", "MB/s", List.of(ours), List.of(new Requirement.AtLeastPeer(1, peer))).inEachOf(5));
        assertEquals(
                List.of("ours", "peer", "ours", "ours", "ours", "peer", "ours"),
                said.stream()
                        .skip(1)
                        .map(line -> line.strip().split("\\s+", -1)[1])
                        .toList());
    }

    @Test
    void roundsCountAsRunsIfThereAreMore() throws InterruptedException {
        Subject ours = new Measured("ours", 1, 2, 3);
        Figure figure = new Figure("f", "u", List.of(ours), List.of(new Requirement.AtMost(2))).inEachOf(1);
        Result result = Result.of(figure, figure.targets().getFirst(), measure(3, figure));
        assertEquals(3, result.runs());
        assertEquals(2, result.runsThatMeet());
        assertFalse(result.reached());
    }

    @Test
    void theMedianIsTheMiddleOrTheMeanOfTwo() throws InterruptedException {
        Subject odd = new Measured("odd", 9, 1, 5);
        assertEquals(
                5,
                measure(3, new Figure("f", "u", List.of(odd), List.of(new Requirement.AtMost(1))))
                        .median(odd)
                        .orElseThrow());
        Subject even = new Measured("even", 9, 1);
        assertEquals(
                5,
                measure(2, new Figure("f", "u", List.of(even), List.of(new Requirement.AtMost(1))))
                        .median(even)
                        .orElseThrow());
    }

    @Test
    void theBetterWayOfOursCounts() throws InterruptedException {
        Subject slow = new Measured("slow", 10);
        Subject fast = new Measured("fast", 20);
        Figure bandwidth = new Figure("b", "u", List.of(slow, fast), List.of(new Requirement.AtLeast(15)));
        assertTrue(Result.of(bandwidth, bandwidth.targets().getFirst(), measure(1, bandwidth))
                .reached());
        Figure latency = new Figure(
                "l",
                "u",
                List.of(new Measured("slow", 10), new Measured("fast", 20)),
                List.of(new Requirement.AtMost(9)));
        Result result = Result.of(latency, latency.targets().getFirst(), measure(1, latency));
        assertEquals(10, result.ours().orElseThrow());
        assertFalse(result.reached());
    }

    @Test
    void theRatioIsToThePeerAndNotToItsMultiple() throws InterruptedException {
        Subject peer = new Measured("peer", 100);
        Figure figure = new Figure(
                "f", "u", List.of(new Measured("ours", 140)), List.of(new Requirement.AtLeastPeer(1.5, peer)));
        Result result = Result.of(figure, figure.targets().getFirst(), measure(1, figure));
        assertEquals(1.4, result.ratio().orElseThrow(), 1e-9);
        assertFalse(result.reached());
    }

    @Test
    void aMissingPeerIsSkippedWithItsReasonOnce() throws InterruptedException {
        Subject peer = Measured.missing("peer", "peer is not installed");
        Figure figure =
                new Figure("f", "u", List.of(new Measured("ours", 1, 2)), List.of(new Requirement.AtMostPeer(peer)));
        Samples samples = measure(2, figure);
        assertEquals(1, said.stream().filter(line -> line.contains("skipped")).count());
        assertEquals("peer is not installed", samples.failure(peer));
        assertFalse(Result.of(figure, figure.targets().getFirst(), samples).known());
    }

    @Test
    void aFailureCostsOneValueOnly() throws InterruptedException {
        Subject ours = new Measured("ours", Double.NaN, 7);
        Samples samples = measure(2, new Figure("f", "u", List.of(ours), List.of(new Requirement.AtMost(8))));
        assertEquals(1, samples.count(ours));
        assertEquals(7, samples.median(ours).orElseThrow());
    }

    @Test
    void aFigureMayHaveRoundsOfItsOwn() throws InterruptedException {
        Subject ours = new Measured("ours", 1, 2, 3);
        Subject peer = new Measured("peer", 4, 5, 6);
        Figure figure = new Figure("f", "u", List.of(ours), List.of(new Requirement.AtMostPeer(peer))).inRounds(3);
        Samples samples = measure(2, figure);
        assertEquals(List.of(1.0, 2.0, 3.0), samples.all(ours));
        assertEquals(List.of(4.0, 5.0, 6.0), samples.all(peer));
        Subject once = new Measured("once", 7);
        assertEquals(
                1,
                measure(2, new Figure("f", "u", List.of(once), List.of(new Requirement.Told(true))).inRounds(1))
                        .count(once));
    }

    @Test
    void theBetterHalfHasTheMiddleValueToo() throws InterruptedException {
        Subject ours = new Measured("ours", 9, 2, 8, 1, 4);
        Subject peer = new Measured("peer", 3, 5, 7, 3, 6);
        Figure time = new Figure("f", "u", List.of(ours), List.of(new Requirement.AtMostPeer(peer))).ofBetterHalves();
        Result result = Result.of(time, time.targets().getFirst(), measure(5, time));
        assertEquals(2, result.ours().orElseThrow());
        assertEquals(3, result.needed().orElseThrow());
        Subject even = new Measured("even", 1, 2, 3, 5);
        Figure rate = new Figure("f", "u", List.of(even), List.of(new Requirement.AtLeast(1))).ofBetterHalves();
        assertEquals(4, measure(4, rate).median(rate, even).orElseThrow());
    }
}
